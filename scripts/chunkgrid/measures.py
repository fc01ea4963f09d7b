"""Retrieval measures of every question, read off its coverage curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .coverage import COMPLETE
from .naming import MRR_DEPTH, ON_RANGES, measure_names
from .ranges import at_k
from .tables import metrics_schema, questions_schema


def question_table(
    queries: pa.Table,
    coverage: Iterable[tuple[tuple[str, str], pa.Table]],
    ceilings: Mapping[str, pa.Table],
    k: Sequence[int],
    budgets: Sequence[int],
    unit: str,
) -> pa.Table:
    """Every measure of every question in every cell.

    `coverage` yields ((split, retriever), table of coverage), `ceilings` has the table of each split.
    """
    names = measure_names(k, budgets, unit)
    schema = questions_schema(names)
    about = queries.select(["query_id", "doc_id", "questions_from"])
    parts = [schema.empty_table()]
    for (split, retriever), table in coverage:
        found = measures(table, ceilings[split], k, budgets)
        own = about.take(pc.index_in(table["query_id"], about["query_id"]))
        columns = {name: own[name] for name in own.column_names}
        columns |= {"split": _repeated(split, table), "retriever": _repeated(retriever, table)}
        columns |= {name: pa.array(found[name], pa.float64(), from_pandas=True) for name in names}
        columns["answered"] = pc.greater(pc.list_value_length(table["characters"]), 0)
        parts.append(pa.table({name: columns[name] for name in schema.names}, schema=schema))
    return pa.concat_tables(parts)


def _repeated(value: str, table: pa.Table) -> pa.Array:
    return pa.array([value] * len(table))


def measures(coverage: pa.Table, ceilings: pa.Table, k: Sequence[int], budgets: Sequence[int]) -> dict[str, np.ndarray]:
    """All measures of the questions of one cell, arrays of shape (questions,); NaN where there are no offsets.

    `coverage` and `ceilings` are the tables of the cell and of its split.
    """
    curves = _Curves(coverage)
    found: dict[str, np.ndarray] = {}
    for hits in k:
        found |= _at_k(curves, hits)
    relevant = curves.ranks("relevant_rank", MRR_DEPTH)
    found[f"mrr@{MRR_DEPTH}"] = np.where(relevant <= MRR_DEPTH, 1 / relevant, 0.0)
    found |= _on_ranges(curves, k)
    best = {(row["query_id"], row["budget"]): row["best"] for row in ceilings.to_pylist()}
    for budget in budgets:
        of_split = np.array([best[query, budget] for query in coverage["query_id"].to_pylist()])
        found |= _at_budget(curves, budget, of_split)
    return found


class _Curves:
    """The table of coverage as arrays: curves one after another, and where each begins."""

    def __init__(self, coverage: pa.Table) -> None:
        self._table = coverage.combine_chunks()
        offsets = self._offsets("characters")
        self.bounds = offsets
        self.hits = np.diff(offsets)
        self._read: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._table)

    def _array(self, name: str) -> pa.Array:
        column = self._table[name]
        return column.chunk(0) if column.num_chunks else pa.array([], column.type)

    def _offsets(self, name: str) -> np.ndarray:
        return self._array(name).offsets.to_numpy().astype(np.int64)

    def has(self, name: str) -> bool:
        return len(self) > 0 and self._array(name).null_count == 0

    def column(self, name: str) -> np.ndarray:
        """A column of numbers, NaN where one is null."""
        return self._array(name).to_numpy(zero_copy_only=False).astype(np.float64)

    def ranks(self, name: str, beyond: int) -> np.ndarray:
        """A column of ranks, that of none being beyond any that is looked at."""
        return np.nan_to_num(self.column(name), nan=beyond + 1)

    def values(self, name: str) -> np.ndarray:
        """All values of a curve, question after question."""
        if name not in self._read:
            array = self._array(name)
            values = array.values.to_numpy(zero_copy_only=False)
            self._read[name] = values[int(array.offsets[0].as_py()) :] if len(self) else values
        return self._read[name]

    def firsts(self, name: str, k: int) -> np.ndarray:
        """The first k values of lists, 0 where there are fewer: shape (questions, k)."""
        offsets, values = self._offsets(name), self.values(name)
        k = min(k, int(np.diff(offsets).max(initial=0)))
        place = offsets[:-1, None] - offsets[0] + np.arange(k)
        there = place < (offsets[1:] - offsets[0])[:, None]
        padded = np.append(values, 0.0)
        return np.where(there, padded[np.where(there, place, len(values))], 0.0)

    def taken_within(self, size: str, budget: int) -> np.ndarray:
        """How many hits are handed over: those whose sizes add up to `budget` at most, the first always."""
        fits = np.concatenate([[0], np.cumsum(self.values(size) <= budget)])
        begin = self.bounds - self.bounds[0]
        return np.maximum(fits[begin[1:]] - fits[begin[:-1]], np.minimum(1, self.hits))

    def after(self, name: str, hits: int | np.ndarray, before: float | np.ndarray = 0.0) -> np.ndarray:
        """A cumulative curve after so many hits, or after all where there are fewer; `before` the first."""
        taken = np.minimum(hits, self.hits)
        last = np.maximum(self.bounds[:-1] - self.bounds[0] + taken - 1, 0)
        values = self.values(name)
        reached = values[np.minimum(last, max(len(values) - 1, 0))] if len(values) else np.zeros(len(self))
        return np.where(taken > 0, reached, before).astype(np.float64)


def _at_k(curves: _Curves, k: int) -> dict[str, np.ndarray]:
    covered = curves.after("coverage", k)
    nothing = np.full(len(curves), np.nan)
    return {
        f"recall@{k}": covered,
        f"span_recall@{k}": curves.after("span_coverage", k) if curves.has("span_coverage") else nothing,
        f"complete@{k}": (covered >= COMPLETE).astype(float),
        f"article_hit@{k}": (curves.ranks("article_rank", k) <= k).astype(float),
        f"hit@{k}": (curves.ranks("relevant_rank", k) <= k).astype(float),
        f"ndcg@{k}": _ndcg(curves, k),
        f"retrieved_chars@{k}": curves.after("characters", k),
    }


def _ndcg(curves: _Curves, k: int) -> np.ndarray:
    """Normalised discounted cumulative gain with log2 discount (Jarvelin and Kekalainen 2002); 0 if none can be."""
    reached, best = (_discounted(curves.firsts(name, k)) for name in ("gain", "ideal_gain"))
    return np.divide(reached, best, out=np.zeros_like(best), where=best > 0)


def _discounted(gain: np.ndarray) -> np.ndarray:
    # One after the other, so that a sum does not hang on how many zeros follow.
    return np.cumsum(np.pad(gain / np.log2(np.arange(2, gain.shape[1] + 2)), ((0, 0), (1, 0))), axis=1)[:, -1]


def _on_ranges(curves: _Curves, k: Sequence[int]) -> dict[str, np.ndarray]:
    """Precision, IoU and Chroma's measures; at -1, as many hits as chunks touch the gold."""
    names = ["precision_omega", "chroma_precision_omega"]
    depths: dict[str, int | np.ndarray] = {str(hits): hits for hits in k}
    if not curves.has("united"):
        names += [f"{name}@{hits}" for hits in (*depths, "-1") for name in ON_RANGES]
        return {name: np.full(len(curves), np.nan) for name in names}
    found = {name: curves.column(name) for name in names}
    depths["-1"] = curves.column("touching").astype(np.int64)
    gold, references = curves.column("gold_characters"), curves.column("reference_characters")
    for name, hits in depths.items():
        retrieved, united, covered = (curves.after(curve, hits) for curve in ("characters", "united", "covered"))
        missed = curves.after("missed", hits, before=references)
        found |= at_k(name, retrieved, united, covered, missed, gold, references)
    return found


