"""Which of many phrases stand anywhere in many texts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .text import strip

_PREFIX = 6
_BASE = np.uint64(0x9E3779B97F4A7C15)  # any large odd number


def standing(phrases: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Those `phrases` that stand in any of the `texts`, both without white space.

    Texts are gone through once: a rolling hash of six characters says where a phrase may begin.
    """
    wanted = {strip(phrase) for phrase in phrases}
    short = {phrase for phrase in wanted if len(phrase) < _PREFIX}
    beginning: dict[int, list[str]] = {}
    for phrase in wanted - short:
        beginning.setdefault(int(_hashes(phrase[:_PREFIX])[0]), []).append(phrase)
    known = np.array(sorted(beginning), np.uint64)
    found: set[str] = set()
    for text in texts:
        bare = strip(text)
        found.update(phrase for phrase in short - found if phrase in bare)
        hashes = _hashes(bare)
        for place in np.flatnonzero(np.isin(hashes, known)):
            found.update(phrase for phrase in beginning[int(hashes[place])] if bare.startswith(phrase, place))
    return found


def _hashes(text: str) -> np.ndarray:
    """A hash of every six characters that follow one another."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    count = max(len(points) - _PREFIX + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for offset in range(_PREFIX):
        hashes = hashes * _BASE + points[offset : offset + count]
    return hashes
