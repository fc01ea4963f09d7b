"""The parts that bench.py times, ours and others', and how: one repetition a process.

    python benchmarks/parts.py GROUP NAME RESULTS

prints seconds, the most memory in MB and the figures, as JSON.
"""

from __future__ import annotations

import gc
import hashlib
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf, isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import peers
import pyarrow as pa
import yaml

from chunkgrid import tables
from chunkgrid.articles import Reading, read_article
from chunkgrid.bm25 import bm25_scores
from chunkgrid.cosine import cosine_scores
from chunkgrid.coverage import coverage_curves
from chunkgrid.evidence import evidence
from chunkgrid.handed import Handed, handed
from chunkgrid.lsa import fitted_rows, lsa_vectors
from chunkgrid.ranges import omega
from chunkgrid.retrieval import rank
from chunkgrid.scoring import rank_and_cover
from chunkgrid.splitting.chunks import Document, Piece, read_documents
from chunkgrid.splitting.fixed import fixed
from chunkgrid.splitting.recursive import recursive
from chunkgrid.splitting.sections import headings, structure

SIZE = 400
SPLIT = f"fixed/size={SIZE}"
DEPTH = {"hits": peers.HITS, "budget": 8000}
CONFIG = Path(__file__).resolve().parents[1] / "config/config.yaml"
SELECTORS = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["exclude"]


class Inputs:
    """What a run made of its articles, as far as a part needs it; a little of it where `few`."""

    def __init__(self, results: Path, few: bool = False) -> None:
        some, self.some_articles = (20, 2) if few else (None, None)
        self.results = results
        self.chunks = tables.read(results / f"chunks/{SPLIT}.parquet", tables.CHUNKS)[:some]
        self.queries = tables.read(results / "queries.parquet", tables.QUERIES)[:some]
        self.asked = self.queries["query"].to_pylist()

    @cached_property
    def texts(self) -> list[str]:
        return self.chunks["index_text"].to_pylist()

    @cached_property
    def fitted(self) -> np.ndarray:
        return fitted_rows(self.chunks["doc_id"].to_pylist(), self.chunks["index_start"].to_pylist(), seed=0)

    @cached_property
    def documents(self) -> list[Document]:
        articles = tables.read(self.results / "documents.parquet", tables.DOCUMENTS)
        blocks = tables.read_batches(sorted(self.results.glob("blocks/*")), articles)
        return list(read_documents(articles, blocks))[: self.some_articles]

    @cached_property
    def pages(self) -> list[bytes]:
        sources = tables.read(self.results / "documents.parquet", columns=["source"])["source"].to_pylist()
        html = [source for source in sources if source.endswith((".html", ".htm"))]
        return [Path(source).read_bytes() for source in html[: self.some_articles]]


class Work(NamedTuple):
    """`run` is timed, on what `prepare` makes of the inputs; where two are to be equal, their `figures` are."""

    prepare: Callable[[Inputs], tuple[Any, ...]]
    run: Callable[..., Any]
    figures: Callable[[Any, Inputs], Any] = lambda *_: None


class Run(NamedTuple):
    """One repetition: seconds, the most memory that its process ever had, in MB, and the figures."""

    seconds: float
    peak: float
    figures: Any


# --- ours ------------------------------------------------------------------------------------


def ranked(scores: Any) -> list[peers.Ranking]:
    return [rank(row, lambda ranking: peers.HITS if len(ranking) >= peers.HITS else None) for row in scores]


def cell(of: Inputs) -> Any:
    """What the job of a BM25 cell does between reading and writing its tables."""
    return rank_and_cover(of.chunks, of.queries, bm25_scores(of.chunks["index_text"], of.asked), **DEPTH)


def rankings(of: Inputs) -> tuple[list[np.ndarray], pa.Table, Handed]:
    """All ranks of that cell, by question, and what their coverage is read off."""
    found, _ = cell(of)
    hits = Counter(found["query_id"].to_pylist())
    ends = np.cumsum([hits[query] for query in of.queries["query_id"].to_pylist()])
    return np.split(found["chunk"].to_numpy(), ends[:-1]), of.queries, handed(of.chunks)


def covered(found: Sequence[np.ndarray], queries: pa.Table, over: Handed) -> pa.Table:
    of_gold = evidence(queries, over)
    return coverage_curves(of_gold, omega(over.spans, of_gold.gold), found, over, DEPTH["hits"])


def read(pages: Sequence[bytes], questions: str) -> list[list[peers.Block]]:
    reading = Reading(SELECTORS, questions)
    articles = (read_article(page, "page", "page.html", reading) for page in pages)
    return [[(block["kind"], block["text"], block["header"]) for block in article.blocks] for article in articles]


