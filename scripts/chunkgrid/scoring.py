"""A retriever's scores to its two tables: what it ranks, and how much of each answer that covers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .coverage import coverage_curves
from .errors import InputError
from .evidence import evidence
from .handed import handed
from .naming import CHARACTERS
from .ranges import omega
from .retrieval import Approximate, needed, rank
from .tables import RANKINGS, marked


def rank_and_cover(
    chunks: pa.Table,
    queries: pa.Table,
    scores: Iterable[np.ndarray | Approximate],
    hits: int,
    budget: int,
    unit: str = CHARACTERS,
) -> tuple[pa.Table, pa.Table]:
    """The tables of rankings and of coverage, questions sorted by id as `queries` are.

    `scores` yields an array over all chunks that are searched (`tables.searched`) for each query in turn. Rankings are
    as deep as it takes for `hits` different spans, or as many as touch the gold, and for more than a `budget` in its
    `unit`. Raises InputError for scores that are not one finite number a chunk.
    """
    over = handed(chunks, unit)
    found = evidence(queries, over)
    best = omega(over.smallest, found.gold) if over.has_spans else None
    ids = queries["query_id"].to_pylist()
    depths = np.maximum(hits, best.touching if best else 0) * np.ones(len(ids), np.int64)
    rankings: list[tuple[np.ndarray, np.ndarray]] = []
    searched = np.flatnonzero(pc.is_valid(chunks["index_text"]).to_numpy())
    for row in scores:
        depth = int(depths[len(rankings)]) if len(rankings) < len(ids) else 0
        places, rounded = rank(_checked(row, len(searched)), partial(needed, over, budget, depth, searched))
        rankings.append((searched[places], rounded))
    if len(rankings) != len(ids):
        raise InputError(f"the retriever gave scores for {len(rankings)} questions, not for {len(ids)}")
    ranked = [chunk for chunk, _ in rankings]
    table = pa.table(
        {
            "query_id": np.repeat(np.array(ids, dtype=object), [len(chunk) for chunk in ranked]),
            "rank": np.concatenate([np.arange(1, len(chunk) + 1) for chunk in ranked]),
            "chunk": np.concatenate(ranked),
            "score": np.concatenate([score for _, score in rankings]),
        },
        schema=RANKINGS,
    )
    coverage = coverage_curves(found, best, ranked, over, hits)
    return marked(table, queries), marked(coverage, queries)


def hits_of(rankings: pa.Table) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For every question of a table of rankings its chunks, best first, and their scores."""
    ids = np.array(rankings["query_id"].to_pylist(), dtype=object)
    chunks, scores = (rankings[name].to_numpy() for name in ("chunk", "score"))
    bounds = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1], [True]])) if len(ids) else np.zeros(1, int)
    return {ids[a]: (chunks[a:b], scores[a:b]) for a, b in pairwise(bounds.tolist())}


def _checked(scores: np.ndarray | Approximate, chunks: int) -> np.ndarray | Approximate:
    if isinstance(scores, Approximate):
        return scores
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (chunks,):
        raise InputError(f"the retriever gave scores of shape {scores.shape} for {chunks} chunks")
    if not np.isfinite(scores).all():
        raise InputError("the retriever gave a score that is no number")
    return scores
