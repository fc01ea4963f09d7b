"""The tables of docs/results-guides.md, docs/splitters.md and docs/splitters/, from the results of a run.

    python benchmarks/findings.py --results results-guides --into docs/results-guides.md
    python benchmarks/findings.py --results results-splitters --into docs/splitters.md docs/splitters/*.md
    python benchmarks/findings.py --results results-dense --into docs/dense.md docs/results-dense.md

Each table stands between `<!-- name -->` and `<!-- end -->`, where the page has it; the words around them are written
by hand.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

Row = dict[str, Any]

HOUSE = Path(__file__).resolve().parent.parent
RULES = HOUSE / "rules/splitters"
ADAPTERS = HOUSE / "scripts/chunkgrid/embedding/adapters"
MEASURES = ["recall@5", "span_recall@5", "complete@5", "budget_recall@2000"]
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
FUSED = ("structure/size=800-prefix=headings", "headings/level=3", "fixed/size=400")
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


def rows_of(metrics: list[Row], kind: str) -> str:
    """The cells of one splitter and, to compare, those of fixed/size=400; best first under each retriever."""
    heads = ["split", "retriever", "budget recall", "± se", "characters", "Recall@5", "article hit@5", "chunks"]
    heads += ["characters a chunk", "kept", "tables cut", "pre cut"]
    names = ["budget_recall@2000", "budget_recall@2000_se", "budget_chars@2000", "recall@5", "article_hit@5", "chunks"]
    names += ["chars_mean", "kept", "table_cut", "pre_cut"]
    rows = []
    for row in sorted(metrics, key=lambda row: (row["retriever"], -row["budget_recall@2000"])):
        if row["split"].split("/")[0] == kind or row["split"] == "fixed/size=400":
            whole = ("budget_chars@2000", "chunks", "chars_mean")
            figures = [f"{row[name]:,.0f}" if name in whole else points(row[name]) for name in names]
            rows.append([row["split"], row["retriever"].split("/")[0], *figures])
    return markdown(heads, rows)


def parameters(kind: str) -> str:
    """What a splitter takes, from its schema."""
    schema = yaml.safe_load((RULES / f"{kind}.schema.yaml").read_text(encoding="utf-8"))
    if not schema.get("properties"):
        return "None."
    needs = schema.get("needs")
    lines = [
        "| name | what | values | default |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in _described(schema)),
    ]
    return "\n".join(lines) + (f"\n\nNeeds `pip install {' '.join(needs)}`." if needs else "")


def models() -> str:
    """What each kind of model takes, from its schema."""
    lines = ["| kind | name | what | values | default |", "| --- | --- | --- | --- | --- |"]
    for file in sorted(ADAPTERS.glob("*.schema.yaml")):
        kind = file.name.removesuffix(".schema.yaml").replace("_", "-")
        rows = _described(yaml.safe_load(file.read_text(encoding="utf-8")))
        lines += [f"| {' | '.join([f'`{kind}`' * (not n), *row])} |" for n, row in enumerate(rows)]
    return "\n".join(lines)


def _described(schema: Row) -> list[list[str]]:
    rows = []
    for name, one in schema["properties"].items():
        values = ", ".join(f"`{value}`" for value in one.get("enum", [])) or one["type"]
        default = f"`{json.dumps(one['default'], ensure_ascii=False)}`" if "default" in one else "–"
        required = name in schema.get("required", [])
        rows.append([f"`{name}`", one.get("description", ""), values, "required" if required else default])
    return rows


def retrievers(metrics: list[Row]) -> str:
    """Budget recall of every split under each retriever, and what its vectors cost; best first."""
    names = list(dict.fromkeys(row["retriever"] for row in metrics))
    of = {(row["split"], row["retriever"]): row for row in metrics}
    splits = dict.fromkeys(row["split"] for row in sorted(metrics, key=lambda row: -row["budget_recall@2000"]))
    dearest = names[-1]
    rows = []
    for split in splits:
        shares = [of[split, name]["budget_recall@2000"] for name in names]
        told = [f"**{points(share)}**" if share == max(shares) else points(share) for share in shares]
        row = of[split, dearest]
        cost = [f"{row['vectors']:,}", f"{row['vector_bytes'] / 1e6:.1f}", f"{row['embedded_tokens'] / 1e6:.2f}"]
        rows.append([split, *told, *cost, f"{row['vector_bytes_ratio']:.2f}"])
    heads = [
        "split",
        *(name.removesuffix("/default") for name in names),
        "vectors",
        "MB",
        "million tokens",
        "bytes ratio",
    ]
    return markdown(heads, rows)


def sizes_here(units: Path) -> str:
    """What sizes in one unit are in the others."""
    with open(units, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    heads = list(rows[0])
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: |' * (len(heads) - 1)}"]
    for row in rows:
        lines.append(f"| {row['what']} | {' | '.join(_number(float(row[head])) for head in heads[1:])} |")
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


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


def fusion(intervals: list[Row]) -> str:
    """Differences of pairs of cells of one split in budget recall, in points, with both intervals."""
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in intervals:
        if row["measure"] == "budget_recall@2000" and row["split"] == row["other_split"] and row["split"] in FUSED:
            key = (row["split"], row["retriever"], row["other_retriever"])
            found.setdefault(key, {})[row["resample"]] = row
    rows = []
    for (split, retriever, other), of in found.items():
        if (split, other, retriever) in found and of["query"]["difference"] < 0:
            continue  # the same the other way round
        bounds = [of[resample] for resample in ("query", "article")]
        spelt = [f"[{points(b['low'], True)}, {points(b['high'], True)}]{'*' * b['shown']}" for b in bounds]
        rows.append([split, f"{retriever} − {other}", points(bounds[0]["difference"], True), *spelt])
    return markdown(["split", "retrievers", "difference", "by question", "by article"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True, nargs="+")
    given = parser.parse_args()
    metrics = pq.read_table(given.results / "metrics.parquet").to_pylist()
    intervals = pq.read_table(given.results / "intervals.parquet").to_pylist()
    for page in given.into:
        tables: dict[str, Callable[[], str]] = {
            "cells": lambda: cells(metrics),
            "sizes": lambda: pairs(intervals, SIZES, ["budget_recall@2000", "recall@5"]),
            "overlap": lambda: pairs(intervals, OVERLAP, MEASURES),
            "headings": lambda: pairs(intervals, HEADINGS, ["budget_recall@2000", "article_hit@5"]),
            "parents": lambda: pairs(intervals, PARENTS, ["budget_recall@2000", "recall@5"]),
            "units": lambda: sizes_here(given.results / "units.csv"),
            "rows": lambda kind=page.stem: rows_of(metrics, kind),
            "models": models,
            "retrievers": lambda: retrievers(metrics),
            "fusion": lambda: fusion(intervals),
            "parameters": lambda kind=page.stem: parameters(kind),
        }
        fill(page, tables)


def fill(page: Path, tables: Mapping[str, Callable[[], str]]) -> None:
    """Puts tables into the places that a page has for them."""

    def filled(place: re.Match[str]) -> str:
        if place[1] not in tables:
            raise SystemExit(f"{page}: there is no table '{place[1]}'")
        return f"<!-- {place[1]} -->\n\n{tables[place[1]]()}\n\n<!-- end -->"

    text, count = re.subn(r"<!-- (\w+) -->.*?<!-- end -->", filled, page.read_text(encoding="utf-8"), flags=re.S)
    if not count:
        raise SystemExit(f"{page} has no place for a table")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
