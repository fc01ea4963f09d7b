"""Retrievers by vectors and of other retrievers, as cells of a grid."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from conftest import Workflow

from chunkgrid import tables

RETRIEVE = {
    "bm25": [{}],
    "dense": [{"name": "mine", "model": "vectors", "file": "vectors.parquet"}],
    "hybrid": [{"name": "both", "of": [["bm25/default", "dense/mine"]]}],
    "rerank": [{"name": "bm25-by-mine", "of": "bm25/default", "by": "dense/mine", "top": 3}],
}


def rankings(workflow: Workflow, retriever: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row in pq.read_table(workflow.results / f"rankings/fixed/size=60/{retriever}.parquet").to_pylist():
        found.setdefault(row["query_id"], []).append(row["chunk"])
    return found


def test_they_run_and_only_what_is_new_is_embedded(fresh: Workflow) -> None:
    split = {"fixed": [{"size": 60}]}
    fresh.configure(lambda config: config.update(split=split))
    fresh.run()
    chunks = tables.read(fresh.results / "chunks/fixed/size=60.parquet")
    queries = tables.read(fresh.results / "queries.parquet")
    texts = sorted({*chunks["index_text"].to_pylist(), *queries["query"].to_pylist()})
    random = np.random.default_rng(0).normal(size=(len(texts), 8)).astype(np.float32)
    vectors = pa.array(random.tolist(), pa.list_(pa.float32()))
    pq.write_table(pa.table({"text": texts, "vector": vectors}), fresh.folder / "vectors.parquet")
    fresh.configure(lambda config: config.update(split=split, retrieve=RETRIEVE))
    fresh.run()
    # Exact cosine, of what is over 0, by hand.
    of = dict(zip(texts, random / np.linalg.norm(random, axis=1, keepdims=True), strict=True))
    of_chunks = np.stack([of[text] for text in chunks["index_text"].to_pylist()])
    dense, hybrid, rerank, bm25 = (
        rankings(fresh, name) for name in ("dense/mine", "hybrid/both", "rerank/bm25-by-mine", "bm25/default")
    )
    for query in queries.to_pylist():
        cosines = of_chunks.astype(np.float64) @ of[query["query"]].astype(np.float64)
        own = query["query_id"]
        assert dense[own] == [n for n in np.argsort(-cosines, kind="stable").tolist() if cosines[n] > 0]
        scores: dict[int, float] = {}
        for ranking in (bm25[own], dense[own]):
            for rank, chunk in enumerate(ranking, 1):
                scores[chunk] = scores.get(chunk, 0) + 1 / (60 + rank)
        assert hybrid[own] == sorted(scores, key=lambda chunk: (-round(scores[chunk], 12), chunk))
        place = {chunk: rank for rank, chunk in enumerate(dense[own])}
        head = sorted(bm25[own][:3], key=lambda chunk: (place.get(chunk, 10**6), bm25[own].index(chunk)))
        assert rerank[own] == head + bm25[own][3:]
    assert list((fresh.folder / "cache").glob("*/*.parquet"))
    # Another retriever touches none of this; a changed vector file remakes what stands on it.
    before = fresh.run()
    assert before == set()
    pq.write_table(
        pa.table({"text": texts, "vector": vectors.take(pa.array(range(len(texts))[::-1]))}),
        fresh.folder / "vectors.parquet",
    )
    made = fresh.run()
    assert {name for name in made if name.startswith("rankings/")} == {
        f"rankings/fixed/size=60/{name}.parquet" for name in ("dense/mine", "hybrid/both", "rerank/bm25-by-mine")
    }


def test_what_is_wrong_is_said_before_any_job(fresh: Workflow) -> None:
    for retrieve, sentence in (
        (
            {"hybrid": [{"name": "x", "of": [["bm25/default", "lsa/default"]]}], "bm25": [{}]},
            "of 'lsa/default' is no cell",
        ),
        ({"dense": [{"name": "x", "model": "usem"}]}, "model: 'usem' is not one of"),
        ({"dense": [{"name": "x", "model": "model2vec"}]}, "'path' is a required property"),
        ({"dense": [{"name": "x", "model": "vectors", "file": "none.parquet"}]}, "there is no file 'none.parquet'"),
    ):
        fresh.configure(lambda config, retrieve=retrieve: config.update(retrieve=retrieve))
        done = fresh.snakemake("-n")
        assert done.returncode != 0
        assert sentence in done.stdout + done.stderr
