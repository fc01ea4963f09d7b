"""Cuts of a fixed length, wherever they fall."""

from __future__ import annotations

from collections.abc import Iterator

from ..units import token_starts
from .chunks import Document, Piece


def fixed(document: Document, size: int, overlap: int = 0, unit: str = "characters") -> Iterator[Piece]:
    """Slices of `size` characters or tokens, each `overlap` of them into the one before.

    1,000 characters at size 400, overlap 40: [0, 400) [360, 760) [720, 1000). The whole text is made tokens once; a
    cut at a token that begins within a character is made before that character. A slice that is empty by that, or
    lies wholly in the one before, is none. Raises InputError as `units.measure` does.
    """
    length = len(document.text)
    starts = token_starts(document.text, unit)
    reached = 0
    for first in range(0, len(starts), size - overlap):
        last = first + size >= len(starts)
        end = length if last else int(starts[first + size])
        if end > reached:
            yield Piece(int(starts[first]), end)
            reached = end
        if last:
            break
