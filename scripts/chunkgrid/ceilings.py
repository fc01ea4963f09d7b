"""The best that a split could do for a question, whatever the retriever."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from .evidence import Evidence
from .tables import CEILINGS

EXACT = 12
"""Up to so many chunks every combination is tried."""


def ceilings(found: Evidence, sizes: np.ndarray, budgets: Sequence[int]) -> pa.Table:
    """The table of ceilings: the best coverage of each question within each budget.

    `sizes`: of each chunk, in the unit of the budgets.
    """
    questions = len(found.query_ids)
    together = np.bincount(found.question, sizes[found.chunk], minlength=questions)
    share = found.union() / found.shingles
    best = np.repeat(share[:, None], len(budgets), axis=1)
    for question, budget in np.argwhere(together[:, None] > np.array(budgets)):  # else all of them fit
        chunks, covered = found.held(question)
        best[question, budget] = best_within(covered, sizes[chunks], budgets[budget])
    columns = {
        "query_id": np.repeat(np.array(found.query_ids, dtype=object), len(budgets)),
        "budget": np.tile(np.array(budgets, np.int64), questions),
        "best": best.ravel(),
    }
    return pa.table(columns, schema=CEILINGS)


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
