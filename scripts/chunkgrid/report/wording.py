"""The figures of a report in words: the decision, the table of all cells, what stands under pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..comparison import Cell
from ..naming import CHARACTERS
from . import pictures
from .decision import SELDOM, Decision, Row, best_of_each
from .model import Detailed, Measured

Say = Callable[..., str]
OTHERS = (500, 1000, 2000, 4000, 8000)
"""Budgets whose best cell is named."""
RUNNERS = 5


def told(measured: Measured, say: Say) -> dict[str, Any]:
    """The decision in words and figures."""
    decision = measured.decision
    of = {(row["split"], row["retriever"]): row for row in measured.metrics}
    recommended, best = of[decision.recommended], of[decision.best]
    against = None
    if decision.against:
        row = decision.against[0]
        against = {
            "one": pictures.label((row["split"], row["retriever"])),
            "other": pictures.label(decision.best),
            "difference": points(row["difference"]),
            "rows": [
                {name: points(row[name]) for name in ("low", "high", "low_all", "high_all")}
                | {"resample": row["resample"], "shown": row["shown"]}
                for row in decision.against
            ],
        }
    same = {decision.best: "best_choice", decision.recommended: "same_choice"}
    by_budget = []
    for budget in sorted({*OTHERS, *measured.budgets} - {measured.budget}):
        place = measured.grid.index(budget)
        # One that hands over more than the budget is not the best within it, whatever it reaches.
        keeping = {cell: curve.within[place] for cell, curve in measured.curves.items() if curve.over[place] <= SELDOM}
        recall = keeping or {cell: curve.within[place] for cell, curve in measured.curves.items()}
        top = min(recall, key=lambda cell: (-recall[cell], cell))
        by_budget.append(
            {"budget": f"{budget:,}", "cell": pictures.label(top), "recall": percent(recall[top])}
            | {"same": same.get(top, "")}
        )
    values = [row[measured.measure] for row in measured.metrics]
    by_retriever = best_of_each(measured.cells, values, [retriever for _, retriever in measured.cells]).values()
    needed = [(point, decision.needed(point / 100)) for point in (1, 2)]
    return {
        "nothing": not best[measured.measure],
        "recommended": pictures.label(decision.recommended),
        "is_best": decision.recommended == decision.best,
        "best": pictures.label(decision.best),
        "recall": percent(recommended[measured.measure]),
        "best_recall": percent(best[measured.measure]),
        "saved": percent(1 - recommended["index_chars"] / max(best["index_chars"], 1)),
        "against": against,
        "few_articles": measured.asked_of if measured.asked_of < 10 else 0,
        "runners": [
            {"cell": pictures.label(cell), "recall": percent(of[cell][measured.measure])}
            | {
                "index": say("indexes", ratio=f"{of[cell]['index_ratio'] or 0:.2f}")
                + (say("with_vectors", count=f"{of[cell]['vectors']:,}") if of[cell]["vectors"] else ""),
                "taken": cell == decision.recommended,
            }
            for cell in decision.tied[:RUNNERS]
        ],
        "more": max(len(decision.tied) - RUNNERS, 0),
        "lowest": points(min((row["low"] for row in decision.against), default=None)),
        "over": percent(recommended[f"over_budget@{measured.budget}"])
        if recommended[f"over_budget@{measured.budget}"] > SELDOM
        else "",
        "costs": _costs(decision, of, measured, say),
        "by_budget": by_budget,
        "by_retriever": [
            {"cell": pictures.label(cell), "recall": percent(of[cell][measured.measure])}
            for cell in by_retriever
            if cell[1] != decision.recommended[1]
        ],
        "smallest": f"{100 * decision.smallest:.1f}" if decision.smallest else None,
        "needed": [
            {"points": f"{point}.0", "count": f"{float(f'{count:.2g}'):,.0f}"} for point, count in needed if count
        ],
        "questions": f"{decision.questions:,}",
    }


def _costs(decision: Decision, of: Mapping[Cell, Row], measured: Measured, say: Say) -> dict[str, Any]:
    """What the recommended cell costs and breaks, beside the best one where that is another."""
    budget = measured.budget
    cells = list(dict.fromkeys([decision.recommended, decision.best]))
    shares = ["table_cut", "pre_cut", "kept", *(f"{name}@{budget}" for name in ("over_budget", *pictures.LOSSES))]
    says = ["cut_tables", "cut_pre", "kept", "over", "loss_split", "loss_article", "loss_place"]
    rows = [
        {"what": say("index_ratio"), "values": [f"{of[cell]['index_ratio'] or 0:.2f}" for cell in cells]},
        {"what": say("chunks"), "values": [f"{of[cell]['chunks']:,}" for cell in cells]},
    ]
    for name, what in zip(shares, says, strict=True):
        values = [of[cell][name] for cell in cells]
        rows.append({"what": say(what), "values": ["–" if value is None else percent(value) for value in values]})
    paid = [
        ("vectors", "vectors", "{:,.0f}"),
        ("vector_bytes", "vector_bytes", "{:,.0f}"),
        ("embedded_tokens", "embedded_tokens", "{:,.0f}"),
        ("embedding_cost", "embedding_cost", "{:.4g}"),
    ]
    for name, what, form in paid:
        values = [of[cell][name] for cell in cells]
        if any(values):
            rows.append(
                {"what": say(what), "values": ["–" if value is None else form.format(value) for value in values]}
            )
    return {"heads": [pictures.label(cell) for cell in cells], "rows": rows}


Column = tuple[str, str, str, Callable[[Row], tuple[Any, str]]]
"""Its name, its head, what it is, and of a row its value and how that is written."""


def columns_of(measured: Measured, say: Say) -> list[Column]:
    """The columns of the table of all cells."""
    k, budget, unit = measured.k, measured.budget, unit_of(measured.unit, say)
    shares = [
        (measured.measure, "col_recall"),
        (f"{measured.measure}_se", "col_recall_se"),
        (f"recall@{k}", "col_recall_k"),
        (f"complete@{k}", "col_complete"),
        (f"article_hit@{k}", "col_article"),
        ("mrr@100", "col_mrr"),
        (f"over_budget@{budget}", "col_over_budget"),
        (f"loss_split@{budget}", "col_loss_split"),
        (f"loss_article@{budget}", "col_loss_article"),
        (f"loss_place@{budget}", "col_loss_place"),
        ("kept", "col_kept"),
        ("table_cut", "col_table_cut"),
        ("pre_cut", "col_pre_cut"),
    ]
    numbers = [
        (f"budget_chars@{budget}", "col_budget_chars", "{:,.0f}"),
        ("chunks", "col_chunks", "{:,.0f}"),
        ("chars_mean", "col_chars_mean", "{:,.0f}"),
        ("index_ratio", "col_index_ratio", "{:.2f}"),
    ]
    costs = [
        ("vectors", "col_vectors", "{:,.0f}"),
        ("vector_bytes", "col_vector_bytes", "{:,.0f}"),
        ("vector_bytes_ratio", "col_vector_bytes_ratio", "{:.2f}"),
        ("embedded_tokens", "col_embedded_tokens", "{:,.0f}"),
        ("over_window", "col_over_window", "{:,.0f}"),
        ("embedding_cost", "col_embedding_cost", "{:.4g}"),
        ("embedding_cost_ratio", "col_embedding_cost_ratio", "{:.2f}"),
    ]
    numbers += [column for column in costs if any(row[column[0]] for row in measured.metrics)]
    words = {"budget": f"{budget:,} {unit}", "k": k}

    def share(name: str) -> Callable[[Row], tuple[Any, str]]:
        return lambda row: (row[name], "–" if row[name] is None else f"{100 * row[name]:.1f}")

    def number(name: str, form: str) -> Callable[[Row], tuple[Any, str]]:
        return lambda row: (row[name], "–" if row[name] is None else form.format(row[name]))

    def difference(row: Row) -> tuple[Any, str]:
        found = row["against"].get("query", {}).get("difference")
        return found, points(found)

    def bounds(resample: str, low: str, high: str) -> Callable[[Row], tuple[Any, str]]:
        def of(row: Row) -> tuple[Any, str]:
            found = row["against"].get(resample, {})
            if found.get(low) is None:
                return None, "–"
            return found[low], say("interval_text", low=points(found[low]), high=points(found[high]))

        return of

    intervals = [
        ("low", say("by_query"), say("col_by_query"), bounds("query", "low", "high")),
        ("low_article", say("by_article"), say("col_by_article"), bounds("article", "low", "high")),
        ("low_all", say("all_at_once"), say("col_all"), bounds("query", "low_all", "high_all")),
    ]
    return [
        ("mark", "", "", lambda row: (row["mark"], row["mark"])),
        ("split", say("split"), say("col_split"), lambda row: (row["split"], row["split"])),
        ("retriever", say("retriever"), say("col_retriever"), lambda row: (row["retriever"], row["retriever"])),
        *((name, f"{name} %", say(text, **words), share(name)) for name, text in shares[:2]),
        ("difference", say("difference"), say("col_difference"), difference),
        *intervals,
        *((name, f"{name} %", say(text, **words), share(name)) for name, text in shares[2:]),
        *((name, name, say(text, **words), number(name, form)) for name, text, form in numbers),
    ]


def rows_of(measured: Measured, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The rows of the table of all cells, best first."""
    decision = measured.decision
    against: dict[Cell, dict[str, Row]] = {}
    for row in measured.intervals:
        if row["measure"] == measured.measure and (row["other_split"], row["other_retriever"]) == decision.best:
            against.setdefault((row["split"], row["retriever"]), {})[row["resample"]] = row
    rows = []
    for row in sorted(measured.metrics, key=lambda row: (-row[measured.measure], row["split"], row["retriever"])):
        cell = (row["split"], row["retriever"])
        state = "best" if cell == decision.best else "tied" if cell in decision.tied else ""
        mark = {"best": "*", "tied": "=", "": ""}[state] + ("✓" if cell == decision.recommended else "")
        known = {**row, "mark": mark, "against": against.get(cell, {})}
        cells = []
        for name, *_, get in columns:
            value, text = get(known)
            cells.append({"value": "" if value is None else value, "text": text})
            cells[-1]["number"] = name not in ("mark", "split", "retriever")
            cells[-1]["whole"] = name.startswith("low")  # both bounds go along, not the one sorted by
        rows.append({"state": f"{state} recommended" if cell == decision.recommended else state, "cells": cells})
    return rows


