"""Cuts at the coarsest separator that serves: LangChain's recursive splitter, with true offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .chunks import Document, Piece

SEPARATORS = ("\n\n", "\n", "。", "、", "")
"""Paragraph, line, sentence, clause, character."""

Span = tuple[int, int]


def recursive(
    document: Document, size: int, overlap: int = 0, separators: Sequence[str] = SEPARATORS
) -> Iterator[Piece]:
    """The document in chunks of at most `size` characters, at the coarsest separators that allow it."""
    for start, end in recursive_spans(document.text, size, overlap, separators):
        yield Piece(start, end)


def recursive_spans(
    text: str,
    size: int,
    overlap: int = 0,
    separators: Sequence[str] = SEPARATORS,
    start: int = 0,
    end: int | None = None,
) -> list[Span]:
    """Spans whose texts are those of `RecursiveCharacterTextSplitter(keep_separator="end")`.

    LangChain yields texts, and finds offsets by searching, which errs where a text repeats; here the
    offsets are carried through the same steps. Only `text[start:end]` is split.
    """
    end = len(text) if end is None else end
    spans = _split(text, start, end, size, overlap, list(separators))
    return [(first, last) for first, last in spans if not text[first:last].isspace()]


def _split(text: str, start: int, end: int, size: int, overlap: int, separators: list[str]) -> list[Span]:
    separator, finer = _choose(text, start, end, separators)
    spans: list[Span] = []
    small: list[Span] = []
    for part in _parts(text, start, end, separator):
        if part[1] - part[0] < size:
            small.append(part)
            continue
        spans += _merge(text, small, size, overlap)
        small = []
        spans += _split(text, *part, size, overlap, finer) if finer else [part]
    return spans + _merge(text, small, size, overlap)


def _choose(text: str, start: int, end: int, separators: list[str]) -> tuple[str, list[str]]:
    """The first separator that occurs, and those after it."""
    for number, separator in enumerate(separators):
        if not separator:
            return separator, []
        if text.find(separator, start, end) >= 0:
            return separator, separators[number + 1 :]
    return separators[-1], []


def _parts(text: str, start: int, end: int, separator: str) -> Iterator[Span]:
    """Stretches that each end with the separator, but for the last."""
    if not separator:
        yield from ((place, place + 1) for place in range(start, end))
        return
    here = start
    for match in re.compile(re.escape(separator)).finditer(text, start, end):
        yield here, match.end()
        here = match.end()
    if here < end:
        yield here, end


def _merge(text: str, parts: list[Span], size: int, overlap: int) -> list[Span]:
    """Neighbouring parts joined up to `size`; each join starts with up to `overlap` of the one before."""
    spans: list[Span] = []
    first = 0  # of the parts that are joined so far
    total = 0
    for number, (start, end) in enumerate(parts):
        length = end - start
        if total + length > size:
            if first < number:
                spans.append(_stripped(text, parts[first][0], parts[number - 1][1]))
            while total > overlap or (total + length > size and total > 0):
                total -= parts[first][1] - parts[first][0]
                first += 1
        total += length
    if first < len(parts):
        spans.append(_stripped(text, parts[first][0], parts[-1][1]))
    return [(start, end) for start, end in spans if start < end]


def _stripped(text: str, start: int, end: int) -> Span:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
