"""Where the chunks of another library stand in the document that they were cut from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..placing import Text, without_blanks
from ..text import strip
from ..units import token_starts
from .chunks import Document, Piece

Shared = Callable[[str], int]
"""How many of the last characters of a chunk the next may begin with."""


def shared(overlap: int, unit: str) -> Shared:
    """That number, where a library was told an overlap in a unit. Raises InputError as `units.measure` does."""

    def characters(text: str) -> int:
        starts = token_starts(text, unit)
        return len(text) - int(starts[-overlap]) if len(starts) > overlap else len(text)

    return characters if overlap else lambda text: 0


def found(
    document: Document,
    texts: Iterable[str],
    overlapping: Shared = lambda text: 0,
    sought: Callable[[str], str] = lambda text: text,
) -> Iterator[Piece]:
    """The texts of chunks in order, each with its place in the document, or without one where it stands nowhere.

    Blank ones are left out. Each stands at the first place where it may begin: behind the chunk before it, but for what
    they may share, and behind that one's beginning. White space aside, since libraries trim lines and join them;
    `sought` is what of a text is of the document.
    """
    text = Text(document.text)
    before, start, end = "", -1, 0
    for one in filter(strip, texts):
        places = without_blanks(text, strip(sought(one)), max(end - overlapping(before), start + 1))
        place = next(places, None)
        if place is None:
            yield Piece(text=one)
            continue
        before, (start, end) = one, place
        whole = start - len(one) + len(one.lstrip()), end + len(one) - len(one.rstrip())
        if document.text[slice(*whole)] == one:
            yield Piece(*whole)
        else:
            yield Piece(start, end, one)
