"""Which cell to take, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..comparison import Cell, best_cell, tied

Row = Mapping[str, Any]
LEVEL, POWER = 1.959964, 0.841621
"""Quantiles of the standard normal: a 95 % interval, and a difference that is shown in 80 % of such sets."""


@dataclass(frozen=True)
class Decision:
    """What the figures say at the first budget.

    best: of highest mean; recommended: of the cells not distinguishable from it the one with the fewest indexed
    characters; tied: these cells but for the best, by mean; against: the rows of intervals of the recommended cell
    against the best, or where it is the best itself, of the next cell against it; smallest: the difference that a set
    like this shows in 80 % of all tries; questions: how many are asked
    """

    best: Cell
    recommended: Cell
    tied: list[Cell]
    against: list[Row]
    smallest: float | None
    questions: int

    def needed(self, difference: float) -> int | None:
        """How many such questions would show a difference in 80 % of all tries: the error falls with their root."""
        if self.smallest is None:
            return None
        return int(np.ceil(self.questions * (self.smallest / difference) ** 2))


def decide(metrics: Sequence[Row], intervals: Sequence[Row], measure: str) -> Decision:
    """The decision by a measure. Rows are those of metrics.parquet and intervals.parquet."""
    of = {(row["split"], row["retriever"]): row for row in metrics}
    best = best_cell(metrics, measure)
    of_best = [
        row
        for row in intervals
        if row["measure"] == measure
        and (row["other_split"], row["other_retriever"]) == best
        and row["shown"] is not None
    ]
    same = sorted(tied(of_best, best, measure), key=lambda cell: (-of[cell][measure], cell))
    recommended = min([best, *same], key=lambda cell: (of[cell]["index_chars"], -of[cell][measure], cell))
    ranked = sorted(of, key=lambda cell: (-of[cell][measure], cell))
    rival = recommended if recommended != best else next((cell for cell in ranked if cell != best), best)
    against = [row for row in of_best if (row["split"], row["retriever"]) == rival]
    return Decision(best, recommended, same, against, _smallest(of_best), metrics[0]["questions"])


def _smallest(rows: Sequence[Row]) -> float | None:
    """By the median error of the comparisons with the best, of each the larger by question and by article."""
    errors: dict[Cell, float] = {}
    for row in rows:
        cell = row["split"], row["retriever"]
        errors[cell] = max(errors.get(cell, 0.0), (row["high"] - row["low"]) / 2 / LEVEL)
    return float(np.median(list(errors.values()))) * (LEVEL + POWER) if errors else None


def best_of_each(cells: Sequence[Cell], values: Sequence[float | None], of: Sequence[str]) -> dict[str, Cell]:
    """For each name in `of`, one a cell, the cell of the highest value; of equal ones the first by name."""
    found: dict[str, tuple[float, Cell]] = {}
    for cell, value, name in zip(cells, values, of, strict=True):
        mine = (-(value or 0.0), cell)
        found[name] = min(found.get(name, mine), mine)
    return {name: cell for name, (_, cell) in found.items()}


def frontier(costs: Sequence[float], values: Sequence[float]) -> list[int]:
    """Which points no other is at once cheaper and better than, or equal in one and better in the other; by cost."""
    order = sorted(range(len(costs)), key=lambda n: (costs[n], -values[n]))
    found: list[int] = []
    for n in order:
        if not found or values[n] > values[found[-1]]:
            found.append(n)
    return found
