"""What a report is of: the figures of all cells, and what can be looked at question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..comparison import Cell
from ..measures import Curve
from .decision import Decision, Row, best_of_each, decide
from .details import chosen

BUDGETS = tuple(range(500, 8001, 500))
"""Where the curves of recall within a budget are read off, beside the budgets of the config."""
HITS = tuple(range(1, 21))
"""Where those of recall after so many hits are."""


@dataclass(frozen=True)
class Measured:
    """What a report is of.

    curves: of each cell, at `grid` and at HITS; coverage: share of each answer within the budget, of
    each cell, questions in the order of `questions`; notes: what of the reading a person should know
    """

    metrics: Sequence[Row]
    intervals: Sequence[Row]
    curves: Mapping[Cell, Curve]
    coverage: Mapping[Cell, Sequence[float]]
    questions: Sequence[str]
    articles: int
    asked_of: int
    characters: int
    notes: Sequence[str]
    baseline: str
    k: int
    budgets: Sequence[int]
    unit: str

    @property
    def budget(self) -> int:
        """The one that decides."""
        return self.budgets[0]

    @property
    def grid(self) -> list[int]:
        """The budgets that curves are read off at."""
        return sorted({*BUDGETS, *self.budgets})

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return f"budget_recall@{self.budget}"

    @property
    def cells(self) -> list[Cell]:
        """In the order of the grid."""
        return [(row["split"], row["retriever"]) for row in self.metrics]

    @cached_property
    def decision(self) -> Decision:
        """By that measure."""
        return decide(self.metrics, self.intervals, self.budget)

    def detailed(self, wanted: Sequence[str]) -> list[Cell]:
        """The cells whose questions are shown: those of `wanted`, as split/retriever, else the default ones."""
        if wanted:
            return [cell for cell in self.cells if "/".join(cell) in wanted]
        decision = self.decision
        values = [row[self.measure] for row in self.metrics]
        of_retriever = best_of_each(self.cells, values, [retriever for _, retriever in self.cells]).values()
        return chosen(self.cells, decision.best, decision.recommended, self.baseline, of_retriever)


@dataclass(frozen=True)
class Detailed:
    """What can be looked at question by question.

    cells: which; asked: the questions in the order shown, each with its answer and `cells`, a row each; asked_in_all;
    cut: the blocks that each split cuts, None where it keeps no offsets; most: of each kind
    """

    cells: Sequence[Cell]
    asked: Sequence[Mapping[str, Any]]
    asked_in_all: int
    cut: Mapping[str, Sequence[Mapping[str, Any]] | None]
    most: int
