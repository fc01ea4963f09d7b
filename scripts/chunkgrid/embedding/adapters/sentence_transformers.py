"""Any model of sentence-transformers, from a folder, or by its name where that is in the library's own cache."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer

from ...errors import InputError
from ..models import Model, Role, Vectors, hashed, prefixed


def load(path: str, query_prefix: str = "", passage_prefix: str = "", threads: int = 1, batch: int = 32) -> Model:
    """Raises InputError where there is no such model."""
    torch.set_num_threads(threads)
    try:
        model = SentenceTransformer(path, device="cpu")
    except Exception as error:
        raise InputError(f"sentence-transformers cannot load '{path}': {str(error).splitlines()[0]}") from error
    prefixes = {"query": query_prefix, "passage": passage_prefix}

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        return model.encode(prefixed(texts, role, prefixes), batch_size=batch, show_progress_bar=False)

    of = hashed(path) if Path(path).is_dir() else version("sentence-transformers")
    return Model(f"sentence-transformers {path}", f"{of} {query_prefix!r} {passage_prefix!r}", embed, batch)
