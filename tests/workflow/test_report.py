"""The report of a run, read as a file; tests/browser looks at one as a person does."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from typing import Any

import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup
from conftest import Workflow

from chunkgrid.report import gathering
from chunkgrid.report.page import packed


class Page:
    """What stands in a report."""

    def __init__(self, workflow: Workflow) -> None:
        self.text = (workflow.results / "report.html").read_text(encoding="utf-8")
        self.soup = BeautifulSoup(self.text, "lxml")
        self.data = json.loads(self.soup.select_one("#data").string)
        self.parts = [unpacked(part.string) for part in self.soup.select("script.part")]

    def rows(self) -> list[dict[str, str]]:
        names = [head.get("data-column", "mark") for head in self.soup.select("#table thead th")]
        found = []
        for row in self.soup.select("#table tbody tr"):
            found.append(dict(zip(names, [cell["data-v"] for cell in row.select("td, th")], strict=True)))
        return found


def unpacked(part: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(part), -15))


def table(workflow: Workflow, name: str) -> list[dict[str, Any]]:
    return pq.read_table(workflow.results / f"{name}.parquet").to_pylist()


@pytest.fixture(scope="session")
def page(whole_run: Workflow) -> Page:
    return Page(whole_run)


def test_every_figure_of_the_table_is_that_of_the_metrics(whole_run: Workflow, page: Page) -> None:
    metrics = {(row["split"], row["retriever"]): row for row in table(whole_run, "metrics")}
    rows = page.rows()
    assert {(row["split"], row["retriever"]) for row in rows} == set(metrics)
    assert [float(row["budget_recall@200"]) for row in rows] == sorted(
        (row["budget_recall@200"] for row in metrics.values()), reverse=True
    )
    for row in rows:
        known = metrics[row["split"], row["retriever"]]
        for name in row.keys() - {"mark", "split", "retriever", "difference", "low", "low_article", "low_all"}:
            assert row[name] == ("" if known[name] is None else str(known[name])), name


def test_marks_and_differences_are_those_of_the_intervals(whole_run: Workflow, page: Page) -> None:
    (best,) = [row for row in page.rows() if "*" in row["mark"]]
    against = [
        row
        for row in table(whole_run, "intervals")
        if row["measure"] == "budget_recall@200"
        and (row["other_split"], row["other_retriever"]) == (best["split"], best["retriever"])
    ]
    shown: dict[tuple[str, str], list[bool]] = {}
    for row in against:
        shown.setdefault((row["split"], row["retriever"]), []).append(row["shown"])
    tied = {cell for cell, both in shown.items() if not all(both)}
    assert {(row["split"], row["retriever"]) for row in page.rows() if "=" in row["mark"]} == tied
    by_article = {(row["split"], row["retriever"]): row for row in against if row["resample"] == "article"}
    by_question = {(row["split"], row["retriever"]): row for row in against if row["resample"] == "query"}
    for row in page.rows():
        if row is not best and (row["split"], row["retriever"]) in by_question:
            known = by_question[row["split"], row["retriever"]]
            for name in ("difference", "low", "low_all"):
                assert float(row[name]) == known[name]
            assert float(row["low_article"]) == by_article[row["split"], row["retriever"]]["low"]
    indexed = {(row["split"], row["retriever"]): row["index_chars"] for row in table(whole_run, "metrics")}
    (taken,) = [(row["split"], row["retriever"]) for row in page.rows() if "✓" in row["mark"]]
    assert indexed[taken] == min(indexed[cell] for cell in tied | {(best["split"], best["retriever"])})


def test_single_questions_are_those_of_the_tables(whole_run: Workflow, page: Page) -> None:
    measured = {(row["split"], row["retriever"], row["query_id"]): row for row in table(whole_run, "questions")}
    cells = [(row["split"], row["retriever"]) for row in table(whole_run, "metrics")]
    coverage, index, *parts = page.parts
    every = sorted({row["query_id"] for row in measured.values()})
    for number, cell in enumerate(cells):
        assert coverage["coverage"][number] == [
            round(100 * measured[*cell, query]["budget_recall@200"]) for query in every
        ]
    asked = [
        question for part in parts[: len(parts) - len([n for n in page.data["cut"].values() if n])] for question in part
    ]
    assert len(asked) == len(index["questions"]) == 8
    for question in asked:
        for number, answer in zip(page.data["detailed"], question["cells"], strict=True):
            row = measured[*cells[number], question["id"]]
            assert answer["coverage"] == pytest.approx(row["budget_recall@200"], abs=5e-4)
            assert answer["used"] == row["budget_chars@200"]
            losses = [row[f"loss_{name}@200"] for name in ("split", "article", "place")]
            if answer["complete"]:
                assert answer["why"] is None
                assert row["budget_recall@200"] >= 0.95
            else:
                assert losses[answer["why"]] == max(losses)
            chunks = table(whole_run, f"chunks/{cells[number][0]}")
            texts = {(chunk["doc_id"], chunk["start"]): chunk["text"] for chunk in chunks}
            for hit in answer["hits"]:
                assert hit["text"] == [[0, texts[hit["doc"], hit["start"]]]]


def test_blocks_that_are_cut_are_those_of_the_cuts(whole_run: Workflow, page: Page) -> None:
    for split, place in page.data["cut"].items():
        cut = [row for row in table(whole_run, f"cuts/{split}") if row["cut"]]
        assert len(page.parts[place]) == len(cut)
        assert all(block["cuts"] for block in page.parts[place])


def test_only_its_own_scripts_and_styles_may_run(page: Page) -> None:
    policy = page.soup.select_one("meta[http-equiv]")["content"]

    def allowed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    scripts = [script.string for script in page.soup.select("script:not([type])")]
    assert f"script-src {' '.join(map(allowed, scripts))};" in policy
    assert f"style-src {allowed(page.soup.select_one('style').string)};" in policy
    assert "unsafe" not in policy
    assert page.soup.select("[style], [onclick], [src], link, iframe, object") == []
    assert not re.search(r"<[a-z]", page.soup.select_one("#data").string)


def test_questions_that_do_not_fit_are_left_out_and_said(workflow: Workflow, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"question": str(n) * 40} for n in range(60)]
    whole = len(packed(rows[:25]))
    monkeypatch.setattr(gathering, "LIGHT", whole + 5)
    assert len(gathering._light(rows)) == 25
    monkeypatch.setattr(gathering, "LIGHT", 10**9)
    assert len(gathering._light(rows)) == 60
    monkeypatch.setattr(gathering, "LIGHT", 1)
    assert len(gathering._light(rows)) == 25  # some in any case


def test_cells_can_be_chosen(workflow: Workflow) -> None:
    wanted = ["fixed/size=120/bm25/default", "recursive/size=60/lsa/dimensions=8"]
    workflow.configure(lambda config: config.update(report={"cells": wanted}))
    workflow.run()
    found = Page(workflow)
    assert [found.data["cells"][n] for n in found.data["detailed"]] == [
        "fixed/size=120 · bm25",
        "recursive/size=60 · lsa/dimensions=8",
    ]


def test_one_cell_is_reported_as_well(fresh: Workflow) -> None:
    fresh.configure(
        lambda config: config.update(
            split={"langchain-html-header": [{}]},
            retrieve={"bm25": [{}]},
            compare={"baseline": "langchain-html-header/default"},
        )
    )
    fresh.run()
    found = Page(fresh)
    assert len(found.rows()) == 1
    assert "There is one cell only" in found.soup.select_one("#decision").get_text()
    assert found.data["cut"] == {"langchain-html-header/default": None}
