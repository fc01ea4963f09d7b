"""Cuts at headings, alone (`headings`) or packed up to a size without breaking blocks (`structure` and its like)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

from ..units import span_measure
from .chunks import Document, Piece
from .derived import prefixed, with_table_header
from .recursive import recursive_spans

Block = dict[str, Any]
_SECTIONS = range(2, 4)
"""Levels of the headings that open a section."""


def headings(document: Document, level: int) -> Iterator[Piece]:
    """A chunk from each heading of level 2 to `level` to the next; text before the first is one."""
    for section in _sections(document.blocks, range(2, level + 1)):
        yield Piece(section[0]["start"], section[-1]["end"])


def structure(document: Document, size: int, prefix: str = "none", unit: str = "characters") -> Iterator[Piece]:
    """Whole blocks packed while their span stays within `size` characters or tokens, never across an h2 or h3.

    A block over the size is cut alone, where its kind allows it: a table at row ends, a pre at
    newlines, anything else recursively. `prefix="headings"` puts the heading path in front of the
    index text; a table's later pieces always have its header row there. Raises InputError as `units.measure` does.
    """
    pieces = with_table_header(document, _packed(document, _sections(document.blocks, _SECTIONS), lambda _: size, unit))
    return prefixed(document, pieces, "headings") if prefix == "headings" else pieces


def markdown(document: Document, size: int, level: int = 6, unit: str = "characters") -> Iterator[Piece]:
    """Whole blocks packed as by `structure`, but each heading of level 1 to `level` begins a chunk.

    The heading path is in front of what is indexed, and code stays whole, also over the size. Raises InputError as
    `units.measure` does.
    """
    sections = _sections(document.blocks, range(1, level + 1))
    pieces = _packed(document, sections, lambda _: size, unit, whole={"pre"})
    return prefixed(document, with_table_header(document, pieces), "headings")


def adaptive(
    document: Document, size: int, code: float = 2.0, table: float = 2.0, unit: str = "characters"
) -> Iterator[Piece]:
    """Whole blocks packed as by `structure`, to a size that grows with what the section holds of code and tables.

    A section that is all code has `code` times the size, one that is all table `table` times; in between in proportion
    to the characters. Raises InputError as `units.measure` does.
    """

    def size_of(section: Sequence[Block]) -> int:
        lengths = {"pre": 0, "table": 0}
        for block in section:
            lengths[block["kind"]] = lengths.get(block["kind"], 0) + len(block["text"])
        grown = (code - 1) * lengths["pre"] + (table - 1) * lengths["table"]
        return max(round(size * (1 + grown / sum(lengths.values()))), 1)

    return with_table_header(document, _packed(document, _sections(document.blocks, _SECTIONS), size_of, unit))


def _packed(
    document: Document,
    sections: Iterable[Sequence[Block]],
    size_of: Callable[[Sequence[Block]], int],
    unit: str,
    whole: Container[str] = (),
) -> Iterator[Piece]:
    """Blocks packed within each section up to its size; those of the kinds `whole` are never cut."""
    length = span_measure(document.text, unit)
    for section in sections:
        size = size_of(section)
        packed: list[Block] = []
        for block in section:
            alone = length(block["start"], block["end"]) > size
            if packed and (alone or length(packed[0]["start"], block["end"]) > size):
                yield Piece(packed[0]["start"], packed[-1]["end"])
                packed = []
            if not alone:
                packed.append(block)
            elif block["kind"] in whole:
                yield Piece(block["start"], block["end"])
            else:
                yield from (Piece(*span) for span in _cut_block(document.text, block, size, unit))
        if packed:
            yield Piece(packed[0]["start"], packed[-1]["end"])


def _sections(blocks: Iterable[Block], levels: range) -> Iterator[list[Block]]:
    section: list[Block] = []
    for block in blocks:
        if section and _opens(block, levels):
            yield section
            section = []
        section.append(block)
    if section:
        yield section


def _opens(block: Block, levels: range) -> bool:
    """Whether a section starts here: a heading of `levels`, or one that left before it."""
    level = int(block["kind"][1]) if block["kind"][0] == "h" else 0
    return level in levels or (block["breaks"] or 0) in levels


def _cut_block(text: str, block: Block, size: int, unit: str) -> list[tuple[int, int]]:
    start, end = block["start"], block["end"]
    if block["kind"] not in ("table", "pre"):
        return recursive_spans(text, size, unit=unit, start=start, end=end)
    length = span_measure(text, unit)
    spans: list[tuple[int, int]] = []
    for line in text[start:end].split("\n"):
        here, start = start, start + len(line) + 1
        if spans and length(spans[-1][0], here + len(line)) <= size:
            spans[-1] = (spans[-1][0], here + len(line))
        else:
            spans.append((here, here + len(line)))
    return [(first, last) for first, last in spans if text[first:last].strip()]
