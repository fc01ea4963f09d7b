"""What is wrong with a config is said before any job, in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import HOUSE, Workflow

Change = Callable[[dict], object]
SPLITTERS = (
    "adaptive, chonkie-recursive, cluster, fixed, headings, hierarchy, hybrid, langchain-character, "
    "langchain-html-header, langchain-html-semantic, langchain-markdown, langchain-recursive, "
    "llamaindex-semantic, llamaindex-sentence, markdown, multi, own-chunks, parent-child, pre-label, "
    "prefix, python, recursive, semantic, semantic-text-splitter, sentence, structure, table-header, "
    "token, topic, window"
)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda c: c.update(articles="nowhere/*.html"),
            "config: articles: no file matches 'nowhere/*.html'",
        ),
        (
            lambda c: c["split"].update(fixed=[{"size": 60}, {"size": 100, "overlap": 100}]),
            "config: split.fixed/size=100-overlap=100: overlap 100 must be below size 100",
        ),
        (
            lambda c: c["split"].update(fixd=[{"size": 60}]),
            f"config: split: there is no rule file 'fixd.smk'; known are {SPLITTERS}",
        ),
        (
            lambda c: c["retrieve"].update(bm52=[{}]),
            "config: retrieve: there is no rule file 'bm52.smk'; known are bm25, dense, hybrid, lsa, own-hits, rerank",
        ),
        (
            lambda c: c["split"].update(bm25=[{}]),
            f"config: split: there is no rule file 'bm25.smk'; known are {SPLITTERS}",
        ),
        (
            lambda c: c["split"]["parent-child"][0].update(child="recursive/size=61"),
            "config: split.parent-child/r-in-s: child 'recursive/size=61' is no cell of this grid",
        ),
        (
            lambda c: c["split"]["parent-child"][0].update(child="parent-child/r-in-s"),
            "config: split: cells need themselves: parent-child/r-in-s -> parent-child/r-in-s",
        ),
        (
            lambda c: c["compare"].update(baseline="fixed/size=61"),
            "config: compare.baseline 'fixed/size=61' is no split of this grid",
        ),
        (
            lambda c: c["split"].update(fixed=[{"size": [60, 60]}]),
            "config: split.fixed: two cells are named 'size=60'",
        ),
        (
            lambda c: c.update(articels="a"),
            "config: Additional properties are not allowed ('articels' was unexpected)",
        ),
        (
            lambda c: c["split"].update(fixed=[{"sise": 60}]),
            "config: split.fixed/sise=60: Additional properties are not allowed ('sise' was unexpected)",
        ),
        (
            lambda c: c["split"].update(fixed=[{"size": "big"}]),
            "config: split.fixed/size=big: size: 'big' is not of type 'integer'",
        ),
        (
            lambda c: c["split"].update(fixed=[{"size": 60, "name": "a,b"}]),
            "config: split.fixed: 'a,b' is no file name (letters, digits and . _ = - only); give the cell a 'name'",
        ),
        (
            lambda c: c["split"].update(fixed=[{"size": 60, "name": "../../x"}]),
            "config: split.fixed: '../../x' is no file name (letters, digits and . _ = - only); give the cell a 'name'",
        ),
        (
            lambda c: c["measure"].update(budgets=[0]),
            "config: measure.budgets[0]: 0 is less than the minimum of 1",
        ),
        (
            lambda c: c["measure"].update(k=[5, 0]),
            "config: measure.k[1]: 0 is less than the minimum of 1",
        ),
        (
            lambda c: c.update(exclude=["p:["]),
            "config: exclude: 'p:[' is no CSS selector",
        ),
        (
            lambda c: c.update(rules=["mine/own.smk"]),
            "config: rules: there is no file 'mine/own.smk'",
        ),
    ],
    ids=lambda value: value[8:60] if isinstance(value, str) else "",
)
def test_wrong_config(fresh: Workflow, change: Change, sentence: str) -> None:
    fresh.configure(change)
    done = fresh.snakemake()
    assert done.returncode != 0
    assert [line.strip() for line in done.stderr.splitlines() if sentence in line], done.stderr
    assert "Traceback" not in done.stderr
    assert not fresh.results.exists()


def test_a_given_grid_replaces_the_default_one_whole(fresh: Workflow) -> None:
    jobs = fresh.snakemake("-n").stdout
    assert "split_fixed" in jobs
    assert "split_headings" not in jobs
    assert "langchain" not in jobs


def test_given_retrievers_alone_replace_the_default_ones_whole(fresh: Workflow) -> None:
    (fresh.folder / "config.yaml").write_text("articles: articles/*.html\nretrieve: {bm25: [{k1: [1, 2]}]}\n")
    jobs = dict(line.split() for line in fresh.snakemake("-n").stdout.splitlines() if len(line.split()) == 2)
    assert jobs["retrieve_bm25"] == "44"
    assert "retrieve_lsa" not in jobs
    assert jobs["ceilings"] == "22"


@pytest.mark.parametrize(
    "preset", sorted(path.name for path in (HOUSE / "config").glob("*.yaml") if path.stem != "schema")
)
def test_every_preset_is_a_right_config(fresh: Workflow, preset: str) -> None:
    (fresh.folder / "config.yaml").write_text((HOUSE / "config" / preset).read_text(encoding="utf-8"), encoding="utf-8")
    done = fresh.snakemake("-n", "--config", "articles=articles/*.html")
    assert done.returncode == 0, done.stderr
    cells = {"chroma.yaml": 10, "quick.yaml": 3, "english.yaml": 2 * 16, "splitters.yaml": 54, "sweep.yaml": 114}
    cells = cells.get(preset, 22)
    assert re.search(rf"^retrieve_bm25 +{cells}$", done.stdout, re.M)


def test_a_kind_whose_package_is_missing_is_told_before_any_job(fresh: Workflow) -> None:
    (fresh.folder / "mine.smk").write_text("", encoding="utf-8")
    (fresh.folder / "mine.schema.yaml").write_text("type: object\nneeds: [no-such-package]\n", encoding="utf-8")
    fresh.configure(lambda c: (c.update(rules=["mine.smk"]), c["split"].update(mine=[{}])))
    done = fresh.snakemake("-n")
    assert done.returncode != 0
    told = "config: split.mine needs a package that is not here: pip install no-such-package"
    assert told in done.stdout + done.stderr
