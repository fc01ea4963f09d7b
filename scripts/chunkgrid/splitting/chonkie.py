"""Chonkie's RecursiveChunker as it is, with offsets where the text is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chonkie import RecursiveChunker
from chonkie.tokenizer import Tokenizer

from ..naming import CHARACTERS
from ..units import encoding_of, ordinary
from .chunks import Document, Piece
from .found import found


def recursive(document: Document, size: int, min: int = 24, unit: str = CHARACTERS) -> Iterator[Piece]:
    """`RecursiveChunker` with its own rules. Raises InputError as `units.measure` does.

    In tokens it may cut within a character, of which then both chunks have U+FFFD and no place.
    """
    tokenizer = "character" if unit == CHARACTERS else _Ordinary(unit)
    chunker = RecursiveChunker(tokenizer, size, min_characters_per_chunk=min)
    return found(document, (chunk.text for chunk in chunker.chunk(document.text)))


class _Ordinary(Tokenizer):  # type: ignore[misc]
    """tiktoken's, but that what spells a special token is text like any other."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self.encoding = encoding_of(unit)

    def __repr__(self) -> str:
        return self.encoding.name

    def encode(self, text: str) -> Sequence[int]:
        return ordinary(self.encoding, text)

    tokenize = encode

    def decode(self, tokens: Sequence[int]) -> str:
        return self.encoding.decode(list(tokens))
