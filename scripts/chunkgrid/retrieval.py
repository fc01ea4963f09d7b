"""Scores to rankings, and rankings to what is handed over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def handed_over(docs: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """For each chunk the first chunk that hands over the same span: shape (chunks,), int64.

    `docs` are numbers; `starts` and `ends` float arrays, NaN where a chunk has no offsets; such a chunk is its own.
    """
    order = np.lexsort((np.arange(len(docs)), ends, starts, docs))
    new = np.ones(len(docs), bool)
    for values in (docs, starts, ends):
        ordered = values[order]
        if values is docs:
            new[1:] = False
        new[1:] |= ordered[1:] != ordered[:-1]
    same = np.empty(len(docs), np.int64)
    same[order] = order[new][np.cumsum(new) - 1]
    return same


def significant(scores: np.ndarray, digits: int = 9) -> np.ndarray:
    """Scores rounded to significant digits, so that rounding errors do not decide an order."""
    rounded = np.zeros_like(scores, dtype=np.float64)
    nonzero = scores != 0
    exponent = digits - 1 - np.floor(np.log10(np.abs(scores[nonzero])))
    # Dividing by a power of ten is exact where multiplying by its inverse is not.
    up, down = 10.0 ** np.maximum(exponent, 0), 10.0 ** np.maximum(-exponent, 0)
    rounded[nonzero] = np.round(scores[nonzero] * up / down) * down / up
    return rounded


@dataclass(frozen=True)
class Approximate:
    """Scores of all texts, each off by less than MARGIN, and what gives those of some in float64."""

    scores: np.ndarray
    exact: Callable[[np.ndarray], np.ndarray]


MARGIN = 1e-5


def rank(scores: np.ndarray | Approximate, enough: Callable[[np.ndarray], bool]) -> tuple[np.ndarray, np.ndarray]:
    """Chunks by score, best first, and their scores; ties by chunk; scores of 0 or less are left out.

    Goes as deep as `enough` asks, which is called with ever longer rankings.
    """
    exact = scores.exact if isinstance(scores, Approximate) else None
    rough, margin = (scores.scores, MARGIN) if isinstance(scores, Approximate) else (scores, 0.0)
    candidates = np.flatnonzero(rough > -margin)
    depth = 256
    while True:
        best = _top(candidates, rough[candidates], depth)
        rounded = significant(rough[best] if exact is None else exact(best))
        order = np.lexsort((best, -rounded))
        # The last of a cut ranking may be tied with one left out, or behind it; such are not taken.
        whole = len(best) == len(candidates)
        least = (
            0.0
            if whole
            else max(float(significant(rough[best].min(keepdims=True).astype(np.float64))[0]) + margin, 0.0)
        )
        keep = order[rounded[order] > least]
        if whole or (len(keep) and enough(best[keep])):
            return best[keep], rounded[keep]
        depth *= 2


def _top(candidates: np.ndarray, scores: np.ndarray, depth: int) -> np.ndarray:
    if depth >= len(candidates):
        return candidates
    return candidates[np.argpartition(scores, len(scores) - depth)[len(scores) - depth :]]


def deep_enough(same: np.ndarray, sizes: np.ndarray, hits: int, budget: int) -> Callable[[np.ndarray], bool]:
    """A test for `rank`: whether a ranking hands over `hits` spans and more than `budget`."""

    once = bool((same == np.arange(len(same))).all())

    def test(ranking: np.ndarray) -> bool:
        distinct = ranking if once else np.unique(same[ranking])
        return len(distinct) >= hits and int(sizes[distinct].sum()) > budget

    return test


def close_up(ranking: np.ndarray, same: np.ndarray) -> np.ndarray:
    """What a ranking hands over: each span once, at its best rank, as the first chunk of that span."""
    spans = same[ranking]
    _, first = np.unique(spans, return_index=True)
    return spans[np.sort(first)]
