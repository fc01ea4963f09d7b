"""Breaks where the words change: lexical cohesion, without a model (Hearst 1997, "TextTiling")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..ngrams import Vocabulary, counts_of
from ..units import span_measure
from .chunks import Document, Piece
from .gaps import Floats, cut_at, distances
from .sentence import atoms


def topic(
    document: Document, window: int = 5, amount: float = 0.5, size: int | None = None, unit: str = "characters"
) -> Iterator[Piece]:
    """Chunks of whole sentences, cut where what stands before and after shares least.

    The 2-grams of `window` sentences on either side of a gap are compared; a gap as deep as the mean depth less
    `amount` standard deviations is one between topics. A chunk over `size` is cut on. Raises InputError as
    `units.measure` does.
    """
    spans = atoms(document, size, unit)
    texts = [document.text[start:end] for start, end in spans]
    counts, _ = counts_of(texts, Vocabulary.of(texts))
    distance = distances(counts, window)
    depth = depths(distance)
    tops = depth > 0
    breaks = tops & (depth >= depth[tops].mean() - amount * depth[tops].std()) if tops.any() else tops
    for start, end in cut_at(spans, breaks, distance, size, span_measure(document.text, unit)):
        yield Piece(start, end)


def depths(distance: Floats) -> Floats:
    """How far each gap rises over the lowest distances on its way to the next higher one on either side; 0 for no peak.

    The depth score of Hearst (1997), of distances in place of similarities: shape (gaps,).
    """
    values = distance.tolist()
    left, right = _valleys(values), _valleys(values[::-1])[::-1]
    peak = np.ones(len(values), bool)
    peak[1:] &= distance[1:] >= distance[:-1]
    peak[:-1] &= distance[:-1] >= distance[1:]
    return np.where(peak, 2 * distance - np.array(left) - np.array(right), 0.0)


def _valleys(values: Sequence[float]) -> list[float]:
    """For each value the last that is reached by going back from it while values do not rise."""
    found: list[float] = []
    for before, value in zip([float("inf"), *values], values, strict=False):
        found.append(found[-1] if before <= value else value)
    return found
