"""Small chunks searched, and merged into larger ones where enough of them are found: LlamaIndex's auto-merging."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..errors import InputError
from ..sentences import Span
from ..tables import CHUNKS, merged_from, of_slices, table
from ..units import span_measure
from .chunks import Document
from .sentence import atoms, packed

Node = tuple[Span, int | None]
"""A span, and the number of the node that it is a part of."""


def hierarchy(
    documents: Iterable[Document], sizes: Sequence[int], share: float = 0.5, unit: str = "characters"
) -> pa.Table:
    """The table of chunks: whole sentences packed to the first of `sizes`, each chunk again to the next, and so on.

    Only the smallest are indexed. Where more than a `share` of a chunk's parts are handed over, that chunk is, in their
    place. Raises InputError where two sizes are equal, and as `units.measure` does.
    """
    if len(set(sizes)) < len(sizes):
        raise InputError(f"of the sizes {', '.join(map(str, sizes))} two are equal")
    sizes = sorted(sizes, reverse=True)
    rows: list[dict[str, Any]] = []
    for document in documents:
        first = len(rows)
        nodes = list(_nodes(document, (0, len(document.text)), sizes, unit, None, [0]))
        inner = {parent for _, parent in nodes}
        for number, ((start, end), parent) in enumerate(nodes):
            text = document.text[start:end]
            span = {"start": start, "end": end, "index_start": start, "index_end": end}
            row = {"chunk": len(rows), "doc_id": document.doc_id, **span, "text": text}
            row |= {"index_text": None if number in inner else text}
            rows.append({**row, "parent": None if parent is None else first + parent})
    return merged_from(of_slices(table(rows, CHUNKS)), share)


def _nodes(
    document: Document, within: Span, sizes: Sequence[int], unit: str, parent: int | None, made: list[int]
) -> Iterator[Node]:
    """The chunks of a part of a document, each before its own parts; what would be its only part is left out."""
    if not sizes:
        return
    spans = atoms(document, sizes[0], unit, within)
    joins = list(packed(document.text, spans, sizes[0], length=span_measure(document.text, unit)))
    for first, last in joins:
        span = spans[first][0], spans[last - 1][1]
        if len(joins) == 1 and parent is not None:
            yield from _nodes(document, span, sizes[1:], unit, parent, made)
            continue
        number = made[0]
        made[0] += 1
        yield span, parent
        yield from _nodes(document, span, sizes[1:], unit, number, made)
