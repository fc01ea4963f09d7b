"""What Snakemake really runs, on a tiny corpus."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
from conftest import CONFIG, HOUSE, Workflow, write_articles

SPLITS = [
    *("fixed/size=60", "fixed/size=120", "recursive/size=60"),
    *("structure/size=120-prefix=headings", "parent-child/r-in-s"),
]
RETRIEVERS = ["bm25/default", "lsa/dimensions=8"]
AGGREGATES = {
    *("questions.parquet", "metrics.parquet", "metrics.csv"),
    *("intervals.parquet", "intervals.csv", "summary.txt", "report.html"),
    *(f"pictures/{name}.svg" for name in ("curves", "heat", "forest", "losses", "costs", "cuts", "lengths")),
}


def of_split(split: str) -> set[str]:
    """All that hangs on one split alone."""
    cells = {f"{kind}/{split}/{retriever}.parquet" for kind in ("rankings", "coverage") for retriever in RETRIEVERS}
    cells |= {f"costs/{split}/{retriever}.parquet" for retriever in RETRIEVERS if retriever.startswith("lsa/")}
    return cells | {f"{kind}/{split}.parquet" for kind in ("chunks", "cuts", "splits", "ceilings")}


def test_whole_run_makes_every_table(whole_run: Workflow) -> None:
    made = {name for name in whole_run.first if not name.startswith("blocks/")}
    read = {f"read/{batch:02}.parquet" for batch in range(4)}
    corpus = read | {"candidates.parquet", "reading.csv", "documents.parquet", "queries.parquet"}
    assert made == corpus | AGGREGATES | set().union(*map(of_split, SPLITS))


def test_second_run_does_nothing(workflow: Workflow) -> None:
    assert workflow.run() == set()


def test_equal_runs_give_equal_bytes(whole_run: Workflow, fresh: Workflow) -> None:
    fresh.run()
    assert fresh.contents() == whole_run.contents()


def test_one_cell_alone(fresh: Workflow) -> None:
    cell = "fixed/size=60/bm25/default.parquet"
    made = fresh.run(f"results/coverage/{cell}")
    assert {name for name in made if name.split("/")[0] in ("chunks", "rankings", "coverage", "questions.parquet")} == {
        "chunks/fixed/size=60.parquet",
        f"rankings/{cell}",
        f"coverage/{cell}",
    }


def test_metrics_have_a_row_a_cell_and_the_csv_says_the_same(whole_run: Workflow) -> None:
    metrics = pq.read_table(whole_run.results / "metrics.parquet")
    cells = list(zip(metrics["split"].to_pylist(), metrics["retriever"].to_pylist(), strict=True))
    assert cells == [(split, retriever) for split in SPLITS for retriever in RETRIEVERS]
    with open(whole_run.results / "metrics.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["questions_from"] for row in rows} == set(metrics["questions_from"].to_pylist()) == {"faq"}
    for column in (name for name in metrics.column_names[2:] if name != "questions_from"):
        written = [float(row[column]) if row[column] else None for row in rows]
        assert written == metrics[column].to_pylist(), column


def test_summary_is_printed_with_the_best_cell_first(fresh: Workflow) -> None:
    done = fresh.snakemake()
    text = (fresh.results / "summary.txt").read_text(encoding="utf-8")
    assert text in done.stdout
    assert "4 articles" in text
    assert "8 questions found, 8 used" in text
    metrics = pq.read_table(fresh.results / "metrics.parquet").to_pylist()
    best = min(metrics, key=lambda row: (-row["budget_recall@200"], row["split"], row["retriever"]))
    marked = next(line for line in text.splitlines() if line.startswith("*"))
    assert marked.split()[1:3] == [best["split"], best["retriever"]]


def test_an_unreadable_article_is_skipped_counted_and_named(fresh: Workflow) -> None:
    (fresh.folder / "articles/empty.html").write_bytes(b"<html><body><script>x</script></body></html>")
    fresh.run()
    with open(fresh.results / "reading.csv", encoding="utf-8-sig", newline="") as file:
        errors = {row["doc_id"]: row["error"] for row in csv.DictReader(file)}
    assert {doc for doc, error in errors.items() if error} == {"empty.html"}
    assert len(errors) == 5
    assert "empty.html" in (fresh.results / "summary.txt").read_text(encoding="utf-8")


def test_an_unreadable_article_stops_the_run_if_so_configured(fresh: Workflow) -> None:
    (fresh.folder / "articles/empty.html").write_bytes(b"\xff\x80\x80")
    fresh.configure(lambda config: config.update(on_error="stop"))
    done = fresh.snakemake()
    assert done.returncode != 0
    assert "articles/empty.html: cannot be decoded" in done.stderr
    assert not (fresh.results / "documents.parquet").exists()


def test_without_a_question_reading_finishes_and_nothing_is_split(fresh: Workflow) -> None:
    for article in (fresh.folder / "articles").iterdir():
        article.write_text("<h1>題</h1><p>質問のない記事の本文です。</p>", encoding="utf-8")
    done = fresh.snakemake()
    assert done.returncode != 0
    assert "no usable question" in done.stderr
    assert "paragraphs 'Q. …'" in done.stderr
    made = {name for name in fresh.dates() if name.split("/")[0] not in ("blocks", "read")}
    assert made == {"candidates.parquet", "documents.parquet", "reading.csv"}


def test_as_a_module_twice_in_one_workflow(fresh: Workflow) -> None:
    write_articles(fresh.folder / "others", {"かま": 50, "すき": 61})
    snakefile = fresh.folder / "Snakefile"
    snakefile.write_text(
        f"""
