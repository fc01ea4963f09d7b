"""The answer in the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from .comparison import best_cell, tied
from .naming import CHARACTERS
from .questions import DROPPED, UNPLACED

_FOUND = {"faq": "questions found", "headings": "headings taken for questions", "file": "questions in the file"}

Row = Mapping[str, Any]

BEST = 10
"""Cells that are shown; metrics.csv and the report have all."""
OVER = 0.05
"""Share of questions whose first chunk exceeds the budget from which on the best cell is doubted."""
FEW = 10
"""Articles with questions below which a bootstrap over them says little."""
SHOWN = 5
"""Of articles that were not read, how many are named; reading.csv names all."""


def summary(
    metrics: Sequence[Row],
    intervals: Sequence[Row],
    reading: Sequence[Row],
    show: Sequence[str],
    budget: int,
    unit: str = CHARACTERS,
) -> str:
    """The ten best cells by budget recall, the best, and those that no difference from it is shown for.

    `show` are the measures that stand beside what is handed over within the budget.
    """
    measure = f"budget_recall@{budget}"
    best = best_cell(metrics, measure)
    of_best = [
        row for row in intervals if row["measure"] == measure and (row["other_split"], row["other_retriever"]) == best
    ]
    known = any(row["shown"] is not None for row in of_best)
    same = tied(of_best, best, measure) if known else set()
    ordered = sorted(metrics, key=lambda row: (-row[measure], row["split"], row["retriever"]))
    size, count = ("budget_chars", "chars") if unit == CHARACTERS else ("budget_tokens", "tokens")
    lines = [["", "split", "retriever", measure, "±", f"{count}@{budget}", f"over@{budget}", *show]]
    for row in ordered[:BEST]:
        cell = (row["split"], row["retriever"])
        lines.append(
            [
                "*" if cell == best else "=" if cell in same else "",
                row["split"],
                row["retriever"],
                _percent(row[measure]),
                _percent(row[f"{measure}_se"]),
                f"{row[f'{size}@{budget}']:,.0f}",
                _percent(row[f"over_budget@{budget}"]),
                *(_shown(name, row[name]) for name in show),
            ]
        )
    text = [reading_totals(reading), "", *_aligned(lines)]
    if len(ordered) > BEST:
        text.append(f"   … and {len(ordered) - BEST} more cells")
    text.append("")
    text.append(f"Shares in percent; ± is the standard error of budget_recall; {count}: handed over within the budget.")
    if metrics[0]["questions_from"] == "headings":
        text.append("The questions are headings of the articles: easier than questions that people ask.")
    for retriever in dict.fromkeys(row["retriever"] for row in metrics):
        silent = max(row["questions"] - row["answered"] for row in metrics if row["retriever"] == retriever)
        if silent:
            text.append(f"{retriever} retrieved nothing for up to {silent} of {metrics[0]['questions']} questions.")
    for split, row in {row["split"]: row for row in metrics}.items():
        if 0 < row["unplaced"] < row["chunks"]:
            text.append(
                f"{split}: {row['unplaced']:,} of {row['chunks']:,} chunks have no place in their document,"
                " so that there are no measures on spans."
            )
    articles = sum(int(row["used"]) > 0 for row in reading)
    if not ordered[0][measure]:
        text.append(f"No cell hands over any of an answer within {budget:,} {_word(unit)}, so none is best.")
        return "\n".join(text) + "\n"
    text.append(f"*  best at {budget:,} {_word(unit)}: {best[0]} with {best[1]}, {_percent(ordered[0][measure])} %")
    if ordered[0][f"over_budget@{budget}"] > OVER:
        share = _percent(ordered[0][f"over_budget@{budget}"])
        text.append(
            f"   but its first chunk alone exceeds that for {share} % of the questions: see what the report recommends"
        )
    if len(metrics) > 1 and not known:
        text.append("=  cannot be told: an interval takes two questions of two articles at least")
    elif same:
        text.append(
            f"=  no difference from it shown: {len(same)} {'cell' if len(same) == 1 else 'cells'}"
            " (a 95 % interval by question or by article holds 0)"
        )
        beyond = [row for row in ordered[BEST:] if (row["split"], row["retriever"]) in same]
        if beyond:
            names = ", ".join(f"{row['split']} with {row['retriever']}" for row in beyond[:BEST])
            text.append(f"   beyond those above: {names}{', …' * (len(beyond) > BEST)}")
    elif len(metrics) > 1:
        text.append("=  none: every other cell is shown to differ, by question and by article")
    if articles < FEW:
        text.append(f"   Only {articles} articles have questions that are asked: intervals by article are rough.")
    return "\n".join(text) + "\n"


def reading_totals(reading: Sequence[Row]) -> str:
    """What was read, and what was not: nothing is dropped in silence. Rows are those of reading.csv."""
    of = {
        status: [row for row in reading if row["status"] == status]
        for status in ("read", "failed", "left out", "no article")
    }
    counted = ("characters", "excluded", "questions", "used", *DROPPED, UNPLACED)
    total = {name: sum(int(row[name]) for row in of["read"] + of["no article"]) for name in counted}
    origin = reading[0]["questions_from"] if reading else "faq"
    dropped = ", ".join(f"{total[name]} {name}" for name in (*DROPPED, UNPLACED) if total[name])
    lines = [
        f"{len(of['read'])} articles, {total['characters']:,} characters"
        f" ({total['excluded']:,} excluded); {total['questions']} {_FOUND[origin]}, {total['used']} used"
        f"{f' ({dropped})' if dropped else ''}"
    ]
    warned = [row for row in of["read"] if row["warnings"]]
    for rows, what, column in (
        (of["failed"], "not read", "error"),
        (of["left out"], "left out", "error"),
        (warned, "read with a warning", "warnings"),
    ):
        if rows:
            shown = "; ".join(f"{row['doc_id']}: {row[column]}" for row in rows[:SHOWN])
            lines.append(f"{len(rows)} {what}: {shown}{'; …' if len(rows) > SHOWN else ''}")
    lines += [f"{row['questions']} questions of no article: {row['error']}" for row in of["no article"]]
    return "\n".join(lines)


def _word(unit: str) -> str:
    """`tokens (cl100k_base)`."""
    kind, _, of = unit.partition("-")
    return f"{kind} ({of})" if of else kind


def _shown(name: str, value: float | None) -> str:
    """A share in percent, anything else as a number."""
    if value is not None and (name.startswith("embedding_cost") or name == "vector_bytes_ratio"):
        return f"{value:.4g}"
    counts = (
        "vector",
        "dimensions",
        "embedded",
        "over_w",
        "retrieved_chars",
        "budget_chars",
        "budget_tokens",
        "chunks",
        "chars_",
        "overlap_m",
        "index_ch",
        "index_t",
    )
    if value is not None and name.startswith(counts):
        return f"{value:,.0f}"
    return _percent(value)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell + " " * (width - _width(cell)) if column < 3 else " " * (width - _width(cell)) + cell
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
