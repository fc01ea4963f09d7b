"""What a change makes anew, file by file, on a tiny corpus."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import HOUSE, PAGE, Workflow
from test_runs import AGGREGATES, RETRIEVERS, SPLITS, of_split

MEANS = AGGREGATES - {"questions.parquet"}
INTERVALS = MEANS - {"metrics.parquet", "metrics.csv"}
CANDIDATES = {"candidates.parquet", "reading.csv", "queries.parquet"}
CEILINGS = {f"ceilings/{split}.parquet" for split in SPLITS}


def of_retriever(retriever: str) -> set[str]:
    kinds = ("rankings", "coverage", *(["costs"] if retriever.startswith("lsa/") else []))
    return {f"{kind}/{split}/{retriever}.parquet" for kind in kinds for split in SPLITS}


def batch_of(workflow: Workflow, doc_id: str) -> str:
    for path in (workflow.results / "read").glob("*.parquet"):
        if doc_id in pq.read_table(path, columns=["doc_id"])["doc_id"].to_pylist():
            return path.stem
    raise AssertionError(doc_id)


def all_but_batches_except(workflow: Workflow, batch: str) -> set[str]:
    """Everything that stands on one batch."""
    return {
        name
        for name in workflow.dates()
        if name.split("/")[0] not in ("blocks", "read") or name.split("/")[1].removesuffix(".parquet") == batch
    }


def test_forcing_one_cell(workflow: Workflow) -> None:
    cell = "fixed/size=60/bm25/default.parquet"
    assert workflow.run(f"results/coverage/{cell}", "--force") == {f"rankings/{cell}", f"coverage/{cell}"}


@pytest.mark.parametrize(
    ("change", "made"),
    [
        (lambda c: c["measure"].update(k=[3]), AGGREGATES),
        (lambda c: c["measure"].update(budgets=[150]), AGGREGATES | CEILINGS),
        (lambda c: c["compare"].update(resamples=300), INTERVALS),
        (lambda c: c["compare"].update(baseline="fixed/size=120"), INTERVALS),
        (lambda c: c["retrieve"].update(bm25=[{"name": "default", "b": 0}]), AGGREGATES | of_retriever(RETRIEVERS[0])),
        (lambda c: c.update(sample={"questions": 7}), {*AGGREGATES, *CANDIDATES} | CEILINGS),
    ],
    ids=["k", "budget", "resamples", "baseline", "retriever", "sample"],
)  # fmt: skip
def test_changing_a_key(workflow: Workflow, change, made: set[str]) -> None:
    workflow.configure(change)
    rerun = workflow.run()
    if "queries.parquet" in made:
        made = made | of_retriever(RETRIEVERS[0]) | of_retriever(RETRIEVERS[1])
    assert rerun == made
    assert workflow.run() == set()


def test_changing_a_parameter_remakes_its_split_and_what_derives_from_it(workflow: Workflow) -> None:
    workflow.configure(lambda c: c["split"].update(recursive=[{"name": "size=60", "size": 70}]))
    assert workflow.run() == AGGREGATES | of_split("recursive/size=60") | of_split("parent-child/r-in-s")


def test_adding_and_removing_a_cell_then_pruning(workflow: Workflow) -> None:
    workflow.configure(lambda c: c["split"].update(fixed=[{"size": [60, 120, 90]}]))
    assert workflow.run() == AGGREGATES | of_split("fixed/size=90")
    foreign = ["chunks/fixed/notes.txt", "chunks/fixed/backup.parquet"]
    for name in foreign:
        (workflow.results / name).write_text("mine")
    workflow.configure()
    assert workflow.run() == AGGREGATES
    assert of_split("fixed/size=90") <= workflow.dates().keys()
    done = workflow.snakemake("prune")
    assert "removed results/chunks/fixed/size=90.parquet" in done.stderr
    assert all(f"left alone, since no run makes it: results/{name}" in done.stderr for name in foreign)
    assert not of_split("fixed/size=90") & workflow.dates().keys()
    assert set(foreign) <= workflow.dates().keys()
    assert workflow.run() == set()


def test_changing_one_article(workflow: Workflow) -> None:
    batch = batch_of(workflow, "さじ.html")
    (workflow.folder / "articles/さじ.html").write_text(PAGE.format(name="さじ", weight=99), encoding="utf-8")
    assert workflow.run() == all_but_batches_except(workflow, batch)
    documents = pq.read_table(workflow.results / "documents.parquet").to_pylist()
    assert [row["doc_id"] for row in documents if "99グラム" in row["text"]] == ["さじ.html"]


def test_an_older_dated_replacement_of_an_article_is_seen(workflow: Workflow) -> None:
    batch = batch_of(workflow, "さじ.html")
    article = workflow.folder / "articles/さじ.html"
    article.write_text(PAGE.format(name="さじ", weight=77), encoding="utf-8")
    os.utime(article, (1_000_000_000, 1_000_000_000))
    assert workflow.run() == all_but_batches_except(workflow, batch)


def test_a_touched_article_is_not_read_again(workflow: Workflow) -> None:
    (workflow.folder / "articles/さじ.html").touch()
    assert workflow.run() == set()


def test_adding_and_removing_an_article(workflow: Workflow) -> None:
    article = workflow.folder / "articles/のこぎり.html"
    article.write_text(PAGE.format(name="のこぎり", weight=5), encoding="utf-8")
    made = workflow.run()
    batch = batch_of(workflow, "のこぎり.html")
    assert made == all_but_batches_except(workflow, batch)
    article.unlink()
    removed = workflow.run()
    assert removed == all_but_batches_except(workflow, batch)
    for name in ("documents.parquet", "queries.parquet", "questions.parquet", "chunks/fixed/size=60.parquet"):
        assert "のこぎり.html" not in pq.read_table(workflow.results / name)["doc_id"].to_pylist()


def test_a_copy_of_the_project_with_one_function_changed(workflow: Workflow, tmp_path: Path) -> None:
    """Another folder and other dates alone remake nothing; a changed function what imports its module."""
    house = tmp_path / "house"
    for name in ("rules", "scripts", "config"):
        shutil.copytree(
            HOUSE / name, house / name, ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copy
        )
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(HOUSE / name, house / name)
    assert workflow.run(snakefile=house / "Snakefile") == set()
    module = house / "scripts/chunkgrid/bm25.py"
    module.write_text(module.read_text() + "\n# changed\n")
    assert workflow.run(snakefile=house / "Snakefile") == AGGREGATES | of_retriever("bm25/default")
    module = house / "scripts/chunkgrid/bootstrap.py"
    module.write_text(module.read_text() + "\n# changed\n")
    assert workflow.run(snakefile=house / "Snakefile") == INTERVALS


def test_another_version_of_a_package(workflow: Workflow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package reports another version; only what named it is made anew."""
    shadow = tmp_path / "site/scipy-99.0.dist-info"
    shadow.mkdir(parents=True)
    (shadow / "METADATA").write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 99.0\n")
    monkeypatch.setenv("PYTHONPATH", str(shadow.parent))
    assert workflow.run() == AGGREGATES | of_retriever("bm25/default") | of_retriever("lsa/dimensions=8")