def splitter(cut: Callable[..., Any], *arguments: Any) -> Work:
    def run(documents: Sequence[Document]) -> list[list[Piece]]:
        return [list(cut(document, *arguments)) for document in documents]

    def texts(found: list[list[Piece]], of: Inputs) -> str:
        pairs = zip(of.documents, found, strict=True)
        return digest([[one.text[piece.start : piece.end] for piece in pieces] for one, pieces in pairs], of)

    return Work(lambda of: (of.documents,), run, texts)


# --- figures ---------------------------------------------------------------------------------


def scores(found: Sequence[peers.Ranking], _: Inputs) -> list[float]:
    """Of every question's best hits."""
    return [float(score) for _, of_question in found for score in of_question[: peers.HITS]]


def recall(found: Sequence[peers.Ranking], of: Inputs) -> list[float]:
    """Recall at 5 of the gold, the mean."""
    top = [chunks[:5] for chunks, _ in found]
    curves = covered(top, of.queries, handed(of.chunks))["coverage"].to_pylist()
    return [float(np.mean([curve[-1] if curve else 0.0 for curve in curves]))]


def digest(found: Any, _: Inputs) -> str:
    return hashlib.sha256(repr(found).encode()).hexdigest()


def apart(ours: Any, theirs: Any) -> float:
    """The largest relative difference of two lists of numbers; infinite where one has a number and one has none."""
    if ours == theirs:
        return 0.0
    if not isinstance(ours, list) or len(ours) != len(theirs):
        return inf
    gaps = [abs(a - b) / max(abs(a), abs(b)) for a, b in zip(ours, theirs, strict=True) if a != b]
    return inf if any(map(isnan, gaps)) else max(gaps)


# --- all of them -----------------------------------------------------------------------------


def of_texts(of: Inputs) -> tuple[list[str], int]:
    return [document.text for document in of.documents], SIZE


def of_cell(of: Inputs) -> tuple[Any, ...]:
    return of.chunks["index_text"], of.asked


GROUPS: dict[str, dict[str, Work]] = {
    "one BM25 cell": {
        "ours": Work(of_cell, lambda *given: ranked(bm25_scores(*given)), scores),
        "CountVectorizer": Work(lambda of: (of.texts, of.asked), peers.count_vectorizer, scores),
        "bm25s, given the tokens": Work(lambda of: peers.bm25s_tokens(of.texts, of.asked), peers.bm25s_top, scores),
    },
    "one LSA cell": {
        "ours": Work(
            lambda of: (*of_cell(of), of.fitted), lambda *given: ranked(cosine_scores(*lsa_vectors(*given))), recall
        ),
        "TfidfVectorizer and TruncatedSVD": Work(lambda of: (of.texts, of.asked, of.fitted), peers.sklearn_lsa, recall),
    },
    "coverage": {
        "ours": Work(rankings, covered),
        "the cell": Work(lambda of: (of,), cell),
    },
    "pages to blocks": {
        "ours": Work(lambda of: (of.pages, "none"), read, digest),
        "ours, and questions taken out": Work(lambda of: (of.pages, "faq"), read),
        "Beautiful Soup": Work(lambda of: (of.pages, SELECTORS), peers.soup_blocks, digest),
        "selectolax, the parse alone": Work(lambda of: (of.pages,), peers.lexbor),
    },
    "splitting": {
        "fixed": splitter(fixed, SIZE),
        "recursive": splitter(recursive, SIZE),
        "headings": splitter(headings, 3),
        "structure": splitter(structure, SIZE),
        "LangChain": Work(of_texts, peers.langchain, digest),
        "chonkie": Work(of_texts, peers.chonkie),
        "semantic-text-splitter": Work(of_texts, peers.semantic_text_splitter),
    },
}


def timed(group: str, name: str, results: Path) -> Run | None:
    """One repetition, after a little of the same; None where the package is not installed."""
    work = GROUPS[group][name]
    try:
        work.run(*work.prepare(Inputs(results, few=True)))
    except ModuleNotFoundError as error:
        if error.name not in peers.OPTIONAL:
            raise
        return None
    of = Inputs(results)
    given = work.prepare(of)
    gc.collect()
    began = time.perf_counter()
    found = work.run(*given)
    seconds = time.perf_counter() - began
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    return Run(seconds, peak, work.figures(found, of))


def megabytes(usage: resource.struct_rusage) -> float:
    """The most memory that a process had, or any process that it waited for."""
    return usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    print(json.dumps(timed(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
