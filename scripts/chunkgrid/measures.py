"""Retrieval measures of every question, read off its coverage curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .coverage import COMPLETE
from .ranges import RangeCurves, at_k, at_touching
from .tables import metrics_schema, questions_schema
from .units import CHARACTERS

MRR_DEPTH = 100
BUDGET_DEPTH = 8000

Measures = dict[str, float | None]


def ranking_depth(k: Sequence[int], budgets: Sequence[int], unit: str) -> dict[str, Any]:
    """How deep rankings must go: `hits`, and a `budget` in its `unit`.

    Both have a floor, so that a k or a budget below it changes no ranking.
    """
    return {"hits": max(MRR_DEPTH, *k), "budget": max(BUDGET_DEPTH, *budgets), "unit": unit}


def measure_names(k: Sequence[int], budgets: Sequence[int], unit: str) -> list[str]:
    """The measures of a question, in the order of their columns."""
    at_k = ["recall", "span_recall", "complete", "article_hit", "hit", "ndcg", "retrieved_chars"]
    at_k += ["precision", "iou", "chroma_recall", "chroma_precision", "chroma_iou"]
    at_budget = ["budget_recall", "budget_span_recall", "budget_chars", "over_budget"]
    at_budget += ["budget_tokens"] if unit != CHARACTERS else []
    losses = ["loss_split", "loss_article", "loss_place"]
    names = [f"{name}@{hits}" for hits in k for name in at_k] + [f"mrr@{MRR_DEPTH}"]
    names += ["precision_omega", "chroma_precision_omega", "chroma_recall@-1", "chroma_precision@-1", "chroma_iou@-1"]
    return names + [f"{name}@{budget}" for budget in budgets for name in (*at_budget, *losses)]


def question_measures(
    curve: Mapping[str, Any], best: Mapping[int, float], k: Sequence[int], budgets: Sequence[int]
) -> Measures:
    """All measures of one question in one cell; those on ranges of characters only where there are offsets.

    `curve` is a row of the table of coverage, `best` the ceiling of the question by budget.
    """
    measures: Measures = {}
    for hits in k:
        measures |= _at_k(curve, hits)
    measures[f"mrr@{MRR_DEPTH}"] = _reciprocal(curve["relevant_rank"])
    if curve["united"] is not None:
        measures |= _on_ranges(curve, k)
    for budget in budgets:
        measures |= _at_budget(curve, budget, best[budget])
    return measures


def _on_ranges(curve: Mapping[str, Any], k: Sequence[int]) -> Measures:
    characters, references = curve["characters"], curve["reference_characters"]
    curves = RangeCurves(curve["united"], curve["covered"], curve["missed"])
    measures: Measures = {name: curve[name] for name in ("precision_omega", "chroma_precision_omega")}
    measures |= at_touching(curve["touching"], characters, curves, references)
    for hits in k:
        measures |= at_k(hits, characters, curves, curve["gold_characters"], references)
    return measures


def _at_k(curve: Mapping[str, Any], k: int) -> Measures:
    covered = _after(curve["coverage"], k)
    return {
        f"recall@{k}": covered,
        f"span_recall@{k}": _after(curve["span_coverage"], k),
        f"complete@{k}": float((covered or 0.0) >= COMPLETE),
        f"article_hit@{k}": float((curve["article_rank"] or k + 1) <= k),
        f"hit@{k}": float((curve["relevant_rank"] or k + 1) <= k),
        f"ndcg@{k}": ndcg(curve["gain"], curve["ideal_gain"], k),
        f"retrieved_chars@{k}": _after(curve["characters"], k),
    }


def _at_budget(curve: Mapping[str, Any], budget: int, best: float) -> Measures:
    size = curve["characters"] if curve["size"] is None else curve["size"]
    taken = taken_within(size, budget)
    covered = _after(curve["coverage"], taken) or 0.0
    ceiling = max(best, covered)
    in_article = curve["article_rank"] is not None and curve["article_rank"] <= taken
    handed = _after(size, taken) or 0.0
    measures: Measures = {
        f"budget_recall@{budget}": covered,
        f"budget_span_recall@{budget}": _after(curve["span_coverage"], taken),
        f"budget_chars@{budget}": _after(curve["characters"], taken),
        f"over_budget@{budget}": float(handed > budget),
        f"loss_split@{budget}": 1 - ceiling,
        f"loss_article@{budget}": 0.0 if in_article else ceiling,
        f"loss_place@{budget}": ceiling - covered if in_article else 0.0,
    }
    return measures if curve["size"] is None else measures | {f"budget_tokens@{budget}": handed}


def taken_within(size: Sequence[int], budget: int) -> int:
    """How many hits are handed over: those whose sizes add up to `budget` at most, the first always.

    `size`: of what is handed over after 1, 2, 3 ... hits.
    """
    return max(int(np.searchsorted(size, budget, side="right")), min(1, len(size)))


def ndcg(gain: Sequence[float], ideal: Sequence[float], k: int) -> float:
    """Normalised discounted cumulative gain with log2 discount (Jarvelin and Kekalainen 2002)."""
    best = _discounted(ideal[:k])
    return _discounted(gain[:k]) / best if best > 0 else 0.0


def _discounted(gain: Sequence[float]) -> float:
    return float(np.sum(np.asarray(gain, float) / np.log2(np.arange(2, len(gain) + 2))))


def _reciprocal(rank: int | None) -> float:
    return 1 / rank if rank and rank <= MRR_DEPTH else 0.0


def _after(curve: Sequence[float] | None, hits: int) -> float | None:
    """A cumulative curve after so many hits, or after all where there are fewer; null without offsets."""
    if curve is None:
        return None
    return float(curve[min(hits, len(curve)) - 1]) if len(curve) and hits else 0.0


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
    about = {row["query_id"]: row for row in queries.select(["query_id", "doc_id", "questions_from"]).to_pylist()}
    schema = questions_schema(names)
    parts = [schema.empty_table()]
    best_of = {split: _best(table) for split, table in ceilings.items()}
    for (split, retriever), table in coverage:
        rows = [
            {
                "split": split,
                "retriever": retriever,
                **about[curve["query_id"]],
                "answered": bool(curve["characters"]),
                **question_measures(curve, best_of[split][curve["query_id"]], k, budgets),
            }
            for curve in table.to_pylist()
        ]
        parts.append(pa.Table.from_pylist(rows, schema=schema))
    return pa.concat_tables(parts)


def _best(ceilings: pa.Table) -> dict[str, dict[int, float]]:
    best: dict[str, dict[int, float]] = {}
    for row in ceilings.to_pylist():
        best.setdefault(row["query_id"], {})[row["budget"]] = row["best"]
    return best


def metric_table(
    questions: pa.Table,
    splits: Mapping[str, Mapping[str, Any]],
    k: Sequence[int],
    budgets: Sequence[int],
    unit: str,
) -> pa.Table:
    """Means and standard errors of every cell, beside the measures of its split, cells in grid order."""
    names = measure_names(k, budgets, unit)
    origin = questions["questions_from"][0].as_py() if len(questions) else None
    rows = []
    for (split, retriever), values in by_cell(questions, ["answered", *names]).items():
        row: dict[str, Any] = {"split": split, "retriever": retriever, "questions_from": origin}
        row |= {"questions": len(values), "answered": int(values[:, 0].sum())}
        for number, name in enumerate(names, 1):
            row[name], row[f"{name}_se"] = mean_and_error(values[:, number])
        rows.append({**row, **splits[split]})
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
