"""BM25 over character 2-grams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .ngrams import bigram_codes, count_matrix

BLOCK = 64
"""Queries scored at once: what is held in memory is texts x this."""


def bm25_scores(texts: Sequence[str], queries: Sequence[str], k1: float = 1.2, b: float = 0.75) -> Iterator[np.ndarray]:
    """The score of every text for each query in turn: arrays of shape (texts,), float64.

    idf = ln(1 + (N - df + 0.5) / (df + 0.5)); the weight of a 2-gram in a text is
    idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / avglen)), len = number of 2-grams; each distinct
    2-gram of a query counts once (Robertson and Zaragoza 2009, with Lucene's positive idf).
    """
    query_codes, query_lengths = bigram_codes(queries)
    vocabulary = np.unique(query_codes)  # what no query asks for need not be counted
    codes, lengths = bigram_codes(texts)
    counts = count_matrix(codes, lengths, vocabulary)
    frequency = np.bincount(counts.indices, minlength=len(vocabulary))
    idf = np.log1p((len(texts) - frequency + 0.5) / (frequency + 0.5))
    average = lengths.mean() if len(texts) else 0.0
    norm = k1 * (1 - b + b * lengths / (average or 1.0))
    tf = counts.data
    rows = np.repeat(np.arange(len(texts)), np.diff(counts.indptr))
    counts.data = idf[counts.indices] * tf * (k1 + 1) / (tf + norm[rows])
    asked = count_matrix(query_codes, query_lengths, vocabulary)
    asked.data[:] = 1.0
    for first in range(0, len(queries), BLOCK):
        yield from (counts @ asked[first : first + BLOCK].T.toarray()).T
