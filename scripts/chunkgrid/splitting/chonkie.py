"""Chonkie's RecursiveChunker as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chonkie import RecursiveChunker
from chonkie.tokenizer import Tokenizer

from ..naming import CHARACTERS
from ..units import measure, token_starts
from .chunks import Document, Piece


def recursive(document: Document, size: int, min: int = 24, unit: str = CHARACTERS) -> Iterator[Piece]:
    """`RecursiveChunker` with its own rules. Raises InputError as `units.measure` does."""
    tokenizer = "character" if unit == CHARACTERS else _Whole(unit)
    chunker = RecursiveChunker(tokenizer, size, min_characters_per_chunk=min)
    for chunk in chunker.chunk(document.text):
        yield Piece(chunk.start_index, chunk.end_index)


class _Whole(Tokenizer):  # type: ignore[misc]
    """Tokens as texts that hold whole characters; what spells a special token is text like any other."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self.unit = unit
        self.count_tokens = measure(unit)

    def __repr__(self) -> str:
        return self.unit

    def encode(self, text: str) -> Sequence[str]:
        starts = [*token_starts(text, self.unit).tolist(), len(text)]
        return [text[start:end] for start, end in zip(starts, starts[1:], strict=False)]

    tokenize = encode

    def decode(self, tokens: Sequence[str]) -> str:
        return "".join(tokens)