SENTENCES_RULE = '''
rule split_sentences:
    """A fixed number of whole sentences."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/sentences/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/sentences/{{name}}.log",
    params:
        cell=lookup(within=GRID, dpath="split/sentences/{name}"),
        code=code("SCRIPT", "pyarrow"),
    script:
        "SCRIPT"
'''


def guide(start: str) -> str:
    """The example script of the guide, so that what it says is what runs."""
    text = (HOUSE / "docs/adding-a-splitter.md").read_text(encoding="utf-8")
    return next(part.split("```")[0] for part in text.split("```python\n") if part.startswith(start))


def test_a_splitter_outside_of_the_project_is_one_rule_file_one_script_and_one_line(workflow: Workflow) -> None:
    (workflow.folder / "sentences.smk").write_text(SENTENCES_RULE.replace("SCRIPT", "split_sentences.py"))
    (workflow.folder / "split_sentences.py").write_text(guide('"""Cuts every'), encoding="utf-8")

    def change(config: dict) -> None:
        config["rules"] = ["sentences.smk"]
        config["split"]["sentences"] = [{"count": 2}]

    workflow.configure(change)
    assert workflow.run() == AGGREGATES | of_split("sentences/count=2")
    chunks = pq.read_table(workflow.results / "chunks/sentences/count=2.parquet")
    assert all(text.count("。") <= 2 for text in chunks["text"].to_pylist())
    assert workflow.run() == set()


