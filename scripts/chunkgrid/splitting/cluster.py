"""Chunks whose parts are most alike: Chroma's ClusterSemanticChunker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..sentences import Span
from ..units import span_measure
from .chunks import Document, Piece
from .gaps import Floats, Length


def cluster(
    document: Document, parts: Sequence[Span], vectors: Floats, size: int, unit: str = "characters"
) -> Iterator[Piece]:
    """Neighbouring `parts`, of which `vectors` has a row each, joined up to `size` so that they are most alike.

    Of all ways to join, one with the largest `best_joins`. Raises InputError as `units.measure` does.
    """
    length = span_measure(document.text, unit)
    fits = np.array([_fitting(parts, number, size, length) for number in range(len(parts))], np.int64)
    for first, last in best_joins(vectors, fits):
        yield Piece(parts[first][0], parts[last - 1][1])


def _fitting(parts: Sequence[Span], first: int, size: int, length: Length) -> int:
    """How many parts from `first` on fit into one chunk; one always does."""
    count = 1
    while first + count < len(parts) and length(parts[first][0], parts[first + count][1]) <= size:
        count += 1
    return count


def best_joins(vectors: Floats, fits: npt.NDArray[np.int64]) -> list[Span]:
    """How to join neighbours so that the sum of (cosine - mean cosine) over all pairs within joins is largest.

    vectors: shape (parts, d); fits: how many may be joined from each on, shape (parts,). Returns the first and one
    past the last of each join. The mean is over all pairs of parts (Smith and Troynikov 2024, "Evaluating Chunking
    Strategies for Retrieval", where every pair counts twice, which changes nothing). Dynamic programming over where
    the last join begins; of equally good ways, the one with the longer first joins.
    """
    count = len(vectors)
    exact = vectors.astype(np.float64)
    norms = np.linalg.norm(exact, axis=1, keepdims=True)
    unit = np.divide(exact, norms, out=np.zeros_like(exact), where=norms > 0)
    pairs = count * (count - 1) / 2
    whole = unit.sum(axis=0)
    mean = ((whole @ whole) - (unit * unit).sum()) / 2 / pairs if pairs else 0.0
    best = np.zeros(count + 1)  # of the parts from each on
    taken = np.ones(count, np.int64)
    for first in reversed(range(count)):
        here = unit[first : first + fits[first]]
        # What each further part adds: its cosines to those before it in the join.
        alike = np.tril(here @ here.T - mean, -1).sum(axis=1).cumsum()
        worth = alike + best[first + 1 : first + 1 + len(here)]
        taken[first] = len(worth) - int(np.argmax(worth[::-1] >= worth.max() - 1e-12))
        best[first] = worth[taken[first] - 1]
    joins = []
    first = 0
    while first < count:
        joins.append((first, first + int(taken[first])))
        first += int(taken[first])
    return joins
