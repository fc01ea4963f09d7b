"""How fast and how large chunkgrid is, beside the same work done with other libraries, all in one run.

    python benchmarks/bench.py [--articles GLOB] [--full] [--out docs/benchmarks.md]

The default grid is run on the articles from nothing, in a folder that is removed; its tables are what the parts are then
timed on. Each repetition is a process of its own, which does the work once on a little, collects garbage, and is
timed; ours and the others take turns, A B A B. What is compared for equality is compared in every repetition.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # before numpy is read

import argparse
import csv
import gc
import json
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cached_property, partial
from glob import escape, glob
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import yaml

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE / "scripts"))

import peers  # noqa: E402
from chunkgrid import tables  # noqa: E402
from chunkgrid.articles import Reading, read_article  # noqa: E402
from chunkgrid.bm25 import bm25_scores  # noqa: E402
from chunkgrid.coverage import coverage_curves, evidence  # noqa: E402
from chunkgrid.lsa import fitted_rows, lsa_scores  # noqa: E402
from chunkgrid.retrieval import rank  # noqa: E402
from chunkgrid.scoring import handed, rank_and_cover  # noqa: E402
from chunkgrid.splitting.chunks import Document, read_documents  # noqa: E402
from chunkgrid.splitting.fixed import fixed  # noqa: E402
from chunkgrid.splitting.recursive import recursive  # noqa: E402
from chunkgrid.splitting.sections import headings, structure  # noqa: E402

SIZE = 400
SPLIT = f"fixed/size={SIZE}"
DEPTH = {"hits": 100, "budget": 8000}
SELECTORS = yaml.safe_load((HOUSE / "config/config.yaml").read_text(encoding="utf-8"))["exclude"]
PACKAGES = ("snakemake", "numpy", "scipy", "scikit-learn", "lxml", "beautifulsoup4", "langchain-text-splitters")
PACKAGES += ("pyarrow", "bm25s", "chonkie", "semantic-text-splitter", "selectolax")

# --- what is timed ---------------------------------------------------------------------------


class Inputs:
    """What a run made of its articles, as far as the parts need it; a little of it where `few`."""

    def __init__(self, results: Path, few: bool = False) -> None:
        self.results, self.most = results, 20 if few else None
        self.chunks = tables.read(results / f"chunks/{SPLIT}.parquet", tables.CHUNKS)[: self.most]
        self.queries = tables.read(results / "queries.parquet", tables.QUERIES)[: self.most]
        self.asked = self.queries["query"].to_pylist()

    @cached_property
    def texts(self) -> list[str]:
        return self.chunks["index_text"].to_pylist()

    @cached_property
    def fitted(self) -> np.ndarray:
        return fitted_rows(self.chunks["doc_id"].to_pylist(), self.chunks["index_start"].to_pylist(), 0)

    @cached_property
    def documents(self) -> list[Document]:
        rows = tables.read(self.results / "documents.parquet", tables.DOCUMENTS)[: self.most and 2]
        return list(read_documents(rows, tables.read_batches(sorted(self.results.glob("blocks/*")), rows)))

    @cached_property
    def pages(self) -> list[bytes]:
        rows = tables.read_all(sorted(self.results.glob("read/*.parquet")), tables.ARTICLES, ["source", "error"])
        sources = [row["source"] for row in rows.to_pylist() if row["error"] is None]
        return [Path(source).read_bytes() for source in sources if source.endswith("html")][: self.most and 2]


def enough(ranking: np.ndarray) -> bool:
    return len(ranking) >= peers.HITS


def bm25_top(texts: Any, asked: Sequence[str]) -> list[peers.Ranking]:
    return [rank(scores, enough) for scores in bm25_scores(texts, asked)]


def lsa_top(texts: Any, asked: Sequence[str], fitted: np.ndarray) -> list[peers.Ranking]:
    return [rank(scores, enough) for scores in lsa_scores(texts, asked, fitted)]


def best_scores(found: list[peers.Ranking], _: Inputs) -> list[float]:
    return [float(score) for _, scores in found for score in scores[: peers.HITS]]


def recall(found: list[peers.Ranking], of: Inputs) -> list[float]:
    """Recall at 5 of the gold, the mean."""
    over = handed(of.chunks)
    curves = coverage_curves(list(evidence(of.queries, over)), [chunks[:5] for chunks, _ in found], over, 5)
    return [float(np.mean([(curve or [0.0])[-1] for curve in curves["coverage"].to_pylist()]))]


def blocks(pages: list[bytes], questions: str) -> list[list[peers.Block]]:
    reading = Reading(SELECTORS, questions)
    articles = [read_article(page, "page", "page.html", reading) for page in pages]
    return [[(block["kind"], block["text"], block["header"]) for block in article.blocks] for article in articles]


def covered(rankings: list[np.ndarray], of: Inputs) -> None:
    over = handed(of.chunks)
    coverage_curves(list(evidence(of.queries, over)), rankings, over, DEPTH["hits"])


def ranked_whole(of: Inputs) -> tuple[list[np.ndarray], Inputs]:
    rankings, _ = cell(of)
    bounds = np.flatnonzero(rankings["rank"].to_numpy() == 1)[1:]
    return np.split(rankings["chunk"].to_numpy(), bounds), of


def cell(of: Inputs) -> Any:
    """All that the job of a BM25 cell does between reading and writing its tables."""
    return rank_and_cover(of.chunks, of.queries, bm25_scores(of.chunks["index_text"], of.asked), **DEPTH)


def each(cut: Callable[..., Any], of: Sequence[Any], *arguments: Any) -> list[Any]:
    return [list(cut(one, *arguments)) for one in of]


def of_documents(of: Inputs) -> tuple[list[Document], int]:
    return of.documents, SIZE


def of_texts(of: Inputs) -> tuple[list[str], int]:
    return [document.text for document in of.documents], SIZE


class Work(NamedTuple):
    """What `run` is timed on is made by `prepare`; two that are equal have the same `figures`."""

    prepare: Callable[[Inputs], tuple[Any, ...]]
    run: Callable[..., Any]
    figures: Callable[[Any, Inputs], Any] = lambda *_: None


WORKS = {
    "bm25": Work(lambda of: (of.chunks["index_text"], of.asked), bm25_top, best_scores),
    "CountVectorizer": Work(lambda of: (of.texts, of.asked), peers.count_vectorizer, best_scores),
    "bm25s": Work(lambda of: peers.bm25s_tokens(of.texts, of.asked), peers.bm25s_top, best_scores),
    "lsa": Work(lambda of: (of.chunks["index_text"], of.asked, of.fitted), lsa_top, recall),
    "TfidfVectorizer, TruncatedSVD": Work(lambda of: (of.texts, of.asked, of.fitted), peers.sklearn_lsa, recall),
    "read": Work(lambda of: (of.pages, "none"), blocks, lambda found, _: found),
    "read and take questions out": Work(lambda of: (of.pages, "faq"), blocks),
    "Beautiful Soup": Work(
        lambda of: (of.pages,), lambda pages: [peers.soup_blocks(p, SELECTORS) for p in pages], lambda found, _: found
    ),
    "selectolax, the parse alone": Work(lambda of: (of.pages,), partial(map_all := lambda f, of: [f(p) for p in of], peers.lexbor)),
    "coverage": Work(ranked_whole, covered),
    "cell": Work(lambda of: (of,), cell),
}
