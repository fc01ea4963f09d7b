"""Vectors that you have, from a Parquet file with the columns `text` and `vector`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from ...errors import InputError
from ..models import Model, Role, Vectors

BATCH = 4096


def load(file: str, file_sha256: str) -> Model:
    """A text has the vector of the row that is the same text. Raises InputError for a file without such columns."""
    try:
        table = pq.read_table(file, columns=["text", "vector"])
    except Exception as error:
        raise InputError(f"{file} has no columns 'text' and 'vector': {str(error).splitlines()[0]}") from None
    vectors = table["vector"].to_pylist()
    known: dict[str, int] = {}
    for row, text in enumerate(table["text"].to_pylist()):
        if text is None or vectors[row] is None:
            raise InputError(f"{file} has no {'text' if text is None else 'vector'} in row {row + 1}")
        if vectors[known.setdefault(text, row)] != vectors[row]:
            rows = f"rows {known[text] + 1} and {row + 1}"
            raise InputError(f"{file} has two unlike vectors of {text[:40]!r}{'…' * (len(text) > 40)}, in {rows}")

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        for text in texts:
            if text not in known:
                raise InputError(f"{file} has no vector of {text[:40]!r}{'…' * (len(text) > 40)} (a {role})")
        return np.array([vectors[known[text]] for text in texts], dtype=object)

    return Model(f"vectors {Path(file).name}", file_sha256, embed, BATCH)
