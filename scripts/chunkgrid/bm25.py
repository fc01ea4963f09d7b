"""BM25 over character 2-grams, or over words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from scipy import sparse

from .ngrams import Texts, Vocabulary, counts_of, listed
from .words import word_counts


def bm25_scores(
    texts: Texts, queries: Sequence[str], k1: float = 1.2, b: float = 0.75, analyzer: Literal["char", "word"] = "char"
) -> Iterator[np.ndarray]:
    """The score of every text for each query in turn: arrays of shape (texts,), float64.

    idf = ln(1 + (N - df + 0.5) / (df + 0.5)); the weight of a term in a text is
    idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / avglen)), len = number of terms; each distinct term of a
    query counts once (Robertson and Zaragoza 2009, with Lucene's positive idf). Terms are character 2-grams, or words.
    """
    asked, counts, lengths = _char_counts(texts, queries) if analyzer == "char" else word_counts(listed(texts), queries)
    weights = _weights(counts.tocsc(), lengths, k1, b)
    for first, last in zip(asked.indptr[:-1], asked.indptr[1:], strict=True):
        # The columns of its terms, one after another, added up by text.
        columns = [slice(*weights.indptr[n : n + 2]) for n in asked.indices[first:last]]
        rows = np.concatenate([weights.indices[:0], *(weights.indices[column] for column in columns)])
        values = np.concatenate([weights.data[:0], *(weights.data[column] for column in columns)])
        yield np.bincount(rows, values, minlength=len(texts)).astype(np.float64, copy=False)


def _char_counts(texts: Texts, queries: Sequence[str]) -> tuple[sparse.csr_array, sparse.csr_array, np.ndarray]:
    """As `word_counts`, of 2-grams."""
    vocabulary = Vocabulary.of(queries)  # what no query asks for need not be counted
    asked, _ = counts_of(queries, vocabulary)
    return asked, *counts_of(texts, vocabulary)


def _weights(counts: sparse.csc_array, lengths: np.ndarray, k1: float, b: float) -> sparse.csc_array:
    """What each term weighs in each text: shape (texts, terms)."""
    frequency = np.diff(counts.indptr)
    idf = np.log1p((len(lengths) - frequency + 0.5) / (frequency + 0.5))
    average = lengths.mean() if len(lengths) else 0.0
    norm = k1 * (1 - b + b * lengths / (average or 1.0))
    weights = counts.data / (counts.data + norm[counts.indices])
    weights *= np.repeat(idf * (k1 + 1), frequency)
    return sparse.csc_array((weights, counts.indices, counts.indptr), shape=counts.shape)
