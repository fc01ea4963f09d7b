"""A retriever's scores to its two tables: what it ranks, and how much of each answer that covers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from .coverage import Handed, coverage_curves, evidence
from .errors import InputError
from .retrieval import Approximate, deep_enough, handed_over, rank
from .tables import RANKINGS, are_slices, marked
from .units import CHARACTERS, sizes


def handed(chunks: pa.Table, unit: str = CHARACTERS) -> Handed:
    """What the chunks of a table hand over; `unit` is that of budgets."""
    encoded = chunks["doc_id"].combine_chunks().dictionary_encode()
    doc_ids, docs = encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
    starts, ends = (chunks[name].to_numpy().astype(np.float64) for name in ("start", "end"))
    texts = None if are_slices(chunks) else chunks["text"].to_pylist()
    lengths = (ends - starts).astype(np.int64) if texts is None else np.array([len(text) for text in texts], np.int64)
    in_unit = lengths if unit == CHARACTERS else sizes(chunks["text"].to_pylist(), unit)
    return Handed(doc_ids, docs, starts, ends, texts, lengths, in_unit, handed_over(docs, starts, ends))


def rank_and_cover(
    chunks: pa.Table,
    queries: pa.Table,
    scores: Iterable[np.ndarray | Approximate],
    hits: int,
    budget: int,
    unit: str = CHARACTERS,
) -> tuple[pa.Table, pa.Table]:
    """The tables of rankings and of coverage, questions sorted by id as `queries` are.

    `scores` yields an array over all chunks for each query in turn. Rankings are deep enough for
    `hits` different spans and for a `budget` in its `unit`. Raises InputError for scores that are not one finite
    number a chunk.
    """
    over = handed(chunks, unit)
    enough = deep_enough(over.same, over.sizes, hits, budget)
    ids = queries["query_id"].to_pylist()
    found = [rank(_checked(row, len(over.docs)), enough) for row in scores]
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
    coverage = coverage_curves(evidence(queries, over), ranked, over, hits)
    return marked(table, queries), marked(coverage, queries)


def _checked(scores: np.ndarray | Approximate, chunks: int) -> np.ndarray | Approximate:
    if isinstance(scores, Approximate):
        return scores
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (chunks,):
        raise InputError(f"the retriever gave scores of shape {scores.shape} for {chunks} chunks")
    if not np.isfinite(scores).all():
        raise InputError("the retriever gave a score that is no number")
    return scores
