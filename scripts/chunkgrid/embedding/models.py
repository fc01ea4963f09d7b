"""What every model of embeddings is to the rest."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import InputError

Role = Literal["query", "passage"]
Vectors = npt.NDArray[np.float32]
BATCH = 64
"""Texts embedded at once unless a cell says otherwise."""


@dataclass(frozen=True)
class Model:
    """A model: what it is called, what of it is meant (a version, a hash), and what embeds.

    `embed` takes texts and what they are and returns a row each, in order; it may raise InputError.
    """

    name: str
    revision: str
    embed: Callable[[Sequence[str], Role], Vectors]
    batch: int = BATCH


def load(cell: Mapping[str, Any]) -> Model:
    """The model of a cell of `dense`: its `model` is an adapter's name, and the rest is its parameters.

    Raises InputError where there is no such adapter, where a package is missing, or as the adapter does.
    """
    name = cell["model"]
    try:
        adapter = importlib.import_module(f".adapters.{name.replace('-', '_')}", __package__)
    except ModuleNotFoundError as error:
        raise InputError(f"model {name} needs a package that is not here: {error.name}") from None
    return adapter.load(**{key: value for key, value in cell.items() if key not in ("model", "price")})


def prefixed(texts: Sequence[str], role: Role, prefixes: Mapping[str, str]) -> list[str]:
    """Texts with what the model wants in front of a query, or of a passage."""
    return [f"{prefixes.get(role, '')}{text}" for text in texts]


def hashed(folder: str) -> str:
    """What a model in a folder is, by the content of its files. Raises InputError where it is no folder of files."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    if not files:
        raise InputError(f"{folder} is no folder with a model in it")
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder)}\n".encode())
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def checked(vectors: Any, texts: Sequence[str], model: str, dimensions: int | None) -> Vectors:
    """A model's answer as float32, (texts, d). Raises InputError for what is no finite vector of `dimensions` each."""
    rows: Iterable[Any] = vectors
    found = [np.asarray(row, dtype=np.float32).ravel() for row in rows]
    if len(found) != len(texts):
        raise InputError(f"{model} gave {len(found)} vectors for {len(texts)} texts")
    wanted = dimensions or (len(found[0]) if found else 0)
    for text, row in zip(texts, found, strict=True):
        about = repr(text[:40] + "…" * (len(text) > 40))
        if len(row) != wanted or not len(row):
            raise InputError(f"{model} gave a vector of {len(row)} numbers, not of {wanted}, for {about}")
        if not np.isfinite(row).all():
            raise InputError(f"{model} gave a vector with what is no number for {about}")
    return np.stack(found) if found else np.empty((0, wanted), np.float32)
