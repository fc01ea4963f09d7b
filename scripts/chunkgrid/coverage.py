"""How much of an answer retrieved chunks hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .evidence import Evidence
from .handed import Handed
from .ranges import Omega, Spans, brought
from .tables import COVERAGE

COMPLETE = 0.95
"""Coverage from which an answer counts as handed over whole, and a chunk as relevant."""


def coverage_curves(
    found: Evidence, best: Omega | None, rankings: Sequence[np.ndarray], handed: Handed, ideal: int
) -> pa.Table:
    """The table of coverage: for every question what its ranking hands over after 1, 2, 3 ... hits.

    `rankings` are chunks, best first, one array per question; `ideal` is how many ideal gains are kept; `best` is of
    the same chunks, None where they have no offsets.
    """
    given = [handed.hand_over(ranking) for ranking in rankings]
    bounds = np.concatenate([[0], np.cumsum([len(one.chunks) for one in given], dtype=np.int64)])
    flat, lengths, sizes = (
        np.concatenate([np.empty(0, np.int64), *(getattr(one, name) for one in given)])
        for name in ("chunks", "lengths", "sizes")
    )
    question = np.repeat(np.arange(len(given)), np.diff(bounds))
    in_article = np.flatnonzero(handed.docs[flat] == found.docs[question])
    gains = found.gains()
    at = _hit_of_each_pair(found, flat, question, in_article)
    met = np.flatnonzero(at < len(flat))
    gain = np.zeros(len(flat))
    gain[at[met]] = gains[met]
    relevant = np.sort(at[met][gains[met] >= COMPLETE])
    columns: dict[str, Any] = {
        "query_id": found.query_ids,
        "characters": _lists(_within(lengths, bounds), bounds),
        "size": None if handed.sizes is handed.lengths else _lists(_within(sizes, bounds), bounds),
        "coverage": _lists(_within(_new_shingles(found, at, len(flat)), bounds) / found.shingles[question], bounds),
        "gain": _lists(gain, bounds),
        "ideal_gain": _best(found, gains, ideal),
        "article_rank": _first_ranks(in_article, question, bounds),
        "relevant_rank": _first_ranks(relevant, question, bounds),
    }
    if best is not None:
        columns |= _ranges(found, best, flat, question, bounds, handed)
    empty = {field.name: pa.nulls(len(given), field.type) for field in COVERAGE}
    return pa.table(
        {name: columns.get(name) if columns.get(name) is not None else empty[name] for name in empty}, schema=COVERAGE
    )


def _hit_of_each_pair(found: Evidence, flat: np.ndarray, question: np.ndarray, in_article: np.ndarray) -> np.ndarray:
    """Which hit, counted over all questions, hands over each pair's chunk; beyond all hits where none does."""
    chunks = int(max(values.max(initial=0) for values in (flat, found.chunk))) + 1
    hits = question[in_article] * chunks + flat[in_article]
    order = np.argsort(hits)
    pairs = found.question * chunks + found.chunk
    place = np.searchsorted(hits, pairs, sorter=order)
    order = np.append(order, len(hits))
    met = np.append(hits, -1)[order[place]] == pairs
    return np.where(met, np.append(in_article, len(flat))[order[place]], len(flat))


def _new_shingles(found: Evidence, at: np.ndarray, hits: int) -> np.ndarray:
    """How many shingles each hit is the first to hold, shape (hits,)."""
    begins = np.concatenate([[0], np.cumsum(found.shingles)])
    first = np.full(begins[-1], hits)
    np.minimum.at(first, begins[found.question[found.pair]] + found.shingle, at[found.pair])
    return np.bincount(first, minlength=hits + 1)[:hits]


def _best(found: Evidence, gains: np.ndarray, most: int) -> pa.Array:
    """The largest gains of each question, descending."""
    order = np.lexsort((-gains, found.question))
    bounds = found.bounds()
    kept = np.arange(len(gains)) - np.repeat(bounds[:-1], np.diff(bounds)) < most
    return _lists(gains[order][kept], np.concatenate([[0], np.cumsum(np.minimum(np.diff(bounds), most))]))


def _first_ranks(hits: np.ndarray, question: np.ndarray, bounds: np.ndarray) -> pa.Array:
    """The rank, from 1, of the first of some hits (ascending) of each question; null where there is none."""
    first = np.full(len(bounds) - 1, -1)
    first[question[hits[::-1]]] = hits[::-1]
    return pa.array(first - bounds[:-1] + 1, mask=first < 0)


def _within(values: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Sums over the hits so far of each question."""
    total = np.concatenate([[0], np.cumsum(values)])
    return total[1:] - np.repeat(total[bounds[:-1]], np.diff(bounds))


def _lists(values: np.ndarray, bounds: np.ndarray) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), pa.array(values))


def _ranges(
    found: Evidence, best: Omega, flat: np.ndarray, question: np.ndarray, bounds: np.ndarray, handed: Handed
) -> dict[str, Any]:
    """What the measures on ranges of characters are read off."""
    hits = Spans(handed.docs[flat], handed.starts[flat], handed.ends[flat])
    united, (covered, held) = hits.ends - hits.starts, np.zeros((2, len(flat)), np.int64)
    # A hit that shares nothing with another chunk, nor with the gold, brings itself and nothing of the gold.
    plain = handed.alone[flat] & ~_near_gold(found, hits, question)
    rest = np.flatnonzero(~plain)
    of_rest = brought(question[rest], hits.of(rest), found.gold)
    united[rest], covered[rest], held[rest] = of_rest.united, of_rest.covered, of_rest.held
    once, every = found.gold.lengths()
    covered = _within(covered, bounds)
    return {
        "span_coverage": _lists(covered / once[question], bounds),
        "united": _lists(_within(united, bounds), bounds),
        "covered": _lists(covered, bounds),
        "missed": _lists(every[question] - _within(held, bounds), bounds),
        "gold_characters": once,
        "reference_characters": every,
        **{name: getattr(best, name) for name in ("precision_omega", "chroma_precision_omega", "touching")},
    }


def _near_gold(found: Evidence, hits: Spans, question: np.ndarray) -> np.ndarray:
    """Which hits may share a character with their question's gold."""
    low, high = np.full(found.gold.count, np.iinfo(np.int64).max), np.zeros(found.gold.count, np.int64)
    np.minimum.at(low, found.gold.question, found.gold.spans.starts)
    np.maximum.at(high, found.gold.question, found.gold.spans.ends)
    same = hits.docs == found.docs[question]
    return same & (hits.starts < high[question]) & (hits.ends > low[question])
