"""The pieces that coverage counts in, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .code_points import SPACE, code_points
from .text import strip

SHINGLE = 8
_BASE = np.uint64(0x9E3779B97F4A7C15)  # any large odd number


def shingles(text: str) -> set[str]:
    """Every 8-character substring of `text` without white space."""
    bare = strip(text)
    return {bare[i : i + SHINGLE] for i in range(len(bare) - SHINGLE + 1)}


def pieces(gold: Sequence[str]) -> list[str]:
    """What a gold of several spans is counted in: its distinct shingles, or its spans where all are too short."""
    return sorted(set().union(*map(shingles, gold)) or {strip(span) for span in gold})


def rolling(text: str, length: int) -> np.ndarray:
    """A hash of every `length` characters that follow one another, uint64."""
    points = code_points(text).astype(np.uint64)
    count = max(len(points) - length + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for offset in range(length):
        hashes = hashes * _BASE + points[offset : offset + count]
    return hashes


def places(golds: Sequence[Sequence[str]], text: str) -> list[list[dict[str, int]]]:
    """Where the shingles of each gold (a list of spans' texts) stand in a document, at all places.

    A row is a place: which of the gold's distinct shingles (they are numbered through), its first character in the
    document and one past its last; sorted by shingle. So a slice of the document covers a shingle exactly if it
    holds one of its places. A gold too short to have a shingle has its spans instead.
    """
    bare = strip(text)
    where = np.flatnonzero(~SPACE[code_points(text)])
    wanted = [pieces(gold) for gold in golds]
    stands = places_of({piece for own in wanted for piece in own}, bare)
    found = []
    for own in wanted:
        rows = [(n, at, at + len(shingle)) for n, shingle in enumerate(own) for at in stands[shingle]]
        found.append([{"shingle": n, "start": int(where[at]), "end": int(where[end - 1]) + 1} for n, at, end in rows])
    return found


def places_of(wanted: set[str], bare: str) -> dict[str, list[int]]:
    """Every place of each of the wanted in a text without white space."""
    found: dict[str, list[int]] = {shingle: [] for shingle in wanted}
    for length in {len(shingle) for shingle in wanted}:
        own = [shingle for shingle in wanted if len(shingle) == length]
        known = rolling("".join(own), length)[::length]
        for at in np.flatnonzero(np.isin(rolling(bare, length), known)).tolist():
            places = found.get(bare[at : at + length])
            if places is not None:
                places.append(at)
    return found


def add_places(queries: Iterable[Mapping[str, Any]], texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """Rows of the table of queries with the column `places`, in the order given."""
    rows = [dict(query) for query in queries]
    of_doc: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        of_doc.setdefault(row["doc_id"], []).append(row)
    for doc_id, own in of_doc.items():
        for row, found in zip(own, places([row["gold_text"] for row in own], texts[doc_id]), strict=True):
            row["places"] = found
    return rows
