"""Latent semantic analysis over character 2-grams: scikit-learn's, from numbers instead of strings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from .cosine import unit
from .ngrams import Texts, counts_of, own_counts

MAX_FEATURES = 60_000
FITTED = 6_000
IN_FLOAT64 = 2_000
"""Up to so many fitted texts nothing is gained by float32, and a space of low rank may need better."""
_NOISE = 100
"""Up to so many times the precision of the largest, a square of a singular value is nothing but rounding."""
_ZERO = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4}
"""Norm below which a vector (of TF-IDF norm 1 or less) is nothing but rounding."""


def fitted_rows(doc_ids: Sequence[str], starts: Sequence[int | None], seed: int, count: int = FITTED) -> np.ndarray:
    """Rows that the decomposition is fitted on, ascending: those of smallest sha256(seed:doc_id:start).

    `starts` are where the chunks begin; a chunk without a place goes by its number within its article.
    """
    number: Counter[str] = Counter()
    hashes = []
    for doc_id, start in zip(doc_ids, starts, strict=True):
        key = f"{seed}:{doc_id}:{number[doc_id] if start is None else start}"
        hashes.append(hashlib.sha256(key.encode()).digest())
        number[doc_id] += 1
    return np.sort(np.array(sorted(range(len(hashes)), key=hashes.__getitem__)[:count], dtype=np.int64))


def lsa_vectors(
    texts: Texts, queries: Sequence[str], fitted: np.ndarray, dimensions: int = 128, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors of texts and queries: shapes (texts, d) and (queries, d); float32 where many are fitted.

    TF-IDF of 2-grams on all texts, then the exact truncated SVD (ARPACK; the randomised one is not
    converged) fitted on the rows `fitted`; d = min(dimensions, features - 1, fitted - 1). At d = 0 the
    vectors are TF-IDF itself. A text that shares nothing with the space is the zero vector. As scikit-learn's
    `TfidfVectorizer(analyzer="char", ngram_range=(2, 2))` and `TruncatedSVD(algorithm="arpack")`.
    """
    of_texts, of_queries = projections(texts, queries, fitted, dimensions, seed)
    return unit(of_texts, _ZERO[of_texts.dtype]), unit(of_queries, _ZERO[of_queries.dtype])


def projections(
    texts: Texts, queries: Sequence[str], fitted: np.ndarray, dimensions: int = 128, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """The same vectors as long as the part of each TF-IDF vector that lies in the space."""
    tfidf, asked = tfidf_matrices(texts, queries, np.float64 if len(fitted) <= IN_FLOAT64 else np.float32)
    d = min(dimensions, tfidf.shape[1] - 1, len(fitted) - 1)
    if d < 1:
        return tfidf.toarray(), asked.toarray()
    axes = _axes(tfidf[fitted], d, seed)
    return tfidf @ axes, asked @ axes


def _axes(rows: sparse.csr_array, d: int, seed: int) -> np.ndarray:
    """The right singular vectors of the d largest singular values: shape (features, d), or fewer where the rank is.

    From the eigenvectors of the product of the rows and their transpose, whichever way is smaller, as scipy's `svds`;
    but without the columns that no row holds, and with both matrices by row, which is faster to multiply.
    """
    held = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]))
    number = np.zeros(rows.shape[1], rows.indices.dtype)
    number[held] = np.arange(len(held))
    rows = sparse.csr_array((rows.data, number[rows.indices], rows.indptr), shape=(rows.shape[0], len(held)))
    columns = rows.T.tocsr()
    wide = rows.shape[0] <= rows.shape[1]
    first, second = (columns, rows) if wide else (rows, columns)
    if min(rows.shape) > d:
        # As TruncatedSVD begins, so that both find the same where several decompositions are right.
        start = np.random.RandomState(seed).uniform(-1, 1, min(rows.shape)).astype(rows.dtype)
        product = LinearOperator((len(start),) * 2, matvec=lambda vector: second @ (first @ vector), dtype=rows.dtype)
        squares, vectors = eigsh(product, k=d, v0=start, rng=seed)
    else:  # hardly a feature, or a row
        squares, vectors = np.linalg.eigh((second @ first).toarray())
    some = squares > squares.max(initial=0) * _NOISE * np.finfo(rows.dtype).eps
    vectors = vectors[:, some]
    axes = np.zeros((len(number), vectors.shape[1]), rows.dtype)
    axes[held] = columns @ vectors / np.sqrt(squares[some]) if wide else vectors
    return axes


def tfidf_matrices(
    texts: Texts, queries: Sequence[str], dtype: type[np.floating] = np.float64
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """TF-IDF of texts and queries, rows of norm 1: shapes (texts, features) and (queries, features).

    idf = ln((1 + N) / (1 + df)) + 1; the features are the most frequent 2-grams of the texts.
    """
    parts, vocabulary = own_counts(texts, MAX_FEATURES)
    frequency = np.zeros(len(vocabulary), np.int64)
    for part in parts:
        frequency += np.bincount(part.indices, minlength=len(vocabulary))
    idf = np.log((1 + len(texts)) / (1 + frequency)) + 1
    asked, _ = counts_of(queries, vocabulary)
    weighed = []
    parts.reverse()
    while parts:  # counts that are weighed are not kept
        weighed.append(_weighed(parts.pop(), idf, dtype))
    empty = sparse.csr_array((0, len(vocabulary)), dtype=dtype)
    return sparse.vstack([empty, *weighed], format="csr"), _weighed(asked, idf, dtype)


def _weighed(counts: sparse.csr_array, idf: np.ndarray, dtype: type[np.floating]) -> sparse.csr_array:
    weights = counts.data * idf[counts.indices]
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    weights /= np.sqrt(np.bincount(row, weights**2, minlength=counts.shape[0]))[row]
    return sparse.csr_array((weights.astype(dtype), counts.indices, counts.indptr), shape=counts.shape)
