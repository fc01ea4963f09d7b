"""Scores to rankings, and rankings to what is handed over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def handed_over(doc_ids: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """For each chunk the first chunk that hands over the same span: shape (chunks,), int64.

    `starts` and `ends` are float arrays, NaN where a chunk has no offsets; such a chunk is its own.
    """
    first: dict[tuple[str, float, float], int] = {}
    same = np.arange(len(doc_ids))
    for number, (doc_id, start, end) in enumerate(zip(doc_ids, starts, ends, strict=True)):
        if start == start:
            same[number] = first.setdefault((doc_id, start, end), number)
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


def rank(scores: np.ndarray, enough: Callable[[np.ndarray], bool]) -> tuple[np.ndarray, np.ndarray]:
    """Chunks by score, best first, and their scores; ties by chunk; scores of 0 or less are left out.

    Goes as deep as `enough` asks, which is called with ever longer rankings.
    """
    candidates = np.flatnonzero(scores > 0)
    depth = 256
    while True:
        best = _top(candidates, scores[candidates], depth)
        rounded = significant(scores[best])
        order = np.lexsort((best, -rounded))
        # The last of a cut ranking may be tied with one left out; such ties are not taken.
        keep = order if len(best) == len(candidates) else order[rounded[order] > rounded.min()]
        if len(best) == len(candidates) or (len(keep) and enough(best[keep])):
            return best[keep], rounded[keep]
        depth *= 2


def _top(candidates: np.ndarray, scores: np.ndarray, depth: int) -> np.ndarray:
    if depth >= len(candidates):
        return candidates
    return candidates[np.argpartition(-scores, depth)[:depth]]


def deep_enough(same: np.ndarray, sizes: np.ndarray, hits: int, budget: int) -> Callable[[np.ndarray], bool]:
    """A test for `rank`: whether a ranking hands over `hits` spans and more than `budget`."""

    def test(ranking: np.ndarray) -> bool:
        distinct = np.unique(same[ranking])
        return len(distinct) >= hits and int(sizes[distinct].sum()) > budget

    return test


def close_up(ranking: np.ndarray, same: np.ndarray) -> np.ndarray:
    """What a ranking hands over: each span once, at its best rank, as the first chunk of that span."""
    spans = same[ranking]
    _, first = np.unique(spans, return_index=True)
    return spans[np.sort(first)]
