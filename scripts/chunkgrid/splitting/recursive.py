"""Cuts at the coarsest separator that serves: LangChain's recursive splitter, with true offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..units import span_measure
from .chunks import Document, Piece

SEPARATORS = ("\n\n", "\n", "。", "、", "")
"""Paragraph, line, sentence, clause, character."""

Span = tuple[int, int]
Part = tuple[int, int, int]
"""Start, end, length in the unit."""


def recursive(
    document: Document,
    size: int,
    overlap: int = 0,
    unit: str = "characters",
    separators: Sequence[str] = SEPARATORS,
    keep_separator: str = "end",
) -> Iterator[Piece]:
    """The document in chunks of at most `size` characters or tokens, at the coarsest separators that allow it.

    Raises InputError as `units.measure` does.
    """
    for start, end in recursive_spans(document.text, size, overlap, unit, separators, keep_separator):
        yield Piece(start, end)


def recursive_spans(
    text: str,
    size: int,
    overlap: int = 0,
    unit: str = "characters",
    separators: Sequence[str] = SEPARATORS,
    keep_separator: str = "end",
    start: int = 0,
    end: int | None = None,
) -> list[Span]:
    """Spans whose texts are those of LangChain's `RecursiveCharacterTextSplitter`, but for blank ones.

    LangChain yields texts, and finds offsets by searching, which errs where a text repeats; here the
    offsets are carried through the same steps. A separator stays with the part that it is the "start" or the
    "end" of. A chunk is as long as its parts together, each counted alone: the tokens of the whole are mostly some
    fewer. Only `text[start:end]` is split. Raises InputError as `units.measure` does.
    """
    end = len(text) if end is None else end
    splitter = _Splitter(text, size, overlap, span_measure(text, unit), keep_separator == "start")
    spans = splitter.split(start, end, list(separators))
    return [(first, last) for first, last in spans if not text[first:last].isspace()]


@dataclass(frozen=True)
class _Splitter:
    text: str
    size: int
    overlap: int
    length: Callable[[int, int], int]
    at_start: bool

    def split(self, start: int, end: int, separators: list[str]) -> list[Span]:
        separator, finer = self._choose(start, end, separators)
        spans: list[Span] = []
        small: list[Part] = []
        for first, last in self._parts(start, end, separator):
            length = self.length(first, last)
            if length < self.size:
                small.append((first, last, length))
                continue
            spans += self._merge(small)
            small = []
            spans += self.split(first, last, finer) if finer else [(first, last)]
        return spans + self._merge(small)

    def _choose(self, start: int, end: int, separators: list[str]) -> tuple[str, list[str]]:
        """The first separator that occurs, and those after it."""
        for number, separator in enumerate(separators):
            if not separator:
                return separator, []
            if self.text.find(separator, start, end) >= 0:
                return separator, separators[number + 1 :]
        return separators[-1], []

    def _parts(self, start: int, end: int, separator: str) -> Iterator[Span]:
        """Stretches between separators, with the one after each or with the one before each."""
        if not separator:
            yield from ((place, place + 1) for place in range(start, end))
            return
        here = start
        for match in re.compile(re.escape(separator)).finditer(self.text, start, end):
            cut = match.start() if self.at_start else match.end()
            if here < cut:
                yield here, cut
            here = cut
        if here < end:
            yield here, end

    def _merge(self, parts: list[Part]) -> list[Span]:
        """Neighbouring parts joined up to the size; each join starts with up to `overlap` of the one before."""
        spans: list[Span] = []
        first = 0  # of the parts that are joined so far
        total = 0
        for number, (_, _, length) in enumerate(parts):
            if total + length > self.size:
                if first < number:
                    spans.append(self._stripped(parts[first][0], parts[number - 1][1]))
                while total > self.overlap or (total + length > self.size and total > 0):
                    total -= parts[first][2]
                    first += 1
            total += length
        if first < len(parts):
            spans.append(self._stripped(parts[first][0], parts[-1][1]))
        return [(start, end) for start, end in spans if start < end]

    def _stripped(self, start: int, end: int) -> Span:
        part = self.text[start:end]
        return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
