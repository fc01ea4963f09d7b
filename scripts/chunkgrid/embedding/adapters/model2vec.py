"""Static embeddings by model2vec, from a folder, or by name where that is in the library's own cache."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from ...errors import InputError
from ..models import Model, Role, Vectors, hashed

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a folder that is not there is no name to look for elsewhere
from model2vec import StaticModel


def load(path: str, batch: int) -> Model:
    """A text is read whole. Raises InputError where there is no such model."""
    try:
        model = StaticModel.from_pretrained(path, max_length=None, force_download=False)
    except Exception as error:
        raise InputError(f"model2vec has no model '{path}': {str(error).splitlines()[0]}") from error

    def count(texts: Sequence[str]) -> list[int]:
        return list(map(len, model.tokenize(list(texts))))

    of = hashed(path) if Path(path).is_dir() else f"{path} {version('model2vec')}"

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        return model.encode(list(texts), use_multiprocessing=False)

    return Model(f"model2vec {Path(path).name}", of, embed, batch, count)
