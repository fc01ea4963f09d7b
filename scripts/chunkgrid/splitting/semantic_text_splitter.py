"""The Rust crate text-splitter as it is, by its Python package semantic-text-splitter."""

from __future__ import annotations

from collections.abc import Iterator

from semantic_text_splitter import TextSplitter

from ..naming import CHARACTERS
from ..units import measure
from .chunks import Document, Piece


def text(document: Document, size: int, overlap: int = 0, unit: str = CHARACTERS) -> Iterator[Piece]:
    """`TextSplitter`, with what it trims left out. Raises InputError as `units.measure` does."""
    if unit == CHARACTERS:
        splitter = TextSplitter(size, overlap)
    else:
        splitter = TextSplitter.from_callback(measure(unit), size, overlap)
    for start, chunk in splitter.chunk_indices(document.text):
        yield Piece(start, start + len(chunk))