def caption(name: str, text: str, measured: Measured, say: Say) -> str:
    """What stands under a picture, with how many rows of how many it shows."""
    total = len(measured.metrics) if name == "losses" else len({row["split"] for row in measured.metrics})
    total -= name == "forest"
    left = say("left_rows", shown=pictures.ROWS, total=total) if total > pictures.ROWS else ""
    unit = unit_of(measured.unit, say)
    return say(text, budget=f"{measured.budget:,} {unit}", left_out=left).strip()


def left_out(detailed: Detailed, measured: Measured, say: Say) -> str:
    """What of the questions and cells is not in the page."""
    told = []
    if len(detailed.asked) < detailed.asked_in_all:
        told.append(say("left_questions", shown=f"{len(detailed.asked):,}", total=f"{detailed.asked_in_all:,}"))
    if len(detailed.cells) < len(measured.metrics):
        told.append(say("left_cells", shown=len(detailed.cells), total=len(measured.metrics)))
    return " ".join(told)


def percent(share: float) -> str:
    """`45.8 %`."""
    return f"{100 * share:.1f} %"


def points(difference: float | None) -> str:
    """`+2.0`, in points of a hundred."""
    return "–" if difference is None else f"{100 * difference:+.1f}".replace("-", "−")


def sayer(texts: Mapping[str, str]) -> Say:
    """What says a text by its name, with values filled in."""

    def say(name: str, **values: Any) -> str:
        return texts[name].format(**values)

    return say


def unit_of(unit: str, say: Say) -> str:
    """A unit in words."""
    return say("unit_characters") if unit == CHARACTERS else f"{say('unit_tokens')} ({unit.partition('-')[2]})"
