"""What a report is of, gathered from the tables of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..comparison import Cell
from ..handed import handed
from ..measures import by_cell, recall_curve
from .details import LONG, LOSSES, answers, cut_blocks, ordered, question_rows, shortened
from .model import BUDGETS, HITS, Detailed, Measured
from .page import EACH, packed

Row = Mapping[str, Any]
Tables = Callable[[], pa.Table]
MOST_BLOCKS = 40
"""Tables, and code blocks, of each split that are shown cut."""
LIGHT = 10_000_000
"""Characters that packed questions may take in the page."""


def measured(
    metrics: Sequence[Row],
    intervals: Sequence[Row],
    reading: Sequence[Row],
    questions: pa.Table,
    queries: pa.Table,
    coverage: Iterable[tuple[Cell, pa.Table]],
    baseline: str,
    measure: Mapping[str, Any],
) -> Measured:
    """The figures of all cells. Rows are those of the tables of a run; `coverage` yields the curves of each cell."""
    name = f"budget_recall@{measure['budgets'][0]}"
    grid = sorted({*BUDGETS, *measure["budgets"]})
    shares = by_cell(questions, [name])
    read = [row for row in reading if row["status"] == "read"]
    unread = sum(row["status"] in ("failed", "left out") for row in reading)
    return Measured(
        metrics=metrics,
        intervals=intervals,
        curves={cell: recall_curve(curves, grid, HITS) for cell, curves in coverage},
        coverage={cell: values[:, 0].tolist() for cell, values in shares.items()},
        questions=queries.sort_by("query_id")["query"].to_pylist(),
        articles=len(read),
        asked_of=pc.count_distinct(queries["doc_id"]).as_py(),
        characters=sum(int(row["characters"]) for row in read),
        notes=[f"reading.csv: {unread} not read"] if unread else [],
        baseline=baseline,
        k=measure["k"][0],
        budgets=measure["budgets"],
        unit=measure["unit"],
    )


def detailed(
    of: Measured,
    cells: Sequence[Cell],
    queries: pa.Table,
    documents: pa.Table,
    blocks: pa.Table,
    chunks: Mapping[str, Tables],
    questions: pa.Table,
    rankings: Mapping[Cell, Tables],
    coverage: Mapping[Cell, Tables],
    cuts: Mapping[str, Tables],
) -> Detailed:
    """The questions of some cells, and the blocks that their splits cut; tables are read one split at a time.

    Questions that do not fit into LIGHT characters are left out, those in which the cells differ least.
    """
    titles, texts = (
        dict(zip(*(documents[column].to_pylist() for column in ("doc_id", name)), strict=True))
        for name in ("title", "text")
    )
    asked = question_rows(queries, titles)
    known = _by_place(blocks)
    losses = by_cell(questions, [f"{name}@{of.budget}" for name in LOSSES])
    places = {query: n for n, query in enumerate(sorted(row["id"] for row in asked))}
    found: dict[Cell, list[dict[str, Any]]] = {}
    cut: dict[str, list[dict[str, Any]] | None] = {}
    for split in dict.fromkeys(split for split, _ in cells):
        over = handed(chunks[split]())
        for cell in [cell for cell in cells if cell[0] == split]:
            lost = [losses[cell][places[row["id"]]].tolist() for row in asked]
            found[cell] = answers(asked, over, texts, rankings[cell](), coverage[cell](), lost, of.budget)
        cut[split] = cut_blocks(cuts[split](), known, over, MOST_BLOCKS) if over.has_spans else None
    rows = [
        {
            **asked[n],
            "question": asked[n]["question"][:LONG],
            "gold": [
                {**gold, "text": shortened(gold["text"], []), "length": len(gold["text"])} for gold in asked[n]["gold"]
            ],
            "cells": [found[cell][n] for cell in cells],
        }
        for n in ordered(asked, found)
    ]
    return Detailed(cells, _light(rows), len(rows), cut, MOST_BLOCKS)


def _by_place(blocks: pa.Table) -> dict[tuple[str, int], Row]:
    wanted = blocks.filter(pc.is_in(blocks["kind"], pa.array(["table", "pre"])))
    return {(row["doc_id"], row["block"]): row for row in wanted.to_pylist()}


def _light(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    taken = 0
    for first in range(0, len(rows), EACH):
        taken += len(packed(rows[first : first + EACH]))
        if taken > LIGHT:
            return rows[: max(first, EACH)]
    return rows
