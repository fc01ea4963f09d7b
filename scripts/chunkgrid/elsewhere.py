"""Which of many phrases stand anywhere in many texts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .shingles import rolling
from .text import strip

_PREFIX = 6


def standing(phrases: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Those `phrases` that stand in any of the `texts`, both without white space.

    Texts are gone through once: a rolling hash of six characters says where a phrase may begin.
    """
    wanted = {strip(phrase) for phrase in phrases}
    short = {phrase for phrase in wanted if len(phrase) < _PREFIX}
    beginning: dict[int, list[str]] = {}
    for phrase in wanted - short:
        beginning.setdefault(int(rolling(phrase[:_PREFIX], _PREFIX)[0]), []).append(phrase)
    known = np.array(sorted(beginning), np.uint64)
    found: set[str] = set()
    for text in texts:
        bare = strip(text)
        found.update(phrase for phrase in short - found if phrase in bare)
        hashes = rolling(bare, _PREFIX)
        for place in np.flatnonzero(np.isin(hashes, known)):
            found.update(phrase for phrase in beginning[int(hashes[place])] if bare.startswith(phrase, place))
    return found