def test_a_splitter_inside_of_the_project_is_one_rule_file_one_script_and_one_line(
    workflow: Workflow, tmp_path: Path
) -> None:
    house = tmp_path / "house"
    for name in ("rules", "scripts", "config"):
        shutil.copytree(HOUSE / name, house / name)
    for name in ("Snakefile", "environment.yml"):
        shutil.copy(HOUSE / name, house / name)
    (house / "rules/splitters/sentences.smk").write_text(guide("rule split_sentences"), encoding="utf-8")
    (house / "scripts/split_sentences.py").write_text(guide('"""Cuts every'), encoding="utf-8")
    workflow.configure(lambda config: config["split"].update(sentences=[{"count": 2}]))
    assert workflow.run(snakefile=house / "Snakefile") == AGGREGATES | of_split("sentences/count=2")


def test_kill_in_the_middle_unlock_and_the_same_command_give_the_same_bytes(
    whole_run: Workflow, fresh: Workflow
) -> None:
    command = [sys.executable, "-m", "snakemake", "--snakefile", HOUSE / "Snakefile", "--cores", "2"]
    command += ["--workflow-profile", HOUSE / "profiles/default", "--configfile", "config.yaml"]
    running = subprocess.Popen(
        command, cwd=fresh.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while not list(fresh.results.glob("rankings/*/*/*/*.parquet")):
        assert running.poll() is None
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert not (fresh.results / "metrics.csv").exists()
    locked = fresh.snakemake()
    assert locked.returncode != 0
    assert "lock" in locked.stderr.lower()
    assert fresh.snakemake("--unlock", cores=None).returncode == 0
    fresh.run()
    assert fresh.contents() == whole_run.contents()


def test_a_damaged_table_is_named_and_not_used(workflow: Workflow) -> None:
    chunks = workflow.results / "chunks/fixed/size=60.parquet"
    date = chunks.stat().st_mtime_ns
    chunks.write_bytes(chunks.read_bytes()[:-20])
    os.utime(chunks, ns=(date, date))
    workflow.configure(lambda c: c["retrieve"].update(bm25=[{"name": "default", "k1": 1.5}]))
    before = workflow.contents()
    done = workflow.snakemake()
    assert done.returncode != 0
    assert "results/chunks/fixed/size=60.parquet cannot be read as Parquet" in done.stderr
    assert "metrics.csv, intervals.csv, summary.txt in results/ are of an earlier run" in done.stderr
    after = workflow.contents()
    assert all(after[name] == before[name] for name in AGGREGATES)


def test_a_lost_file_of_blocks_is_told_and_not_done_without(workflow: Workflow) -> None:
    next((workflow.results / "blocks").rglob("*.parquet")).unlink()
    workflow.configure(lambda c: c["split"].update(structure=[{"size": 120, "prefix": "headings"}, {"size": 90}]))
    done = workflow.snakemake()
    assert done.returncode != 0
    assert "the files of blocks/ lack '" in done.stderr
    assert not (workflow.results / "chunks/structure/size=90.parquet").exists()


def test_an_output_that_was_deleted_is_made_again(workflow: Workflow) -> None:
    chunks = workflow.results / "chunks/fixed/size=60.parquet"
    content = chunks.read_bytes()
    chunks.unlink()
    assert "chunks/fixed/size=60.parquet" in workflow.run("results/chunks/fixed/size=60.parquet")
    assert chunks.read_bytes() == content
