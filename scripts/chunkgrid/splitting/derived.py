"""What is put in front of the chunks of another cell before they are indexed, or around them when handed over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import pyarrow as pa

from ..sentences import sentences
from ..tables import check_places, check_plain
from .chunks import Document, Piece

PATH_SEPARATOR = " ＞ "
Block = dict[str, Any]


def pieces_of(chunks: pa.Table, cell: str = "the other cell") -> Mapping[str, list[Piece]]:
    """The chunks of a table as pieces, by doc_id.

    Raises InputError where `cell`, which they are of, keeps no offsets, or says how they are handed over.
    """
    check_plain(chunks, cell)
    check_places(chunks, cell, "nothing can be told of what is around them")
    found: dict[str, list[Piece]] = {}
    for row in chunks.select(["doc_id", "start", "end", "text", "index_text"]).to_pylist():
        index_text = None if row["index_text"] == row["text"] else row["index_text"]
        found.setdefault(row["doc_id"], []).append(Piece(row["start"], row["end"], index_text=index_text))
    return found


def prefixed(document: Document, pieces: Iterable[Piece], put: Literal["title", "headings", "lead"]) -> Iterator[Piece]:
    """Each piece with a line in front of what is indexed.

    put: the document's title; its title and the headings above the piece's first block; or the first sentence of the
    section that the piece is in, where the piece does not begin with it
    """
    blocks = BlocksOf(document)
    for piece in pieces:
        first = blocks.at(_start(piece))
        line = document.title
        if put == "headings":
            line = heading_path(document.title, document.blocks[first]["headings"])
        elif put == "lead":
            start, line = blocks.lead(first)
            line = "" if start >= _start(piece) else line
        yield _in_front(document, piece, line)


def with_table_header(document: Document, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Each piece that begins within a table, with the table's header row in front of what is indexed."""
    blocks = BlocksOf(document)
    for piece in pieces:
        block = document.blocks[blocks.at(_start(piece))]
        inside = block["kind"] == "table" and block["start"] < _start(piece) < block["end"]
        yield _in_front(document, piece, (block["header"] or "") if inside else "")


def with_pre_label(document: Document, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Each piece that begins with a pre, or within one, with what says what it is in front of what is indexed.

    That is the last sentence of the paragraph before the pre; where another kind stands there, its heading.
    """
    blocks = BlocksOf(document)
    for piece in pieces:
        number = blocks.at(_start(piece))
        block = document.blocks[number]
        inside = block["kind"] == "pre" and _start(piece) < block["end"]
        yield _in_front(document, piece, blocks.label(number) if inside else "")


def windowed(
    document: Document,
    pieces: Sequence[Piece],
    before: int,
    after: int,
    unit: Literal["characters", "sentences", "chunks"] = "chunks",
) -> Iterator[Piece]:
    """Each piece indexed as it is, and handed over with what is before and after it in its document.

    That is so many characters, whole sentences that touch neither, or neighbouring chunks.
    """
    spans = sentences(document.text) if unit == "sentences" else []
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    for number, piece in enumerate(pieces):
        start, end = _start(piece), _end(piece)
        if unit == "characters":
            first, last = max(start - before, 0), min(end + after, len(document.text))
        elif unit == "chunks":
            around = pieces[max(number - before, 0) : number + after + 1]
            first, last = min(map(_start, around)), max(map(_end, around))
        else:
            # Whatever is left of a sentence that the piece cuts is handed over with it where a window opens.
            left, right = bisect_right(ends, start), bisect_right(starts, end - 1)
            first = starts[max(left - before, 0)] if before and spans else start
            last = ends[min(right + after, len(ends)) - 1] if after and spans else end
        index_text = document.text[start:end] if piece.index_text is None else piece.index_text
        yield Piece(min(first, start), max(last, end), index_text=index_text)


def heading_path(title: str, path: list[str]) -> str:
    """`title ＞ h2 ＞ h3`; the title comes first also where no h1 holds it."""
    return PATH_SEPARATOR.join(path if path[:1] == [title] or not title else [title, *path])


class BlocksOf:
    """The blocks of a document by place."""

    def __init__(self, document: Document) -> None:
        self.blocks = document.blocks
        self._starts = [block["start"] for block in document.blocks]
        self._text = document.text

    def at(self, place: int) -> int:
        """The number of the block that a place is in, or the next one; the last where there is none."""
        number = max(bisect_right(self._starts, place) - 1, 0)
        return min(number + (place >= self.blocks[number]["end"]), len(self.blocks) - 1)

    def lead(self, number: int) -> tuple[int, str]:
        """Where the first sentence of a block's section begins, and that sentence; the headings are no part of it."""
        first = number
        while first > 0 and self.blocks[first - 1]["headings"] == self.blocks[number]["headings"]:
            first -= 1
        while first < number and self.blocks[first]["kind"][0] == "h":
            first += 1
        spans = sentences(self._text, self.blocks[first]["start"], self.blocks[first]["end"])
        return (spans[0][0], self._text[slice(*spans[0])]) if spans else (self.blocks[first]["start"], "")

    def label(self, number: int) -> str:
        """What says what the block is: the last sentence before it, or its heading."""
        if number and self.blocks[number - 1]["kind"] == "paragraph":
            spans = sentences(self._text, self.blocks[number - 1]["start"], self.blocks[number - 1]["end"])
            return self._text[slice(*spans[-1])] if spans else ""
        return (self.blocks[number]["headings"] or [""])[-1]


def _start(piece: Piece) -> int:
    assert piece.start is not None
    return piece.start


def _end(piece: Piece) -> int:
    assert piece.end is not None
    return piece.end


def _in_front(document: Document, piece: Piece, line: str) -> Piece:
    if not line:
        return piece
    text = document.text[_start(piece) : _end(piece)] if piece.index_text is None else piece.index_text
    return replace(piece, index_text=f"{line}\n{text}")
