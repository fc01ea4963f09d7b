"""Where the chunks of another library stand in the document that they were cut from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..placing import Text
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

    Blank ones are left out. Each begins where the one before it does at the earliest, and but for what they may share
    where that ends. White space aside, on both sides, since libraries trim lines and join them; `sought` is what of a
    text is of the document.
    """
    text = Text(document.text)
    before, end = "", 0  # the chunk before, and where that ends in `text.bare`
    for one in filter(strip, texts):
        common = overlapping(before)
        first = end - len(strip(before[max(len(before) - common, 0) :])) if common else end
        wanted = strip(sought(one))
        place = _place(text.bare, wanted, first, end)
        if place is None:
            yield Piece(text=one)
            continue
        before, end = one, place + len(wanted)
        yield _piece(document.text, text.span(place, len(wanted)), one)


def _place(bare: str, wanted: str, first: int, reached: int) -> int | None:
    """The first place from `first` on where a text goes on behind `reached` with nothing left out.

    Else where it stands before that, as a library may yield once more what two chunks share; else the first beyond.
    """
    place = bare.find(wanted, first) if wanted else -1
    within = None
    while 0 <= place <= reached:
        if place + len(wanted) > reached:
            return place
        within = place
        place = bare.find(wanted, place + 1)
    return within if within is not None else place if place >= 0 else None


def _piece(text: str, span: tuple[int, int], one: str) -> Piece:
    """A slice where the document has the text just so, else the text with its place."""
    start, end = span
    whole = start - len(one) + len(one.lstrip()), end + len(one) - len(one.rstrip())
    return Piece(*whole) if text[slice(*whole)] == one else Piece(start, end, one)
