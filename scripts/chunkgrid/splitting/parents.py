"""Small chunks searched, the larger ones around them handed over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pyarrow as pa

from ..tables import CHUNKS, are_slices, check_places, check_plain, of_slices, table

_ROWS = 2_000
"""Chunks of a part of a table at most."""
_CHARACTERS = 30_000_000
"""Characters that they hand over at most, but for the last of them."""


def parent_child(
    children: pa.Table, parents: pa.Table, child: str = "the child cell", parent: str = "the parent cell"
) -> Iterator[pa.Table]:
    """A chunk per child: indexed as the child, handed over as the parent that holds the child's start.

    The table comes in parts, since the text of a parent stands in it once for every child. Of several such parents
    the one that starts last; where none does, the next one. `child` and `parent` name the two cells. Raises InputError
    where either keeps no offsets, or says how its chunks are handed over.
    """
    for name, chunks in ((child, children), (parent, parents)):
        check_plain(chunks, name)
        check_places(chunks, name, "none can be told to hold another, or to be held")
    return _parts(children, parents)


def _parts(children: pa.Table, parents: pa.Table) -> Iterator[pa.Table]:
    parents_of = {doc: list(group) for doc, group in groupby(parents.to_pylist(), key=lambda row: row["doc_id"])}
    for first in range(0, len(children), _ROWS):
        rows: list[dict[str, Any]] = []
        characters = 0
        for row in children.slice(first, _ROWS).to_pylist():
            around = _holding(parents_of[row["doc_id"]], row["index_start"])
            rows.append({**row, "start": around["start"], "end": around["end"], "text": around["text"]})
            characters += len(around["text"])
            if characters >= _CHARACTERS:
                yield _part(rows, parents)
                rows, characters = [], 0
        if rows:
            yield _part(rows, parents)


def _part(rows: list[dict[str, Any]], parents: pa.Table) -> pa.Table:
    return of_slices(table(rows, CHUNKS)) if are_slices(parents) else table(rows, CHUNKS)


def _holding(parents: list[dict[str, Any]], place: int) -> dict[str, Any]:
    """`parents` in order of their starts, as every table of chunks is."""
    last = bisect_right(parents, place, key=lambda parent: parent["start"])
    for parent in reversed(parents[:last]):
        if place < parent["end"]:
            return parent
    return parents[min(last, len(parents) - 1)]
