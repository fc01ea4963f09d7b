"""What every splitter shares: the document it gets, the pieces it yields, the table they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..errors import InputError
from ..tables import CHUNKS, of_slices, table


@dataclass(frozen=True)
class Document:
    """One article as a splitter sees it; `blocks` are rows of the table of blocks, in order."""

    doc_id: str
    title: str
    text: str
    html: str
    blocks: list[dict[str, Any]]


@dataclass(frozen=True)
class Piece:
    """One chunk to be: a slice `[start, end)` of the document, or a `text` of its own without a place.

    `index_text` is what is indexed, where that differs from what is handed over; `route` what a hybrid took it for.
    """

    start: int | None = None
    end: int | None = None
    text: str | None = None
    index_text: str | None = None
    route: str | None = None


def read_documents(documents: pa.Table, blocks: pa.Table | None = None) -> Iterator[Document]:
    """Documents in order of doc_id, with their blocks where a table of those, in the same order, is given.

    One at a time: a whole corpus takes several times the room as Python's objects than as a table.
    """
    of_doc: dict[str, pa.Table] = {}
    if blocks is not None:
        first = 0
        for group in blocks["doc_id"].value_counts().to_pylist():
            of_doc[group["values"]] = blocks.slice(first, group["counts"])
            first += group["counts"]
    documents = documents.sort_by("doc_id")
    for number in range(len(documents)):
        (row,) = documents.slice(number, 1).to_pylist()
        own = of_doc.get(row["doc_id"])
        yield Document(
            row["doc_id"], row["title"], row["text"], row["html"], own.to_pylist() if own is not None else []
        )


def chunk_table(documents: Iterable[Document], cut: Callable[[Document], Iterable[Piece]]) -> pa.Table:
    """Cuts every document and numbers the pieces through. Blank pieces do not become chunks.

    Raises InputError, naming the article, where `cut` fails or a span does not lie within its document.
    """
    rows: list[dict[str, Any]] = []
    slices = True
    for document in documents:
        for piece in _pieces(document, cut):
            row = _row(document, piece)
            slices &= piece.text is None
            if row["text"].strip():
                rows.append({"chunk": len(rows), **row})
    return of_slices(table(rows, CHUNKS)) if slices else table(rows, CHUNKS)


def _pieces(document: Document, cut: Callable[[Document], Iterable[Piece]]) -> Iterator[Piece]:
    try:
        yield from cut(document)
    except InputError:  # says itself what is wrong, as that a package is missing
        raise
    except (Exception, SystemExit) as error:  # a function of someone else's may even end the program
        raise InputError(f"{document.doc_id}: the splitter failed: {type(error).__name__}: {error}") from error


def _row(document: Document, piece: Piece) -> dict[str, Any]:
    start, end = piece.start, piece.end
    if piece.text is not None:
        text = piece.text
    elif start is not None and end is not None and end < start:
        raise InputError(f"{document.doc_id}: a chunk [{start}, {end}) ends before it begins")
    elif start is not None and end is not None and 0 <= start <= end <= len(document.text):
        text = document.text[start:end]
    else:
        raise InputError(
            f"{document.doc_id}: a chunk [{start}, {end}) lies outside of its {len(document.text)} characters"
        )
    return {
        "doc_id": document.doc_id,
        "start": start,
        "end": end,
        "text": text,
        "index_start": start,
        "index_end": end,
        "index_text": text if piece.index_text is None else piece.index_text,
        "route": piece.route,
    }
