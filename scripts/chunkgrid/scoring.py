"""A retriever's scores to its two tables: what it ranks, and how much of each answer that covers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from .coverage import Handed, coverage_curves, evidence
from .errors import InputError
from .retrieval import deep_enough, handed_over, rank
from .tables import RANKINGS, marked
from .units import CHARACTERS, sizes


def handed(chunks: pa.Table, unit: str = CHARACTERS) -> Handed:
    """What the chunks of a table hand over; `unit` is that of budgets."""
    doc_ids = np.array(chunks["doc_id"].to_pylist(), dtype=object)
    starts, ends = (np.array(chunks[name].to_numpy(), dtype=np.float64) for name in ("start", "end"))
    texts = chunks["text"].to_pylist()
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    in_unit = lengths if unit == CHARACTERS else sizes(texts, unit)
    return Handed(doc_ids, starts, ends, texts, lengths, in_unit, handed_over(doc_ids, starts, ends))


def rank_and_cover(
    chunks: pa.Table, queries: pa.Table, scores: Iterable[np.ndarray], hits: int, budget: int, unit: str = CHARACTERS
) -> tuple[pa.Table, pa.Table]:
    """The tables of rankings and of coverage, questions sorted by id as `queries` are.

    `scores` yields an array over all chunks for each query in turn. Rankings are deep enough for
    `hits` different spans and for a `budget` in its `unit`. Raises InputError for scores that are not one finite
    number a chunk.
    """
    over = handed(chunks, unit)
    enough = deep_enough(over.same, over.sizes, hits, budget)
    ids = queries["query_id"].to_pylist()
    found = [rank(_checked(row, len(over.texts)), enough) for row in scores]
    if len(found) != len(ids):
        raise InputError(f"the retriever gave scores for {len(found)} questions, not for {len(ids)}")
    ranked = [chunk for chunk, _ in found]
    table = pa.table(
        {
            "query_id": np.repeat(np.array(ids, dtype=object), [len(chunk) for chunk in ranked]),
            "rank": np.concatenate([np.arange(1, len(chunk) + 1) for chunk in ranked]),
            "chunk": np.concatenate(ranked),
            "score": np.concatenate([score for _, score in found]),
        },
        schema=RANKINGS,
    )
    coverage = coverage_curves(list(evidence(queries.to_pylist(), over)), ranked, over, hits)
    return marked(table, queries), marked(coverage, queries)


def _checked(scores: np.ndarray, chunks: int) -> np.ndarray:
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (chunks,):
        raise InputError(f"the retriever gave scores of shape {scores.shape} for {chunks} chunks")
    if not np.isfinite(scores).all():
        raise InputError("the retriever gave a score that is no number")
    return scores
