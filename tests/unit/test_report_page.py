"""Parts of the report that a run on small articles does not reach."""

import json
from collections import defaultdict

from chunkgrid.measures import Curve
from chunkgrid.report import pictures
from chunkgrid.report.model import HITS, Measured
from chunkgrid.report.page import inlined
from chunkgrid.report.wording import columns_of, told

LONG, SHORT = ("long", "r"), ("short", "r")
GRID = list(range(500, 8001, 500))
CURVES = {
    # It hands over more than the budget up to 2,000, and so reaches more.
    LONG: Curve([0.9] * 16, [1.0] * 4 + [0.0] * 12, [0.9] * 20),
    SHORT: Curve([0.2] * 16, [0.05] * 16, [0.2] * 20),
}


def test_no_text_ends_the_script_that_it_stands_in():
    content = {"a": "</script><script>", "b": "<!--"}
    assert "<" not in inlined(content)
    assert json.loads(inlined(content)) == content


def test_a_curve_has_no_point_where_its_cell_does_not_keep_to_the_budget():
    texts = defaultdict(str)
    panel, of_hits = pictures.curves([LONG, SHORT], CURVES, GRID, HITS, 2000, texts)["hconcat"]
    rows = [row for layer in panel["layer"] for row in layer["data"]["values"] if "cell" in row]
    assert [row["x"] for row in rows if row["cell"] == "long · r"] == GRID[4:]
    assert [row["x"] for row in rows if row["cell"] == "short · r"] == GRID
    assert [row["x"] for row in of_hits["data"]["values"] if row["cell"] == "long · r"] == list(HITS)


def measured_with(**more):
    metrics = []
    for split, recall in (("long", 0.9), ("short", 0.2)):
        row = defaultdict(int, split=split, retriever="r", questions=9, **more.get(split, {}))
        metrics.append(row | {"budget_recall@2000": recall, "index_chars": 100})
    return Measured(metrics, [], CURVES, {}, [], 1, 1, 1, [], "short", 5, [2000], "characters")


def test_what_vectors_cost_has_columns_where_there_is_any_and_stands_beside_the_recommended():
    def say(name, **_):
        return name

    heads = [head for _, head, *_ in columns_of(measured_with(), say)]
    assert not [head for head in heads if head.startswith(("vector", "embed"))]
    costly = {"vectors": 1200, "vector_bytes": 4800, "vector_bytes_ratio": 1.5, "embedded_tokens": 90000}
    measured = measured_with(long=costly, short={"vectors": None})
    columns = {name: get for name, *_, get in columns_of(measured, say)}
    of_cells = [[columns[name](row)[1] for row in measured.metrics] for name in costly]
    assert of_cells == [["1,200", "–"], ["4,800", "0"], ["1.50", "0.00"], ["90,000", "0"]]
    assert "embedding_cost" not in columns
    rows = {row["what"]: row["values"] for row in told(measured, say)["costs"]["rows"]}
    assert [rows[name] for name in ("vectors", "vector_bytes", "embedded_tokens")] == [["1,200"], ["4,800"], ["90,000"]]
    assert "embedding_cost" not in rows


def test_the_best_within_another_budget_keeps_to_it():
    measured = measured_with()
    found = told(measured, lambda name, **_: name)["by_budget"]
    assert [(row["budget"], row["cell"]) for row in found] == [
        ("500", "short · r"),
        ("1,000", "short · r"),
        ("4,000", "long · r"),
        ("8,000", "long · r"),
    ]
