"""Scores by the cosine of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from .retrieval import Approximate

BLOCK = 64
"""Queries scored at once: what is held in memory is texts x this."""


def cosine_scores(of_texts: np.ndarray, of_queries: np.ndarray) -> Iterator[Approximate]:
    """The cosine of every text for each query in turn; vectors are of length 1 or zero: (texts, d), (queries, d).

    Of each text, none is passed over as an index would; summed in float64, of vectors as they are (float32: 1e-7).
    """
    for first in range(0, len(of_queries), BLOCK):
        block = of_queries[first : first + BLOCK]
        for query, scores in zip(block, block @ of_texts.T, strict=True):
            yield Approximate(scores, partial(_cosines, of_texts, query))


def unit(vectors: np.ndarray, least: float = 0.0) -> np.ndarray:
    """Vectors made of length 1; those of length `least` or less are zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > least)


def _cosines(vectors: np.ndarray, query: np.ndarray, some: np.ndarray) -> np.ndarray:
    # Not a matrix product, whose rounding hangs on a row's place: equal vectors get equal scores.
    return (vectors[some].astype(np.float64) * query.astype(np.float64)).sum(axis=1)
