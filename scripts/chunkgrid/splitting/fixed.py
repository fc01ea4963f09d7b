"""Cuts of a fixed length, wherever they fall."""

from __future__ import annotations

from collections.abc import Iterator

from .chunks import Document, Piece


def fixed(document: Document, size: int, overlap: int = 0) -> Iterator[Piece]:
    """Slices of `size` characters, each `overlap` characters into the one before.

    1,000 characters at size 400, overlap 40: [0, 400) [360, 760) [720, 1000).
    """
    length = len(document.text)
    for start in range(0, length, size - overlap):
        yield Piece(start, min(start + size, length))
        if start + size >= length:
            break
