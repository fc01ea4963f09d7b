"""Chunks of several cells in one index."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from ..tables import are_slices, check_places, check_plain, handed_apart


def multi(cells: Mapping[str, pa.Table]) -> pa.Table:
    """All chunks of several tables as one, by article and place, numbered anew.

    The best is handed over first, and one that overlaps it is not. `cells` are by name. Raises InputError where a cell
    keeps no offsets, without which overlap cannot be told, or says itself how its chunks are handed over.
    """
    for name, chunks in cells.items():
        check_plain(chunks, name)
        check_places(chunks, name, "no overlap of them can be told")
    together = pa.concat_tables([chunks.replace_schema_metadata() for chunks in cells.values()])
    order = [("doc_id", "ascending"), ("start", "ascending"), ("end", "ascending")]
    together = together.sort_by(order)
    numbers = pa.array(range(len(together)), together.schema.field("chunk").type)
    first = next(iter(cells.values()))
    sliced = first.schema.metadata if all(map(are_slices, cells.values())) else None
    together = together.set_column(0, first.schema.field("chunk"), numbers)
    return handed_apart(together.replace_schema_metadata(sliced))
