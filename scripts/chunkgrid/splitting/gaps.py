"""Cuts between sentences that have less to do with each other than others have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..sentences import Span

Length = Callable[[int, int], int]
Floats = npt.NDArray[np.floating]


def distances(vectors: Floats | sparse.sparray, window: int) -> Floats:
    """1 - cosine of what stands before and after each gap between neighbouring sentences: shape (sentences - 1,).

    vectors: of the sentences, shape (sentences, d), dense or sparse. Before and after stand up to `window` sentences,
    whose vectors are added. Where either is zero, nothing is known, and the distance is 0.
    """
    count = vectors.shape[0]
    if count < 2:
        return np.zeros(0)
    exact = vectors.astype(np.float64)
    window = min(window, count)
    before, after = (
        sparse.diags_array([1.0] * window, offsets=range(first, first + window), shape=(count - 1, count)).tocsr()
        @ exact
        for first in (1 - window, 1)
    )
    norms = np.sqrt(_products(before, before) * _products(after, after))
    cosines = np.divide(_products(before, after), norms, out=np.ones(count - 1), where=norms > 1e-12)
    return 1 - np.clip(cosines, -1, 1)


def _products(some: Any, others: Any) -> Floats:
    """The product of every two rows."""
    return np.asarray((some * others).sum(axis=1)).ravel()


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
