"""Retrievers by vectors and of other retrievers, as cells of a grid."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Workflow
from tests.misbehaving import serving

from chunkgrid import tables
from chunkgrid.units import sizes

MODELS = {"vectors": [{"name": "mine", "file": "vectors.parquet", "price": 0.5}]}
RETRIEVE = {
    "bm25": [{}],
    "dense": [{"name": "mine", "model": "vectors/mine"}],
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
    fresh.configure(lambda config: config.update(split=split, models=MODELS, retrieve=RETRIEVE))
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
    # What that costs, of each cell.
    tokens = int(sizes(chunks["index_text"].to_pylist(), "tokens-cl100k_base").sum())
    bill = pytest.approx(tokens * 0.5 / 1e6)
    columns = ("vectors", "dimensions", "vector_bytes", "embedded_tokens", "over_window", "embedding_cost")
    metrics = tables.read(fresh.results / "metrics.parquet").to_pylist()
    assert {row["retriever"]: tuple(row[name] for name in columns) for row in metrics} == {
        "bm25/default": (0, None, 0, 0, None, 0),
        **dict.fromkeys(
            ("dense/mine", "hybrid/both", "rerank/bm25-by-mine"),
            (len(chunks), 8, len(chunks) * 8 * 4, tokens, None, bill),
        ),
    }
    # A price is no part of the vectors.
    cheaper = {"vectors": [{**MODELS["vectors"][0], "price": 0.25}]}
    fresh.configure(lambda config: config.update(split=split, models=cheaper, retrieve=RETRIEVE))
    made = fresh.run()
    assert {"metrics.parquet", "metrics.csv"} <= made
    assert not [name for name in made if name.split("/")[0] in ("costs", "rankings", "coverage")]
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
        ({"dense": [{"model": "usem/default"}]}, "model 'usem/default' is no model of the config's 'models'"),
        ({"rerank": [{"name": "x", "of": "bm25/default"}], "bm25": [{}]}, "give one of by, model"),
    ):
        fresh.configure(lambda config, retrieve=retrieve: config.update(retrieve=retrieve))
        done = fresh.snakemake("-n")
        assert done.returncode != 0
        assert sentence in done.stdout + done.stderr
    for models, sentence in (
        ({"usem": [{}]}, "config: models: there is no 'usem'; known are cross-encoder, endpoint, model2vec,"),
        ({"model2vec": [{}]}, "config: models.model2vec/default: 'path' is a required property"),
        ({"model2vec": [{"name": "m", "path": "./none"}]}, "config: models.model2vec/m: path: there is no folder"),
        ({"vectors": [{"name": "m", "file": "none.parquet"}]}, "there is no file 'none.parquet'"),
        ({"endpoint": [{"name": "m", "model": "m", "price": -1}]}, "price: -1 is less than the minimum of 0"),
    ):
        fresh.configure(lambda config, models=models: config.update(models=models))
        done = fresh.snakemake("-n")
        assert done.returncode != 0
        assert sentence in done.stdout + done.stderr


SPLITS = {
    "fixed": [{"size": 60}],
    "semantic": [{"size": 120, "model": ["endpoint/small"]}, {"name": "by-lsa", "size": 120}],
    "cluster": [{"size": 120, "model": "endpoint/small"}],
}


def test_splitters_compare_vectors_of_a_model_and_a_run_whose_endpoint_dies_goes_on(
    fresh: Workflow, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {"endpoint": [{"name": "small", "model": "small", "batch": 2, "price": 1000}]}
    retrieve = {"bm25": [{}], "dense": [{"name": "small", "model": "endpoint/small"}]}
    fresh.configure(lambda config: config.update(split=SPLITS, models=models, retrieve=retrieve))
    monkeypatch.setenv("EMBEDDINGS_API_KEY", "secret")
    with serving() as server:
        monkeypatch.setenv("EMBEDDINGS_BASE_URL", server.url)
        server.orders = [None, None, 500, None, 401]
        done = fresh.snakemake("--until", "split_semantic", cores=1)
        assert done.returncode != 0
        assert "the embeddings endpoint refuses the key (401): EMBEDDINGS_API_KEY" in done.stderr
        before = [text for body in server.asked for text in body["input"]]
        assert len(before) == 6
        fresh.run(cores=1)  # two jobs at once may both ask for what neither has yet
        asked = [text for body in server.asked for text in body["input"]]
    assert len(asked) == len(set(asked))  # what was embedded before the fault, or for another cell, is not asked again
    files = [path for path in fresh.folder.rglob("*") if path.is_file() and path.name != "config.yaml"]
    assert not any(b"secret" in path.read_bytes() for path in files)
    metrics = {
        (row["split"], row["retriever"]): row for row in tables.read(fresh.results / "metrics.parquet").to_pylist()
    }
    semantic = metrics["semantic/size=120-model=endpoint-small", "bm25/default"]
    cut = tables.read(fresh.results / "cut_costs/semantic/size=120-model=endpoint-small.parquet").to_pylist()[0]
    assert (semantic["vectors"], semantic["embedded_tokens"]) == (0, cut["embedded_tokens"])
    # The sentences hold the documents, but for white space between them.
    documents = tables.read(fresh.results / "documents.parquet")["text"].to_pylist()
    assert sum(map(len, documents)) / 3 < cut["embedded_tokens"] < sum(map(len, documents)) * 2
    assert semantic["embedding_cost"] == pytest.approx(cut["embedded_tokens"] / 1000)
    both = metrics["semantic/size=120-model=endpoint-small", "dense/small"]
    least = min(row["embedding_cost"] for row in metrics.values() if row["embedding_cost"])
    assert both["embedded_tokens"] > cut["embedded_tokens"]
    assert both["embedding_cost_ratio"] == pytest.approx(both["embedding_cost"] / least)
    assert metrics["semantic/by-lsa", "bm25/default"]["embedding_cost"] == 0
    # The endpoint's vectors know lengths alone, so that it cuts elsewhere than by words.
    places = [
        tables.read(fresh.results / f"chunks/semantic/{name}.parquet").select(["start", "end"]).to_pylist()
        for name in ("size=120-model=endpoint-small", "by-lsa")
    ]
    assert places[0] != places[1]
