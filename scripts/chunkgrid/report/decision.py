"""Which cell to take, how sure that is, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..comparison import Cell, best_cell, tied

Row = Mapping[str, Any]
HARDLY = 1.05
"""Times the fewest indexed characters up to which a cell is as cheap."""
SELDOM = 0.05
"""Share of questions whose first hit alone is over the budget up to which a cell keeps to it."""
NEAREST = 10
"""Cells whose comparisons with the best say what a set like this can show."""
LEVEL, POWER = 1.959964, 0.841621
"""Quantiles of the standard normal: a 95 % interval, and a difference that is shown in 80 % of such sets."""


@dataclass(frozen=True)
class Decision:
    """What the figures say at the first budget.

    best: of highest mean; recommended: of the cells not distinguishable from it, the best of those that index hardly
    more characters than the one with the fewest, and keep to the budget; tied: these cells but for the best, by mean;
    against: the rows of intervals of the recommended cell against the best, or where it is the best itself, of the next
    cell against it; smallest: the difference that a set like this shows in 80 % of all tries; questions: how many
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


def decide(metrics: Sequence[Row], intervals: Sequence[Row], budget: int) -> Decision:
    """The decision by recall within a budget. Rows are those of metrics.parquet and intervals.parquet."""
    measure, over = f"budget_recall@{budget}", f"over_budget@{budget}"
    of = {(row["split"], row["retriever"]): row for row in metrics}
    best = best_cell(metrics, measure)
    of_best = [
        row for row in intervals if row["measure"] == measure and (row["other_split"], row["other_retriever"]) == best
    ]
    ranked = sorted(of, key=lambda cell: (-of[cell][measure], cell))
    same = tied(of_best, best, measure) if any(row["shown"] is not None for row in of_best) else set()
    able = [cell for cell in ranked if cell in same or cell == best]
    keeping = [cell for cell in able if of[cell][over] <= SELDOM] or [best]
    fewest = min(of[cell]["index_chars"] for cell in keeping)
    recommended = next(cell for cell in keeping if of[cell]["index_chars"] <= HARDLY * fewest)
    rival = recommended if recommended != best else next((cell for cell in ranked if cell != best), best)
    known = [row for row in of_best if row["shown"] is not None]
    against = [row for row in known if (row["split"], row["retriever"]) == rival]
    tied_cells = [cell for cell in able if cell != best]
    return Decision(best, recommended, tied_cells, against, _smallest(known, ranked), metrics[0]["questions"])


def _smallest(rows: Sequence[Row], ranked: Sequence[Cell]) -> float | None:
    """By the median error of the comparisons of the best with the next ones, by question or article as is larger."""
    errors: dict[Cell, float] = {}
    for row in rows:
        cell = row["split"], row["retriever"]
        errors[cell] = max(errors.get(cell, 0.0), (row["high"] - row["low"]) / 2 / LEVEL)
    nearest = [errors[cell] for cell in ranked if cell in errors][:NEAREST]
    return float(np.median(nearest)) * (LEVEL + POWER) if nearest else None


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
