"""The best that a split could do for a question, whatever the retriever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from .coverage import Evidence
from .tables import CEILINGS, table

EXACT = 12
"""Up to so many chunks every combination is tried."""


def ceilings(found: Iterable[Evidence], sizes: np.ndarray, budgets: Sequence[int]) -> pa.Table:
    """The table of ceilings: the best coverage of each question within each budget.

    `sizes`: of each chunk, in the unit of the budgets.
    """
    return table(
        (
            {"query_id": one.query_id, "budget": budget, "best": best_within(one.shingles, sizes[one.chunks], budget)}
            for one in found
            for budget in budgets
        ),
        CEILINGS,
    )


def best_within(covered: np.ndarray, lengths: np.ndarray, budget: int) -> float:
    """The best coverage of chunks whose lengths add up to `budget` at most; one alone may be longer.

    `covered`: which gold shingles each chunk holds, bool, shape (chunks, shingles). Exact for up to 12
    chunks that hold any, else greedy: the fitting chunk with most new shingles, ties by chunk.
    """
    useful = covered.any(axis=1)
    covered, lengths = covered[useful], lengths[useful]
    if not len(covered):
        return 0.0
    if lengths.sum() <= budget:  # all of them fit
        return float(covered.any(axis=0).mean())
    alone = float(covered.mean(axis=1).max())
    return max(alone, (_every if len(covered) <= EXACT else _greedy)(covered, lengths, budget))


def _every(covered: np.ndarray, lengths: np.ndarray, budget: int) -> float:
    packed = np.packbits(covered, axis=1)
    union = np.zeros((1, packed.shape[1]), np.uint8)
    total = np.zeros(1, np.int64)
    for bits, length in zip(packed, lengths, strict=True):  # each chunk doubles the combinations
        union = np.concatenate([union, union | bits])
        total = np.concatenate([total, total + length])
        fits = total <= budget
        union, total = union[fits], total[fits]
    return float(np.bitwise_count(union).sum(axis=1).max()) / covered.shape[1]


def _greedy(covered: np.ndarray, lengths: np.ndarray, budget: int) -> float:
    union = np.zeros(covered.shape[1], bool)
    room = budget
    while True:
        new = np.where(lengths <= room, (covered & ~union).sum(axis=1), 0)
        best = int(new.argmax())
        if not new[best]:
            return float(union.mean())
        room -= int(lengths[best])
        union |= covered[best]
