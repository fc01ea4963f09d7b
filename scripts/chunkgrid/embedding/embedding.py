"""Texts to vectors, those that were seen before from the cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from ..errors import InputError
from .cache import Cache
from .models import Item, Model, Role, Vectors, checked

_SEVERAL: dict[Role, str] = {"query": "questions", "passage": "texts", "pair": "pairs"}
SAVED = 2_048
"""Texts after which vectors go to the cache: what a kill may lose."""
TOLD = 10.0
"""Seconds after which it is said again how far it is."""


def embedded(
    texts: Sequence[Item], role: Role, model: Model, cache: Cache, say: Callable[[str], None] = lambda text: None
) -> Vectors:
    """The vectors of texts, or of pairs of them, (texts, d). Each different one is embedded once, ever.

    Raises InputError for an empty text, for vectors that are none or of unlike length, and as the model does; what was
    embedded until then is in the cache.
    """
    for number, text in enumerate(texts, 1):
        if not (text if isinstance(text, str) else text[1]).strip():
            raise InputError(f"text {number} of {len(texts)} is empty: {model.name} has no vector of nothing")
    keys = [cache.key(text, role) for text in texts]
    known = cache.find(keys)
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    dimensions = len(next(iter(known.values()))) if known else None
    if new:
        known |= _made(new, role, model, cache, say, dimensions, len(set(keys)))
    if not texts:
        return np.empty((0, dimensions or 0), np.float32)
    return np.stack([known[key] for key in keys])


def _made(
    new: dict[bytes, Item],
    role: Role,
    model: Model,
    cache: Cache,
    say: Callable[[str], None],
    dimensions: int | None,
    total: int,
) -> dict[bytes, Vectors]:
    made: dict[bytes, Vectors] = {}
    unsaved: list[bytes] = []
    began = told = time.monotonic()
    length = {key: sum(map(len, item)) for key, item in new.items()}
    keys = sorted(new, key=length.__getitem__)  # like lengths together, which models pad to one
    todo, done = sum(length.values()), 0
    try:
        for first in range(0, len(keys), model.batch):
            batch = keys[first : first + model.batch]
            asked = [new[key] for key in batch]
            vectors = checked(model.embed(asked, role), asked, model.name, dimensions)
            dimensions = vectors.shape[1]
            made.update(zip(batch, vectors, strict=True))
            unsaved += batch
            done += sum(length[key] for key in batch)
            if len(unsaved) >= SAVED:
                cache.put(unsaved, np.stack([made[key] for key in unsaved]))
                unsaved = []
            now = time.monotonic()
            if now - told > TOLD:
                rate = len(made) / (now - began)
                left = (now - began) * (todo - done) / done  # by characters, as the longest come last
                count = f"{len(made):,} of {len(keys):,} {_SEVERAL[role]}"
                say(f"{model.name}: {count}, {rate:.0f} a second, {left:.0f} s left")
                told = now
    finally:
        if unsaved:
            cache.put(unsaved, np.stack([made[key] for key in unsaved]))
    verb = "scored" if role == "pair" else "embedded"
    say(f"{model.name}: {len(made):,} of {total:,} different {_SEVERAL[role]} {verb}, the others known")
    return made
