"""Whole sentences, packed up to a size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..sentences import Span, sentences
from ..units import span_measure
from .chunks import Document, Piece
from .recursive import recursive_spans

CLAUSES = ("、", "，", ", ", "")
"""Where a sentence over the size is cut: behind a clause, else between characters."""


def sentence(
    document: Document, size: int, overlap: int = 0, min: int | None = None, unit: str = "characters"
) -> Iterator[Piece]:
    """As many whole sentences as `size` characters or tokens hold, each chunk beginning with `overlap` of the last.

    With a `min`, a chunk that has it ends where its line (a paragraph, an item, a row) does. A sentence over the size
    is cut. Fewer sentences overlap where the next one would not fit behind them. Raises InputError as
    `units.measure` does.
    """
    spans = atoms(document, size, unit)
    for first, last in packed(document.text, spans, size, overlap, min, span_measure(document.text, unit)):
        yield Piece(spans[first][0], spans[last - 1][1])


def atoms(
    document: Document, size: int | None = None, unit: str = "characters", within: Span | None = None
) -> list[Span]:
    """The sentences of a document, or of a part of it, those over the size cut.

    Raises InputError as `units.measure` does.
    """
    length = span_measure(document.text, unit)
    found: list[Span] = []
    for start, end in sentences(document.text, *(within or ())):
        if size is None or length(start, end) <= size:
            found.append((start, end))
        else:
            found += recursive_spans(document.text, size, unit=unit, separators=CLAUSES, start=start, end=end)
    return found


def packed(
    text: str,
    atoms: Sequence[Span],
    size: int,
    overlap: int = 0,
    min: int | None = None,
    length: Callable[[int, int], int] = lambda start, end: end - start,
) -> Iterator[Span]:
    """Neighbouring atoms joined, as the first and one past the last; one over the size stands alone.

    From a `min` on, a join ends with its line.
    """
    first = 0
    for number in range(1, len(atoms) + 1):
        full = number == len(atoms) or length(atoms[first][0], atoms[number][1]) > size
        enough = min is not None and not full and length(atoms[first][0], atoms[number - 1][1]) >= min
        if not (full or (enough and "\n" in text[atoms[number - 1][1] : atoms[number][0]])):
            continue
        yield first, number
        if number < len(atoms):
            back = max(number - overlap, first + 1)
            while back < number and length(atoms[back][0], atoms[number][1]) > size:
                back += 1
            first = back
