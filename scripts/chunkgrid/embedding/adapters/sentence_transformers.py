"""Any model of sentence-transformers, from a folder, or by its name where that is in the library's own cache."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer

from ...errors import InputError
from ..models import Model, Role, Vectors, hashed, prefixed


def load(path: str, query_prefix: str, passage_prefix: str, threads: int, batch: int) -> Model:
    """Raises InputError where there is no such model."""
    torch.set_num_threads(threads)
    try:
        model = SentenceTransformer(path, device="cpu", local_files_only=True)
    except Exception as error:
        raise InputError(f"sentence-transformers has no model '{path}': {str(error).splitlines()[0]}") from error
    prefixes = {"query": query_prefix, "passage": passage_prefix}

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        return model.encode(prefixed(texts, role, prefixes), batch_size=batch, show_progress_bar=False)

    def count(texts: Sequence[str]) -> list[int]:
        return list(
            map(
                len, model.tokenizer(prefixed(texts, "passage", prefixes), truncation=False, verbose=False)["input_ids"]
            )
        )

    of = hashed(path) if Path(path).is_dir() else f"{path} {version('sentence-transformers')}"
    name = f"sentence-transformers {Path(path).name}"
    return Model(name, f"{of} {query_prefix!r} {passage_prefix!r}", embed, batch, count, model.max_seq_length)
