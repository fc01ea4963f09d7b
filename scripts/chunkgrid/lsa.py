"""Latent semantic analysis over character 2-grams, as scikit-learn computes it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

MAX_FEATURES = 60_000
FITTED = 6_000
_ZERO = 1e-9
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
    texts: Sequence[str], queries: Sequence[str], fitted: np.ndarray, dimensions: int = 128, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors of texts and queries: shapes (texts, d) and (queries, d), float64.

    TF-IDF of 2-grams on all texts, then the exact truncated SVD (ARPACK; the randomised one is not
    converged) fitted on the rows `fitted`; d = min(dimensions, features - 1, fitted - 1). At d = 0 the
    vectors are TF-IDF itself. A text that shares nothing with the space is the zero vector.
    """
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=MAX_FEATURES)
    try:
        tfidf = vectorizer.fit_transform(texts)
    except ValueError:  # no text has two characters
        return np.zeros((len(texts), 1)), np.zeros((len(queries), 1))
    asked = vectorizer.transform(queries)
    d = min(dimensions, tfidf.shape[1] - 1, len(fitted) - 1)
    if d < 1:
        return _unit(tfidf.toarray()), _unit(asked.toarray())
    svd = TruncatedSVD(d, algorithm="arpack", random_state=seed).fit(tfidf[fitted])
    return _unit(svd.transform(tfidf)), _unit(svd.transform(asked))


def lsa_scores(
    texts: Sequence[str], queries: Sequence[str], fitted: np.ndarray, dimensions: int = 128, seed: int = 0
) -> Iterator[np.ndarray]:
    """The cosine of every text for each query in turn: arrays of shape (texts,), float64."""
    of_texts, of_queries = lsa_vectors(texts, queries, fitted, dimensions, seed)
    for vector in of_queries:
        yield of_texts @ vector


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors[np.linalg.norm(vectors, axis=1) < _ZERO] = 0.0
    return normalize(vectors)
