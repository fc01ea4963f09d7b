"""Cuts at headings, alone (`headings`) or packed up to a size without breaking blocks (`structure`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..units import span_measure
from .chunks import Document, Piece
from .recursive import recursive_spans

PATH_SEPARATOR = " ＞ "

Block = dict[str, Any]


def headings(document: Document, level: int) -> Iterator[Piece]:
    """A chunk from each heading of level 2 to `level` to the next; text before the first is one."""
    section: list[Block] = []
    for block in document.blocks:
        if section and _opens(block, level):
            yield Piece(section[0]["start"], section[-1]["end"])
            section = []
        section.append(block)
    if section:
        yield Piece(section[0]["start"], section[-1]["end"])


def structure(document: Document, size: int, prefix: str = "none", unit: str = "characters") -> Iterator[Piece]:
    """Whole blocks packed while their span stays within `size` characters or tokens, never across an h2 or h3.

    A block over the size is cut alone, where its kind allows it: a table at row ends, a pre at
    newlines, anything else recursively. `prefix="headings"` puts the heading path in front of the
    index text; a table's later pieces always have its header row there. Raises InputError as `units.measure` does.
    """
    length = span_measure(document.text, unit)
    packed: list[Block] = []
    for block in document.blocks:
        alone = length(block["start"], block["end"]) > size
        if packed and (alone or _opens(block, 3) or length(packed[0]["start"], block["end"]) > size):
            yield _piece(document, packed[0], packed[0]["start"], packed[-1]["end"], prefix)
            packed = []
        if not alone:
            packed.append(block)
            continue
        for number, (start, end) in enumerate(_cut_block(document.text, block, size, unit)):
            yield _piece(document, block, start, end, prefix, block["header"] if number else None)
    if packed:
        yield _piece(document, packed[0], packed[0]["start"], packed[-1]["end"], prefix)


def _opens(block: Block, deepest: int) -> bool:
    """Whether a section starts here: a heading, or one that left before it, of level 2 to `deepest`."""
    level = int(block["kind"][1]) if block["kind"][0] == "h" else 0
    return 2 <= level <= deepest or 2 <= (block["breaks"] or 0) <= deepest


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


def _piece(document: Document, first: Block, start: int, end: int, prefix: str, header: str | None = None) -> Piece:
    text = document.text[start:end]
    lines = [heading_path(document.title, first["headings"])] if prefix == "headings" else []
    lines += [header] if header else []
    return Piece(start, end, index_text="\n".join([*lines, text]) if lines else None)


def heading_path(title: str, path: list[str]) -> str:
    """`title ＞ h2 ＞ h3`; the title comes first also where no h1 holds it."""
    return PATH_SEPARATOR.join(path if path[:1] == [title] or not title else [title, *path])
