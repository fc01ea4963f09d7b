"""Any cross-encoder of sentence-transformers: a number for a question and a chunk that it reads together."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import CrossEncoder

from ...errors import InputError
from ..models import Item, Model, Role, Vectors, hashed


def load(path: str, threads: int, batch: int) -> Model:
    """Raises InputError where there is no such model, or one that gives more than one number for a pair."""
    torch.set_num_threads(threads)
    try:
        model = CrossEncoder(path, device="cpu", local_files_only=True)
    except Exception as error:
        raise InputError(f"sentence-transformers has no model '{path}': {str(error).splitlines()[0]}") from error
    if model.num_labels != 1:
        raise InputError(f"'{path}' gives {model.num_labels} numbers for a pair, and is no cross-encoder to rank by")

    def embed(pairs: Sequence[Item], role: Role) -> Vectors:
        scores = model.predict(list(pairs), batch_size=batch, show_progress_bar=False)
        return np.asarray(scores, np.float32)[:, None]

    of = hashed(path) if Path(path).is_dir() else f"{path} {version('sentence-transformers')}"
    return Model(f"cross-encoder {Path(path).name}", of, embed, batch)
