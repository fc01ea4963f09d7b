"""Cuts between sentences that have less to do with each other than others have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..sentences import Span

Length = Callable[[int, int], int]
Floats = npt.NDArray[np.floating]


def distances(vectors: Floats, window: int) -> Floats:
    """1 - cosine of what stands before and after each gap between neighbouring sentences: shape (sentences - 1,).

    vectors: of the sentences, shape (sentences, d). Before and after stand up to `window` sentences, whose vectors
    are added. Where either is zero, nothing is known, and the distance is 0.
    """
    total = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])
    gaps = np.arange(1, len(vectors))
    before = total[gaps] - total[np.maximum(gaps - window, 0)]
    after = total[np.minimum(gaps + window, len(vectors))] - total[gaps]
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    known = norms > 1e-12
    cosines = np.divide((before * after).sum(axis=1), norms, out=np.ones(len(gaps)), where=known)
    return 1 - np.clip(cosines, -1, 1)


def cut_at(
    atoms: Sequence[Span], breaks: npt.NDArray[np.bool_], distance: Floats, size: int | None, length: Length
) -> Iterator[Span]:
    """Spans of the atoms between breaks; one over the size is cut on where the distance is largest.

    breaks, distance: of each gap, shape (atoms - 1,). Of equally large ones the gap that halves best.
    """
    edges = [0, *(np.flatnonzero(breaks) + 1).tolist(), len(atoms)]
    todo = [(first, last) for first, last in pairwise(edges) if first < last][::-1]
    while todo:
        first, last = todo.pop()
        start, end = atoms[first][0], atoms[last - 1][1]
        if size is None or last - first == 1 or length(start, end) <= size:
            yield start, end
            continue
        inner = distance[first : last - 1]
        largest = np.flatnonzero(inner >= inner.max() - 1e-12)
        middle = (last - first) / 2 - 1
        at = first + 1 + int(largest[np.abs(largest - middle).argmin()])
        todo += [(at, last), (first, at)]
