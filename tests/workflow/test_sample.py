"""The default grid on the sample corpus, figure by figure against the independent program."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from conftest import HOUSE

ABOUT = {"split", "retriever", "questions_from", "questions", "answered", "query_id", "doc_id"}
COSTS = {"vectors", "dimensions", "vector_bytes", "embedded_tokens", "over_window"}
COSTS |= {"embedding_cost", "vector_bytes_ratio", "embedding_cost_ratio"}
INTERVAL_KEY = ("measure", "split", "retriever", "other_split", "other_retriever", "resample")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `results`, made by the pipeline, and `plain`, made by the independent program."""
    folder = tmp_path_factory.mktemp("sample")
    commands = [
        ["-m", "snakemake", "--snakefile", f"{HOUSE}/Snakefile", "--cores", "2"]
        + ["--workflow-profile", f"{HOUSE}/profiles/default", "--config", f"articles={HOUSE}/corpus/sample/*.html"],
        [f"{HOUSE}/benchmarks/straightforward.py", "--results", "results", "--out", "plain"],
    ]
    for command in commands:
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]
    return folder


def rows(sample: Path, name: str) -> list[dict]:
    return pq.read_table(sample / f"results/{name}.parquet").to_pylist()


def plain(sample: Path, name: str) -> list[dict[str, str]]:
    with open(sample / "plain" / name, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(value: str | float | None) -> float:
    return float(value) if value not in ("", None) else math.nan


def close(ours: list, theirs: list, retriever: str) -> bool:
    """Whether figures agree: 1e-6 for BM25, 1e-4 for LSA, null only where both are."""
    relative = 1e-4 if retriever.startswith("lsa") else 1e-6
    expected = pytest.approx(list(map(number, theirs)), rel=relative, abs=1e-12, nan_ok=True)
    return list(map(number, ours)) == expected


def test_every_mean_error_and_split_measure_is_the_plain_programs(sample: Path) -> None:
    ours = {(row["split"], row["retriever"]): row for row in rows(sample, "metrics")}
    theirs = {(row["split"], row["retriever"]): row for row in plain(sample, "metrics.csv")}
    assert len(ours) == 44
    assert ours.keys() == theirs.keys()
    names = [name for name in ours["fixed/size=400", "bm25/default"] if name not in ABOUT | COSTS]
    assert len(names) == 25 * 2 + 19
    assert set(names) == set(theirs["fixed/size=400", "bm25/default"]) - ABOUT
    for cell, row in ours.items():
        for name in names:
            assert close([row[name]], [theirs[cell][name]], cell[1]), (cell, name, row[name], theirs[cell][name])


def test_bm25_has_no_vectors_and_lsa_one_of_128_numbers_for_every_chunk(sample: Path) -> None:
    found = rows(sample, "metrics")
    size = {row["index_chunks"]: row["index_chunks"] * min(128, row["index_chunks"] - 1) * 4 for row in found}
    for row in found:
        count = row["index_chunks"] if row["retriever"] == "lsa/default" else 0
        assert (row["vectors"], row["vector_bytes"], row["embedded_tokens"]) == (count, size.get(count, 0), 0)
        assert row["vector_bytes_ratio"] == pytest.approx(size.get(count, 0) / min(size.values()))
        assert (row["over_window"], row["embedding_cost"], row["embedding_cost_ratio"]) == (None, None, None)


def test_every_interval_is_the_plain_programs(sample: Path) -> None:
    ours = {tuple(row[name] for name in INTERVAL_KEY): row for row in rows(sample, "intervals")}
    theirs = {tuple(row[name] for name in INTERVAL_KEY): row for row in plain(sample, "intervals.csv")}
    assert ours.keys() == theirs.keys()
    for key, row in ours.items():
        other = theirs[key]
        loosest = max(row["retriever"], row["other_retriever"])
        bounds = ("difference", "low", "high", "low_all", "high_all")
        assert close([row[name] for name in bounds], [other[name] for name in bounds], loosest), (row, other)
        assert {True: "true", False: "false", None: ""}[row["shown"]] == other["shown"].lower(), row


def test_every_question_is_the_plain_programs(sample: Path) -> None:
    key = ["split", "retriever", "query_id"]
    ours, theirs = (
        pq.read_table(sample / folder / "questions.parquet").sort_by([(name, "ascending") for name in key])
        for folder in ("results", "plain")
    )
    assert ours.num_rows == 44 * 197
    assert ours.select([*key, "doc_id"]).to_pylist() == theirs.select([*key, "doc_id"]).to_pylist()
    names = [name for name in ours.column_names if name not in ABOUT]
    assert len(names) == 25
    assert set(names) == set(theirs.column_names) - ABOUT
    for retriever in ("bm25/default", "lsa/default"):
        mine, other = (table.filter(pc.equal(table["retriever"], retriever)) for table in (ours, theirs))
        for name in names:
            assert close(mine[name].to_pylist(), other[name].to_pylist(), retriever), (retriever, name)