for_one = dict(config, results="one")
for_two = dict(config, results="two", articles="others/*.html")

module one:
    snakefile: "{HOUSE}/Snakefile"
    config: for_one

use rule * from one as one_*

module two:
    snakefile: "{HOUSE}/Snakefile"
    config: for_two

use rule * from two as two_*

rule both:
    input: rules.one_all.input, rules.two_all.input
    default_target: True
""",
        encoding="utf-8",
    )
    fresh.run(snakefile=snakefile)
    rows = {
        name: pq.read_table(fresh.folder / name / "metrics.parquet")["questions"][0].as_py() for name in ("one", "two")
    }
    assert rows == {"one": 8, "two": 4}
    before = {path: path.stat().st_mtime_ns for path in fresh.folder.rglob("*.parquet")}
    fresh.run(snakefile=snakefile)
    assert {path: path.stat().st_mtime_ns for path in fresh.folder.rglob("*.parquet")} == before


def test_the_configured_baseline_is_what_cells_are_compared_with(whole_run: Workflow) -> None:
    intervals = pq.read_table(whole_run.results / "intervals.parquet").to_pylist()
    against = {
        (row["split"], row["retriever"]) for row in intervals if row["other_split"] == CONFIG["compare"]["baseline"]
    }
    assert {(split, r) for split in SPLITS[1:] for r in RETRIEVERS} <= against


def test_a_dry_run_says_what_would_run_and_why_and_runs_nothing(workflow: Workflow) -> None:
    workflow.configure(lambda config: config["compare"].update(resamples=300))
    before = workflow.dates()
    done = workflow.snakemake("-n", cores=None)
    assert done.returncode == 0
    counts = dict(line.split() for line in done.stdout.splitlines() if len(line.split()) == 2 and line[0] != " ")
    assert {name: int(n) for name, n in counts.items() if n.isdigit()} == {
        **{"intervals": 1, "report": 1, "summary": 1, "all": 1},
        "total": 4,
    }
    assert "params have changed since last execution:\n        intervals" in done.stdout
    assert workflow.dates() == before


def test_the_graph_of_rules_can_be_drawn(workflow: Workflow) -> None:
    graph = workflow.snakemake("--rulegraph", "mermaid-js", cores=None).stdout
    rule_of = dict(re.findall(r"(id\d+)\[(\w+)\]", graph))
    arrows = {(rule_of[one], rule_of[other]) for one, other in re.findall(r"(id\d+) --> (id\d+)", graph)}
    assert {one for one, other in arrows if other == "split_structure"} == {"blocks", "documents"}
    assert {one for one, other in arrows if other == "split_parent_child"} == {"split_recursive", "split_structure"}
    assert {other for one, other in arrows if one == "retrieve_bm25"} == {"questions", "report"}
    assert ("metrics", "intervals") in arrows


def test_snakemakes_own_report_has_the_pictures_and_tables_with_captions(workflow: Workflow) -> None:
    done = workflow.snakemake("--report", "report.zip", cores=None)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(workflow.folder / "report.zip") as packed:
        names = {Path(name).name for name in packed.namelist()}
        own = packed.read("report/report.html").decode()
    pictures = {Path(name).name for name in AGGREGATES if name.startswith("pictures/")}
    assert names == pictures | {"metrics.csv", "intervals.csv", "report.html"}
    assert "retrieve_bm25" in own
    for said in ("differences to the baseline", "the larger chunk always looks better", "Pictures", "Tables"):
        assert said in own.replace("\\n", " "), said
    assert workflow.run() == set()


def test_a_run_begins_with_an_estimate(fresh: Workflow) -> None:
    done = fresh.snakemake("--until", "reading")
    assert "6 jobs over 4 articles (0.0 MB): about " in done.stderr


def test_a_folder_of_everything(fresh: Workflow) -> None:
    """Nested, of every kind, with names that shells and Snakemake stumble over; two of one name stay two."""
    folder = fresh.folder / "articles"
    names = [
        'a b\'s "c" $(touch x); {d}.html',
        "改\n行.htm",
        "x" * 200 + ".html",
        "sub/さじ.html",
        "sub/deep/さじ.html",
    ]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"<h1>題</h1><p>{name.rsplit('/')[0][:5]}の本文です。</p>", encoding="utf-8")
    answer = "棚卸しの手順を、忘れないうちに書き留めたものです。月に一度、必ず最初から読み返します。"
    question = f"Q. 何のメモですか。\n\nA. {answer}"
    (folder / "memo.md").write_text(f"# メモ\n\n{question}\n", encoding="utf-8")
    (folder / "note.txt").write_text("覚え書き。\n\n次の段落。", encoding="utf-8")
    (folder / "export.jsonl").write_text(
        '{"id": "行1", "text": "輸出した記事です。"}\n{"id": "行2"}\n', encoding="utf-8"
    )
    (folder / "picture.png").write_bytes(b"\x89PNG")
    fresh.configure(lambda config: config.update(articles="articles"))
    done = fresh.snakemake("results/reading.csv")
    assert done.returncode == 0, done.stderr
    assert "12 articles, " in done.stdout
    assert "9 questions found, 9 used" in done.stdout
    assert "1 not read: 行2: row 2 holds nothing in html, markdown or text" in done.stdout
    assert "1 left out: articles/picture.png: is no kind of article by its name" in done.stdout
    with open(fresh.results / "reading.csv", encoding="utf-8-sig", newline="") as file:
        status = {row["doc_id"]: row["status"] for row in csv.DictReader(file)}
    read = {*names, "memo.md", "note.txt", "行1", "さじ.html", "やかん.html", "はさみ.html", "ほうき.html"}
    assert status == {**dict.fromkeys(read, "read"), "行2": "failed", "articles/picture.png": "left out"}
    fresh.run()
    assert set(pq.read_table(fresh.results / "documents.parquet")["doc_id"].to_pylist()) == read
    assert set(pq.read_table(fresh.results / "chunks/fixed/size=60.parquet")["doc_id"].to_pylist()) == read
    assert fresh.run() == set()
    assert not (fresh.folder / "x").exists()
