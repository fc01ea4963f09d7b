"""Vectors that were made before, by what they are of: a model, its revision, and a text.

A folder a model, in it Parquet files of keys and vectors, each written whole and never changed, so that several jobs
may read and write at once, and one that is killed leaves nothing half.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import InputError
from .models import Item, Model, Role, Vectors

SCHEMA = pa.schema([("key", pa.binary(16)), ("vector", pa.list_(pa.float32()))])


class Cache:
    """The vectors of one model in a folder."""

    def __init__(self, folder: str | Path, model: Model) -> None:
        name = hashlib.sha256(json.dumps([model.name, model.revision]).encode()).hexdigest()[:16]
        slug = "".join(character if character.isalnum() else "-" for character in model.name)[:40].strip("-")
        self.folder = Path(folder) / f"{slug}-{name}"

    @staticmethod
    def key(item: Item, role: Role) -> bytes:
        """What a text, or a pair of them, is found by."""
        text = item if isinstance(item, str) else json.dumps(item)
        return hashlib.sha256(f"{role}\n{text}".encode("utf-8", "surrogatepass")).digest()[:16]

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those that are there. Raises InputError, naming the file, where one is damaged."""
        wanted = pa.array(sorted(set(keys)), pa.binary(16))
        found: dict[bytes, Vectors] = {}
        for path in sorted(self.folder.glob("*.parquet")):
            try:
                with pq.ParquetFile(path) as file:
                    own = file.read(["key"])["key"]
                    there = pc.is_in(own, wanted)
                    if not pc.any(there).as_py():
                        continue
                    rows = file.read().filter(there).combine_chunks()
            except (pa.ArrowInvalid, OSError) as error:
                raise InputError(
                    f"{path} cannot be read as Parquet ({str(error).splitlines()[0]}): delete it"
                ) from None
            vectors = rows["vector"].chunk(0) if rows["vector"].num_chunks else None
            if vectors is not None:
                values = vectors.values.to_numpy().reshape(len(rows), -1)
                found.update(zip(rows["key"].to_pylist(), values, strict=True))
        return found

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Writes vectors, in one file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        name = uuid.uuid4().hex
        part = self.folder / f"{name}.part"
        lists = pa.ListArray.from_arrays(
            np.arange(len(keys) + 1, dtype=np.int32) * vectors.shape[1], pa.array(vectors.ravel(), pa.float32())
        )
        pq.write_table(pa.table({"key": pa.array(keys, pa.binary(16)), "vector": lists}, schema=SCHEMA), part)
        part.replace(self.folder / f"{name}.parquet")
