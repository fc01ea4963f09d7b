"""Every splitter as a cell of a grid, those that are made of other cells composed."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
from conftest import Workflow

SPLIT = {
    "structure": [{"size": 60}, {"size": 60, "prefix": "headings"}],
    "sentence": [{"size": 60}, {"size": 60, "min": 30}, {"size": 60, "overlap": 1}],
    "semantic": [{}, {"size": 60, "by": ["percentile", "deviation", "gradient"]}],
    "cluster": [{"size": 60, "part": 20}],
    "topic": [{}, {"size": 60}],
    "markdown": [{"size": 60}],
    "adaptive": [{"size": 60}],
    "table-header": [{"name": "rows", "of": "sentence/size=60"}],
    "prefix": [
        {"name": "path", "of": "structure/size=60", "put": "headings"},
        {"name": "path-rows", "of": "table-header/rows", "put": "headings"},
    ],
    "pre-label": [{"name": "code", "of": "structure/size=60"}],
    "window": [{"name": "around", "of": "prefix/path", "unit": ["chunks", "sentences", "characters"]}],
    "hybrid": [
        {"name": "documents", "prose": "sentence/size=60", "table": "structure/size=60", "share": 0.1},
        {"name": "blocks", "prose": "sentence/size=60", "code": "markdown/size=60", "by": "block"},
    ],
    "multi": [{"name": "sizes", "of": [["structure/size=60", "sentence/size=60", "prefix/path"]]}],
    "hierarchy": [{"name": "levels", "sizes": [[120, 60, 30]]}],
    "python": [{"name": "mine", "function": "mine:cut"}],
    "token": [{"size": 40, "overlap": 5}],
    "langchain-recursive": [{"size": 60, "overlap": 0, "separators": ["default", "japanese"]}],
    "langchain-character": [{"size": 60, "overlap": 0}],
    "langchain-markdown": [{"strip_headers": [True, False]}],
    "llamaindex-sentence": [{"size": 60, "overlap": 10}],
    "llamaindex-semantic": [{}],
    "chonkie-recursive": [{"size": 60}],
    "semantic-text-splitter": [{"size": 60}],
}
MINE = "def cut(document):\n    return [(block['start'], block['end']) for block in document.blocks]\n"


def configured(workflow: Workflow) -> None:
    window = [{**SPLIT["window"][0], "name": f"around-{unit}", "unit": unit} for unit in SPLIT["window"][0]["unit"]]
    (workflow.folder / "mine.py").write_text(MINE)
    workflow.configure(
        lambda c: c.update(
            split={**SPLIT, "window": window}, retrieve={"bm25": [{}]}, compare={"baseline": "structure/size=60"}
        )
    )


def test_each_runs_and_is_measured(fresh: Workflow) -> None:
    configured(fresh)
    fresh.run()
    metrics = {row["split"]: row for row in pq.read_table(fresh.results / "metrics.parquet").to_pylist()}
    assert len(metrics) == 36
    assert {row["answered"] for row in metrics.values()} == {8}
    assert all(row["budget_span_recall@200"] is not None for row in metrics.values())
    chunks = {name: pq.read_table(fresh.results / f"chunks/{name}.parquet") for name in metrics}
    # What is in front of what is indexed is `structure`'s own, and so is what is found by it.
    assert chunks["prefix/path"].equals(chunks["structure/size=60-prefix=headings"])
    own = {**metrics["structure/size=60-prefix=headings"], "split": ""}
    assert {**metrics["prefix/path"], "split": ""} == own
    assert set(chunks["python/mine"]["text"].to_pylist()) > {"clean --target さじ\nwait 12"}
    assert set(chunks["hybrid/blocks"]["route"].to_pylist()) == {"prose", "code"}
    assert metrics["multi/sizes"]["index_chunks"] == sum(
        len(chunks[name]) for name in ("structure/size=60", "sentence/size=60", "prefix/path")
    )
    # A window is searched as its chunk is.
    assert chunks["window/around-chunks"]["index_text"].equals(chunks["prefix/path"]["index_text"])
    # Another system can have them.
    assert fresh.run("results/export/prefix/path.jsonl") == {f"export/prefix/path.{n}" for n in ("jsonl", "parquet")}
    lines = (fresh.results / "export/prefix/path.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["index_text"] for line in lines] == chunks["prefix/path"]["index_text"].to_pylist()
    # The function is changed: what it cuts is made anew, and nothing else is.
    (fresh.folder / "mine.py").write_text(MINE.replace("block['end']", "block['end'] - 1"))
    made = fresh.run()
    assert {name for name in made if name.startswith("chunks/")} == {"chunks/python/mine.parquet"}
    assert {name for name in made if name.startswith("coverage/")} == {"coverage/python/mine/bm25/default.parquet"}