def _at_budget(curves: _Curves, budget: int, best: np.ndarray) -> dict[str, np.ndarray]:
    size = "size" if curves.has("size") else "characters"
    taken = curves.taken_within(size, budget)
    covered = curves.after("coverage", taken)
    ceiling = np.maximum(best, covered)
    in_article = curves.ranks("article_rank", 1 << 40) <= taken
    handed = curves.after(size, taken)
    spans = curves.after("span_coverage", taken) if curves.has("span_coverage") else np.full(len(curves), np.nan)
    return {
        f"budget_recall@{budget}": covered,
        f"budget_span_recall@{budget}": spans,
        f"budget_chars@{budget}": curves.after("characters", taken),
        f"over_budget@{budget}": (handed > budget).astype(float),
        f"budget_tokens@{budget}": handed,
        f"loss_split@{budget}": 1 - ceiling,
        f"loss_article@{budget}": np.where(in_article, 0.0, ceiling),
        f"loss_place@{budget}": np.where(in_article, ceiling - covered, 0.0),
    }


class Curve(NamedTuple):
    """Of one cell: mean coverage within each budget, the share of questions handed over more, mean coverage after k."""

    within: list[float]
    over: list[float]
    after: list[float]


def recall_curve(coverage: pa.Table, budgets: Sequence[int], k: Sequence[int]) -> Curve:
    """Read off the table of coverage of one cell; a budget counts the unit's size, the first hit always taken."""
    curves = _Curves(coverage)
    size = "size" if curves.has("size") else "characters"
    taken = [curves.taken_within(size, budget) for budget in budgets]
    return Curve(
        [float(curves.after("coverage", hits).mean()) for hits in taken],
        [float((curves.after(size, hits) > budget).mean()) for hits, budget in zip(taken, budgets, strict=True)],
        [float(curves.after("coverage", hits).mean()) for hits in k],
    )


