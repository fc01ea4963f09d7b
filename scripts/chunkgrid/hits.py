"""Hits of another system as a retriever's scores, so that they are measured as any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .errors import InputError
from .rows import listing
from .text import strip, visible

_SHOWN = 5


def hit_scores(
    hits: Mapping[str, Sequence[tuple[str, Any]]], chunks: pa.Table, queries: pa.Table, name: str
) -> tuple[Iterator[np.ndarray], list[str]]:
    """1/rank for every hit and 0 for every other chunk: arrays of shape (chunks,), a query each; and notes.

    `hits` are of `own_hits`: by query_id or by the question's text. A chunk goes by the name that it has in the
    table, or else by its number there. Raises InputError where a chunk is not in the table, or no question is
    asked.
    """
    numbers, names = _columns(chunks, "chunk", "name")
    number = {str(n): place for place, n in enumerate(numbers) if names[place] is None}
    number |= {own: place for place, own in enumerate(names) if own is not None}
    unknown = sorted({chunk for found in hits.values() for chunk, _ in found if chunk not in number})
    if unknown:
        faults = [f"'{chunk}' is no chunk of this split" for chunk in unknown]
        raise InputError(listing(name, faults, len({c for found in hits.values() for c, _ in found}), "chunks unknown"))
    ids, texts = _columns(queries, "query_id", "query")
    by_text = {strip(visible(query)): found for query, found in hits.items()}
    asked = [hits.get(query_id) or by_text.get(strip(text), []) for query_id, text in zip(ids, texts, strict=True)]
    known = {*ids, *map(strip, texts)}
    others = [query for query in hits if query not in known and strip(visible(query)) not in known]
    if len(others) == len(hits):
        raise InputError(f"{name}: none of its {len(hits)} questions is asked; queries.parquet has those that are")
    notes = []
    if others:
        shown = ", ".join(f"'{query[:60]}'" for query in others[:_SHOWN]) + ", …" * (len(others) > _SHOWN)
        notes.append(f"{name}: {len(others):,} of {len(hits):,} questions are not asked, and left out: {shown}")
    return (_scores(found, number, len(names)) for found in asked), notes


def _scores(found: Sequence[tuple[str, Any]], number: Mapping[str, int], chunks: int) -> np.ndarray:
    scores = np.zeros(chunks)
    for rank, (chunk, _) in enumerate(found, 1):
        scores[number[chunk]] = 1 / rank
    return scores


def _columns(table: pa.Table, *names: str) -> list[list[Any]]:
    return [table[name].to_pylist() for name in names]
