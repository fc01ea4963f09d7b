"""Static embeddings by model2vec, from a folder, or by name where that is in the library's own cache."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from model2vec import StaticModel

from ...errors import InputError
from ..models import Model, hashed


def load(path: str, batch: int = 1024, threads: int = 1) -> Model:
    """Raises InputError where there is no such model."""
    try:
        model = StaticModel.from_pretrained(path)
    except Exception as error:
        raise InputError(f"model2vec cannot load '{path}': {str(error).splitlines()[0]}") from error
    of = hashed(path) if Path(path).is_dir() else version("model2vec")
    return Model(f"model2vec {path}", of, lambda texts, role: model.encode(list(texts)), batch)
