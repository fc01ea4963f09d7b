"""The tables of docs/results-guides.md and of docs/splitters.md, from the results of a run.

    python benchmarks/findings.py --results results-guides --into docs/results-guides.md

Each table stands between `<!-- name -->` and `<!-- end -->`, where the page has it; the words around them are written
by hand.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

Row = dict[str, Any]

OVERLAP = [
    ("fixed/size=400-overlap=40", "fixed/size=400"),
    ("fixed/size=400-overlap=80", "fixed/size=400"),
    ("fixed/size=400-overlap=200", "fixed/size=400"),
    ("fixed/size=800-overlap=80", "fixed/size=800"),
    ("fixed/size=800-overlap=160", "fixed/size=800"),
]
HEADINGS = [(f"structure/size={size}-prefix=headings", f"structure/size={size}") for size in (400, 800)]
PARENTS = [
    ("parent-child/recursive200-in-h2", "headings/level=2"),
    ("parent-child/recursive200-in-structure800", "structure/size=800"),
]
SIZES = [(split, "fixed/size=400") for split in ("fixed/size=200", "fixed/size=1600", "structure/size=400")]


def points(value: float | None, sign: bool = False) -> str:
    """A share in percent."""
    return "–" if value is None else f"{100 * value:{'+' if sign else ''}.1f}"


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", "---", *["---:"] * (len(heads) - 2)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(metrics: list[Row]) -> str:
    """All cells, best first."""
    heads = ["split", "retriever", "budget recall", "± se", "characters", "over budget", "span", "Recall@5"]
    heads += ["complete@5", "article hit@5", "loss: split", "article", "place", "chunks", "tables cut", "pre cut"]
    names = ["budget_recall@2000", "budget_recall@2000_se", "budget_chars@2000", "over_budget@2000"]
    names += ["budget_span_recall@2000", "recall@5", "complete@5", "article_hit@5", "loss_split@2000"]
    names += ["loss_article@2000", "loss_place@2000", "chunks", "table_cut", "pre_cut"]
    rows = []
    for row in sorted(metrics, key=lambda row: -row["budget_recall@2000"]):
        figures = [f"{row[n]:,.0f}" if n in ("budget_chars@2000", "chunks") else points(row[n]) for n in names]
        rows.append([row["split"], row["retriever"].split("/")[0], *figures])
    return markdown(heads, rows)


def pairs(intervals: list[Row], wanted: Sequence[tuple[str, str]], measures: Sequence[str]) -> str:
    """Differences of splits under each retriever, in points, with both intervals."""

    def rows() -> Iterator[Sequence[str]]:
        for split, other in wanted:
            for retriever in ("bm25/default", "lsa/default"):
                for measure in measures:
                    found = {
                        row["resample"]: row
                        for row in intervals
                        if (row["split"], row["other_split"]) == (split, other)
                        and row["retriever"] == row["other_retriever"] == retriever
                        and row["measure"] == measure
                    }
                    bounds = [found[resample] for resample in ("query", "article")]
                    spelt = [f"[{points(b['low'], True)}, {points(b['high'], True)}]{'*' * b['shown']}" for b in bounds]
                    difference = points(bounds[0]["difference"], True)
                    yield [f"{split} − {other}", f"{retriever.split('/')[0]}, {measure}", difference, *spelt]

    return markdown(["splits", "retriever, measure", "difference", "by question", "by article"], rows())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    given = parser.parse_args()
    metrics = pq.read_table(given.results / "metrics.parquet").to_pylist()
    intervals = pq.read_table(given.results / "intervals.parquet").to_pylist()
    tables: dict[str, Callable[[], str]] = {
        "cells": lambda: cells(metrics),
        "sizes": lambda: pairs(intervals, SIZES, ["budget_recall@2000", "recall@5"]),
        "overlap": lambda: pairs(intervals, OVERLAP, ["recall@5", "span_recall@5", "complete@5", "budget_recall@2000"]),
        "headings": lambda: pairs(intervals, HEADINGS, ["budget_recall@2000", "article_hit@5"]),
        "parents": lambda: pairs(intervals, PARENTS, ["budget_recall@2000", "recall@5"]),
    }

    def filled(place: re.Match[str]) -> str:
        if place[1] not in tables:
            raise SystemExit(f"{given.into}: there is no table '{place[1]}'")
        return f"<!-- {place[1]} -->\n\n{tables[place[1]]()}\n\n<!-- end -->"

    text, count = re.subn(r"<!-- (\w+) -->.*?<!-- end -->", filled, given.into.read_text(encoding="utf-8"), flags=re.S)
    if not count:
        raise SystemExit(f"{given.into} has no place for a table")
    given.into.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
