"""Character 2-grams as numbers, cut exactly as scikit-learn's character analyzer cuts them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy import sparse

_BLANKS = re.compile(r"\s\s+")
_BITS = 21  # of a code point


def bigram_codes(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The 2-grams of texts, one after another, as `CountVectorizer(analyzer="char")` sees them.

    Returns codes (int64, one per 2-gram: the first code point << 21 | the second) and the number of
    2-grams of each text (int64, shape (texts,)). Lower case; runs of white space become one blank.
    """
    prepared = [_BLANKS.sub(" ", text.lower()) for text in texts]
    lengths = np.fromiter(map(len, prepared), np.int64, len(prepared))
    joined = "".join(prepared).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(joined, np.uint32).astype(np.int64)
    pairs = (points[:-1] << _BITS) | points[1:] if len(points) else points
    within = np.ones(len(points), bool)
    ends = np.cumsum(lengths)[lengths > 0]
    within[ends - 1] = False  # the last character of a text pairs with the next text's first
    return pairs[within[:-1]] if len(points) else pairs, np.maximum(lengths - 1, 0)


def count_matrix(codes: np.ndarray, lengths: np.ndarray, vocabulary: np.ndarray) -> sparse.csr_array:
    """How often each text holds each 2-gram of a sorted `vocabulary`: shape (texts, 2-grams)."""
    shape = (len(lengths), len(vocabulary))
    if not len(vocabulary) or not len(codes):
        return sparse.csr_array(shape, dtype=np.float64)
    column = np.minimum(np.searchsorted(vocabulary, codes), len(vocabulary) - 1)
    known = vocabulary[column] == codes
    row = np.repeat(np.arange(len(lengths)), lengths)[known]
    cells, counts = np.unique(row * len(vocabulary) + column[known], return_counts=True)
    return sparse.csr_array((counts.astype(np.float64), np.divmod(cells, len(vocabulary))), shape=shape)