def metric_table(
    questions: pa.Table,
    splits: Mapping[str, Mapping[str, Any]],
    costs: Mapping[tuple[str, str], Mapping[str, Any]],
    k: Sequence[int],
    budgets: Sequence[int],
    unit: str,
) -> pa.Table:
    """Means and standard errors of every cell, beside the measures of its split and its costs, cells in grid order."""
    names = measure_names(k, budgets, unit)
    origin = questions["questions_from"][0].as_py() if len(questions) else None
    rows = []
    for (split, retriever), values in by_cell(questions, ["answered", *names]).items():
        row: dict[str, Any] = {"split": split, "retriever": retriever, "questions_from": origin}
        row |= {"questions": len(values), "answered": int(values[:, 0].sum())}
        for number, name in enumerate(names, 1):
            row[name], row[f"{name}_se"] = mean_and_error(values[:, number])
        rows.append({**row, **splits[split], **costs[split, retriever]})
    return pa.Table.from_pylist(rows, schema=metrics_schema(names))


def by_cell(questions: pa.Table, names: Sequence[str]) -> dict[tuple[str, str], np.ndarray]:
    """Measures of every (split, retriever), shape (questions, measures), sorted by query_id; NaN for null."""
    cells: dict[tuple[str, str], list[int]] = {}
    keys = (questions[name].to_pylist() for name in ("split", "retriever"))
    for row, cell in enumerate(zip(*keys, strict=True)):
        cells.setdefault(cell, []).append(row)
    ids = np.array(questions["query_id"].to_pylist())
    matrix = np.stack([questions[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in names], axis=1)
    return {cell: matrix[np.array(rows)[np.argsort(ids[rows])]] for cell, rows in cells.items()}


def mean_and_error(values: np.ndarray) -> tuple[float | None, float | None]:
    """The mean and its standard error s/sqrt(n) (ddof 1), which is null at n = 1; null where a value is."""
    if not len(values) or np.isnan(values).any():
        return None, None
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
