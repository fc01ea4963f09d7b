"""Cuts of a fixed length, wherever they fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..units import token_starts
from .chunks import Document, Piece


def fixed(document: Document, size: int, overlap: int = 0) -> Iterator[Piece]:
    """Slices of `size` characters, each `overlap` of them into the one before.

    1,000 characters at size 400, overlap 40: [0, 400) [360, 760) [720, 1000).
    """
    return _slices(document, range(len(document.text)), size, overlap)


def token(document: Document, size: int, overlap: int = 0, unit: str = "tokens-cl100k_base") -> Iterator[Piece]:
    """Slices of `size` tokens, each `overlap` of them into the one before.

    The whole text is made tokens once; a cut at a token that begins within a character is made before that character.
    A slice that is empty by that, or lies wholly in the one before, is none. Raises InputError as `units.measure` does.
    """
    return _slices(document, token_starts(document.text, unit).tolist(), size, overlap)


def _slices(document: Document, starts: Sequence[int], size: int, overlap: int) -> Iterator[Piece]:
    """Slices of so many parts, of which each begins at one of `starts`."""
    reached = 0
    for first in range(0, len(starts), size - overlap):
        last = first + size >= len(starts)
        end = len(document.text) if last else starts[first + size]
        if end > reached:
            yield Piece(starts[first], end)
            reached = end
        if last:
            break
