"""Words of texts, counted as scikit-learn's word analyzer counts them, those of a single character included."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores, in lower case."""
    return _WORD.findall(text.lower())


def word_counts(texts: Iterable[str], queries: Sequence[str]) -> tuple[sparse.csr_array, sparse.csr_array, np.ndarray]:
    """How often each query and each text holds each word that any query holds, and how many words each text has.

    Shapes (queries, words), (texts, words), (texts,); words are sorted.
    """
    vocabulary = {word: n for n, word in enumerate(sorted({word for query in queries for word in words(query)}))}
    asked, _ = _counted(queries, vocabulary)
    return asked, *_counted(texts, vocabulary)


def _counted(texts: Iterable[str], vocabulary: dict[str, int]) -> tuple[sparse.csr_array, np.ndarray]:
    indices: list[int] = []
    counts: list[int] = []
    ends, lengths = [0], []
    for text in texts:
        found = words(text)
        known = sorted(Counter(vocabulary[word] for word in found if word in vocabulary).items())
        indices += [number for number, _ in known]
        counts += [count for _, count in known]
        ends.append(len(indices))
        lengths.append(len(found))
    held = (np.array(counts, np.int32), np.array(indices, np.int32), np.array(ends, np.int32))
    return sparse.csr_array(held, shape=(len(lengths), len(vocabulary))), np.array(lengths, np.int64)
