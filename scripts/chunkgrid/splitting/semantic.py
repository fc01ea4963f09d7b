"""Breaks where the similarity of neighbouring sentences falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..sentences import Span
from ..units import span_measure
from .chunks import Document, Piece
from .gaps import Floats, cut_at, distances

By = Literal["percentile", "deviation", "gradient"]
AMOUNTS: dict[str, float] = {"percentile": 95.0, "deviation": 3.0, "gradient": 95.0}
"""As in LangChain's SemanticChunker."""


def semantic(
    document: Document,
    atoms: Sequence[Span],
    vectors: Floats,
    by: By = "percentile",
    amount: float | None = None,
    window: int = 3,
    size: int | None = None,
    unit: str = "characters",
) -> Iterator[Piece]:
    """Chunks of whole sentences (`atoms`, of which `vectors` has a row each), cut at the larger distances.

    What is large is relative, within one document: a distance over the percentile `amount` of all; over their mean
    and `amount` standard deviations; or one whose gradient is over the percentile `amount` of all gradients. A chunk
    over `size` is cut on. Raises InputError as `units.measure` does.
    """
    distance = distances(vectors, window)
    breaks = _large(distance, by, AMOUNTS[by] if amount is None else amount)
    for start, end in cut_at(atoms, breaks, distance, size, span_measure(document.text, unit)):
        yield Piece(start, end)


def _large(distance: Floats, by: By, amount: float) -> npt.NDArray[np.bool_]:
    if len(distance) < 2:  # one alone is not larger than others
        return np.zeros(len(distance), bool)
    if by == "deviation":
        return distance > distance.mean() + amount * distance.std() + 1e-12
    values = np.gradient(distance) if by == "gradient" else distance
    return values > np.percentile(values, amount) + 1e-12
