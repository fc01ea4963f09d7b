"""Scores to rankings, and rankings to what is handed over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .handed import Handed

_POWERS = np.array([float(f"1e{exponent}") for exponent in range(309)])
_DEPTH = 256
"""About how many are ranked at first."""
_SAMPLED = 8
"""One of so many scores is looked at to guess what the best reach."""


def significant(scores: np.ndarray, digits: int = 9) -> np.ndarray:
    """Scores rounded to significant digits, so that rounding errors do not decide an order.

    Those under 1e-290 are left as they are.
    """
    rounded = scores.astype(np.float64)
    some = np.abs(rounded) > 1e-290
    exponent = digits - 1 - np.floor(np.log10(np.abs(rounded[some]))).astype(np.int64)
    # Dividing by a power of ten is exact where multiplying by its inverse is not.
    up, down = (_POWERS[np.maximum(power, 0)] for power in (exponent, -exponent))
    rounded[some] = np.round(rounded[some] * up / down) * down / up
    return rounded


@dataclass(frozen=True)
class Approximate:
    """Scores of all texts, each off by less than MARGIN, and what gives those of some in float64."""

    scores: np.ndarray
    exact: Callable[[np.ndarray], np.ndarray]


MARGIN = 1e-5


def rank(scores: np.ndarray | Approximate, needed: Callable[[np.ndarray], int | None]) -> tuple[np.ndarray, np.ndarray]:
    """Chunks by score, best first, and their scores; ties by chunk; scores of 0 or less are left out.

    As many as are `needed`, which is called with ever longer rankings until it says how many; all where it never does.
    """
    exact = scores.exact if isinstance(scores, Approximate) else None
    rough, margin = (scores.scores, MARGIN) if isinstance(scores, Approximate) else (scores, 0.0)
    depth = _DEPTH
    while True:
        bound = max(_reached(rough, depth), -margin)
        whole = bound == -margin
        best = np.flatnonzero(rough > bound)
        rounded = significant(rough[best] if exact is None else exact(best))
        order = np.lexsort((best, -rounded))
        # What is left out may be tied with the last, or better by as much as scores are off; such are not taken.
        least = 0.0 if whole else max(float(significant(np.array([bound + margin]))[0]), 0.0)
        keep = order[rounded[order] > least]
        count = needed(best[keep]) if len(keep) else None
        if whole or count is not None:
            return best[keep[:count]], rounded[keep[:count]]
        depth *= 2


def _reached(scores: np.ndarray, depth: int) -> float:
    """A score that about `depth` of them reach; below all where there are hardly more."""
    sample = scores[::_SAMPLED]
    place = len(sample) - depth // _SAMPLED
    return float(np.partition(sample, place)[place]) if place > 0 else -np.inf


def needed(handed: Handed, budget: int, hits: int, searched: np.ndarray, ranking: np.ndarray) -> int | None:
    """How many of a ranking it takes to hand over `hits` spans and more than `budget`; None where it does not.

    A ranking is of places among the chunks that are `searched`.
    """
    given = handed.hand_over(searched[ranking])
    count = max(hits, int(np.searchsorted(np.cumsum(given.sizes), budget, side="right")) + 1)
    return int(given.places[count - 1]) + 1 if count <= len(given.places) else None
