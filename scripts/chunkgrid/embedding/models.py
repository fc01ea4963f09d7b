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
from ..fingerprint import code
from ..units import sizes

ADAPTERS = Path(__file__).parent / "adapters"
Role = Literal["query", "passage", "pair"]
Item = str | tuple[str, str]
"""A text, or for a cross-encoder a question and a chunk."""
Vectors = npt.NDArray[np.float32]
Count = Callable[[Sequence[str]], Sequence[int]]


def _tokens(texts: Sequence[str]) -> Sequence[int]:
    return sizes(texts, "tokens-cl100k_base").tolist()


@dataclass(frozen=True)
class Model:
    """A model: what it is called, what of it is meant (a version, a hash), and what embeds.

    `embed` takes items and what they are and returns a row each, in order; it may raise InputError. `count` takes
    texts and gives the tokens of each: the model's own where that can be asked, else those of cl100k_base. `window` is
    how many of these it reads, None where it reads all.
    """

    name: str
    revision: str
    embed: Callable[[Sequence[Any], Role], Vectors]
    batch: int
    count: Count = _tokens
    window: int | None = None


def adapter_file(kind: str) -> Path:
    """The module of a kind of model; the schema of its parameters stands beside it as `.schema.yaml`."""
    return ADAPTERS / f"{kind.replace('-', '_')}.py"


def described(
    models: Mapping[str, Mapping[str, Mapping[str, Any]]], schemas: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Of every model of a grid, as kind/name, what `load` takes, and beside it what its vectors hang on."""
    return {
        f"{kind}/{name}": {
            "kind": kind,
            "parameters": {key: value for key, value in cell.items() if key not in ("price", "path_seen")},
            "seen": cell.get("path_seen"),
            "code": code(adapter_file(kind), schemas[kind].get("needs", ())),
        }
        for kind, named in models.items()
        for name, cell in named.items()
    }


def load(model: Mapping[str, Any]) -> Model:
    """The model of a `kind` with its `parameters`, defaults filled in. Raises InputError as its adapter does."""
    adapter = importlib.import_module(f".adapters.{adapter_file(model['kind']).stem}", __package__)
    return adapter.load(**model["parameters"])


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


def checked(vectors: Any, texts: Sequence[Item], model: str, dimensions: int | None) -> Vectors:
    """A model's answer as float32, (texts, d). Raises InputError for what is no finite vector of `dimensions` each."""
    rows: Iterable[Any] = vectors
    try:
        found = [np.asarray(row, dtype=np.float32).ravel() for row in rows]
    except (TypeError, ValueError) as error:
        raise InputError(f"{model} gave what is no vector: {error}") from None
    if len(found) != len(texts):
        raise InputError(f"{model} gave {len(found)} vectors for {len(texts)} texts")
    wanted = dimensions or (len(found[0]) if found else 0)
    for text, row in zip(texts, found, strict=True):
        spelt = text if isinstance(text, str) else " / ".join(text)
        about = repr(spelt[:40] + "…" * (len(spelt) > 40))
        if len(row) != wanted or not len(row):
            raise InputError(f"{model} gave a vector of {len(row)} numbers, not of {wanted}, for {about}")
        if not np.isfinite(row).all():
            raise InputError(f"{model} gave a vector with what is no number for {about}")
    return np.stack(found) if found else np.empty((0, wanted), np.float32)
