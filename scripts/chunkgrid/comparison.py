"""Cells against cells: which is best, and which differences are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .bootstrap import by_article, by_question, interval, simultaneous
from .measures import by_cell
from .tables import INTERVALS, table

Cell = tuple[str, str]
"""Split and retriever."""

Pair = tuple[Cell, Cell]


def best_cell(metrics: Sequence[Mapping[str, Any]], measure: str) -> Cell:
    """The cell of highest mean; of equal ones the first by name. Rows are those of the metrics table."""
    best = min(metrics, key=lambda row: (-row[measure], row["split"], row["retriever"]))
    return best["split"], best["retriever"]


def pairs(cells: Sequence[Cell], baseline: str, best: Cell, configured: Sequence[Sequence[str]]) -> list[Pair]:
    """Every cell against the baseline split under its retriever, and against the best; then those named.

    A configured pair names two splits (compared under every retriever) or two cells (`split/retriever`). A
    retriever that goes with one split alone has no other cell to be compared with under it.
    """
    wanted: list[Pair] = [((split, r), (baseline, r)) for split, r in cells]
    wanted += [(cell, best) for cell in cells]
    cell_of = {f"{split}/{retriever}": (split, retriever) for split, retriever in cells}
    for one, other in configured:
        if one in cell_of:
            wanted.append((cell_of[one], cell_of[other]))
        else:
            wanted += [((one, r), (other, r)) for r in dict.fromkeys(retriever for _, retriever in cells)]
    there = set(cells)
    return [pair for pair in dict.fromkeys(wanted) if pair[0] != pair[1] and there.issuperset(pair)]


def intervals(
    questions: pa.Table, compared: Sequence[Pair], measures: Sequence[str], resamples: int, seed: int
) -> pa.Table:
    """The table of intervals: each measure of each pair, by question and by article.

    All comparisons of one measure with one other cell are a family for `low_all` and `high_all`.
    """
    return table(_rows(questions, compared, measures, resamples, seed), INTERVALS)


def _rows(
    questions: pa.Table, compared: Sequence[Pair], measures: Sequence[str], resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    if not compared:
        return
    values = by_cell(questions, measures)
    articles = _articles(questions)
    origin = questions["questions_from"][0].as_py()
    columns = [(pair, number) for pair in compared for number in range(len(measures))]
    differences = np.stack([values[one][:, n] - values[other][:, n] for (one, other), n in columns], axis=1)
    means = differences.mean(axis=0)
    families = np.unique([f"{n} {'/'.join(other)}" for (_, other), n in columns], return_inverse=True)[1]
    bounds = {
        name: (*interval(resampled), *simultaneous(resampled, means, families))
        for name, resampled in (
            ("query", by_question(differences, resamples, seed)),
            ("article", by_article(differences, articles, resamples, seed)),
        )
    }
    for column, ((one, other), number) in enumerate(columns):
        for resample, of_all in bounds.items():
            low, high, low_all, high_all = (bound[column] for bound in of_all)
            yield {
                "measure": measures[number],
                "split": one[0],
                "retriever": one[1],
                "other_split": other[0],
                "other_retriever": other[1],
                "difference": _number(means[column]),
                "low": _number(low),
                "high": _number(high),
                "resample": resample,
                "shown": _shown(low, high),
                "low_all": _number(low_all),
                "high_all": _number(high_all),
                "questions_from": origin,
            }


def _articles(questions: pa.Table) -> list[str]:
    """The article of each question, questions sorted by id."""
    rows = zip(questions["query_id"].to_pylist(), questions["doc_id"].to_pylist(), strict=True)
    return [doc_id for _, doc_id in sorted(set(rows))]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(low: float, high: float) -> bool | None:
    return None if np.isnan(low) or np.isnan(high) else bool(low > 0 or high < 0)


def tied(intervals_rows: Sequence[Mapping[str, Any]], best: Cell, measure: str) -> set[Cell]:
    """Cells that no difference from the best is shown for: not both of their intervals exclude 0."""
    shown: dict[Cell, list[bool]] = {}
    for row in intervals_rows:
        if row["measure"] == measure and (row["other_split"], row["other_retriever"]) == best:
            shown.setdefault((row["split"], row["retriever"]), []).append(bool(row["shown"]))
    return {cell for cell, both in shown.items() if not all(both)}
