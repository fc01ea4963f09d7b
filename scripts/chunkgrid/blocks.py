"""A tree to its blocks: the pieces of an article that a person would call one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from .text import BLANKS, LINE_BREAK, fold
from .tree import Element

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KINDS = (*HEADINGS, "paragraph", "list", "table", "pre", "component")

_LISTS = {"ul", "ol", "menu", "dir", "dl"}
_ITEMS = {"li", "dt", "dd"}
_CONTAINERS = {
    *("address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "div", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main", "nav"),
    *("p", "search", "section", "summary", "select", "option", "optgroup", "textarea", "caption"),
    *("tbody", "thead", "tfoot", "tr", "td", "th"),
}
_VERBATIM = {"pre", "listing", "xmp", "plaintext"}
_MOST = 1000  # rows or columns that a cell spans
_BLOCK_LEVEL = {*HEADINGS, *_LISTS, *_ITEMS, *_CONTAINERS, *_VERBATIM, "table"}


@dataclass
class Piece:
    """A stretch of inline text and where in the tree it stands (`slot`: `text`, `tail` or `br`)."""

    element: Element
    slot: str
    raw: str


@dataclass
class Block:
    """One block. `pieces` are kept for paragraphs and headings, where questions are looked for.

    `element` is where in the tree it stands. `gap` is what stands between the block before and this one,
    where that is not the same everywhere: in plain text, which is kept as it is.
    """

    kind: str
    text: str
    header: str | None = None
    pieces: list[Piece] = field(default_factory=list)
    element: Element | None = None
    gap: str | None = None

    @property
    def level(self) -> int | None:
        """1 to 6 for a heading."""
        return int(self.kind[1]) if self.kind in HEADINGS else None


def folded(pieces: list[Piece]) -> str:
    """The text of a run of inline pieces."""
    return fold("".join(piece.raw for piece in pieces))


def runs(body: Element) -> Iterator[list[Piece]]:
    """Every stretch of text between two edges of blocks or line breaks, with each piece of it."""
    run: list[Piece] = []
    for event, element in etree.iterwalk(body, events=("start", "end")):
        edge = element.tag in _BLOCK_LEVEL or element.tag == "br"
        if edge and run:
            yield run
            run = []
        text, slot = (element.text, "text") if event == "start" else (element.tail, "tail")
        if text and not (slot == "tail" and element is body):
            run.append(Piece(element, slot, text))
    if run:
        yield run


def read_blocks(body: Element) -> list[Block]:
    """The blocks of a tree in reading order; every visible character is in exactly one of them."""
    reader = _Reader()
    walker = etree.iterwalk(body, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            if reader.start(element):
                walker.skip_subtree()
        else:
            reader.end(element)
            if element is not body:
                reader.add(element, "tail", element.tail)
    reader.end_block()
    return reader.blocks


class _Reader:
    """Gathers inline text until something block-level begins or ends."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.lines: list[str] = []
        self.run: list[Piece] = []
        self.heading: str | None = None
        self.list_depth = 0
        self.components: list[Element] = []
        self.place: Element | None = None

    def start(self, element: Element) -> bool:
        """Enters an element; True where it was read whole."""
        tag = element.tag
        if tag == "br":
            self.run.append(Piece(element, "br", LINE_BREAK))
        elif tag in _VERBATIM or tag == "table":
            self.end_block()
            self.blocks.extend(_table(element) if tag == "table" else _pre(element))
            return True
        elif tag in HEADINGS:
            self.end_block()
            self.heading = tag
        elif tag in _LISTS:
            self._boundary(item=True)
            self.list_depth += 1
        elif "-" in tag and (not folded(self.run) or any(e.tag in _BLOCK_LEVEL for e in element.iter())):
            # A custom element is inline to a browser; one that stands alone or holds blocks is not.
            self._boundary()
            self.components.append(element)
        else:
            self._at_edge(tag)
        self.add(element, "text", element.text)
        return False

    def end(self, element: Element) -> None:
        """Leaves an element."""
        tag = element.tag
        if tag in HEADINGS:
            self.end_block()
            self.heading = None
        elif tag in _LISTS:
            if self.heading:
                self._boundary()
            elif self.list_depth == 1:
                self.end_block()
            else:
                self._end_line()
            self.list_depth -= 1
        elif self.components and self.components[-1] is element:
            self._boundary()
            self.components.pop()
        else:
            self._at_edge(tag)

    def add(self, element: Element, slot: str, raw: str | None) -> None:
        if raw:
            self.run.append(Piece(element, slot, raw))
            if self.place is None and raw.strip(BLANKS):
                self.place = element.getparent() if slot == "tail" else element

    def end_block(self) -> None:
        """Closes the block under way, if it has any text."""
        pieces = self.run
        self._end_line()
        text, self.lines = "\n".join(self.lines), []
        if text:
            kind = self.heading or ("list" if self.list_depth else "component" if self.components else "paragraph")
            self.blocks.append(Block(kind, text, pieces=[] if kind == "list" else pieces, element=self.place))
        self.place = None

    def _at_edge(self, tag: str) -> None:
        if tag in _ITEMS:
            self._boundary(item=True)
        elif tag in _CONTAINERS:
            self._boundary()

    def _boundary(self, item: bool = False) -> None:
        if self.heading:
            self.run.append(Piece(None, "", " "))
        elif not self.list_depth:
            self.end_block()
        elif item:
            self._end_line()
        else:  # a paragraph inside an item: the item stays one line
            self.run.append(Piece(None, "", " "))

    def _end_line(self) -> None:
        text, self.run = folded(self.run), []
        if self.list_depth and not self.heading:
            text = text.replace("\n", " ")
        if text.strip():
            self.lines.append(text)


def _pre(element: Element) -> Iterator[Block]:
    """Verbatim, but for the newline right after the tag (which HTML drops) and a last one."""
    text = _verbatim(element).replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix("\n").removesuffix("\n")
    if text.strip():
        yield Block("pre", text, element=element)


def _verbatim(element: Element) -> str:
    """All text as it stands; block-level elements inside (some highlighters use one a line) end lines."""
    parts: list[str] = []
    broken = False
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node is not element and node.tag in _BLOCK_LEVEL:
            broken = True
        if event == "start":
            text = "\n" if node.tag == "br" else node.text or ""
        else:
            text = node.tail or "" if node is not element else ""
        if text:
            if broken and parts and not parts[-1].endswith("\n") and not text.startswith("\n"):
                parts.append("\n")
            parts.append(text)
            broken = False
    return "".join(parts)


def _table(element: Element) -> Iterator[Block]:
    """One line per row, cells joined by ` | `; a caption and stray text are lines of their own."""
    lines: list[str] = []
    header: str | None = None
    seen_row = False
    for section in _sections(element):
        spans: dict[int, int] = {}  # no cell reaches out of its section
        for node in section:
            if isinstance(node, str):
                lines.append(fold(node))
            elif node.tag != "tr":
                lines.append(_flat(node))
            else:
                row = _row(node, spans)
                heads = node.getparent().tag == "thead" or all(cell.tag == "th" for cell in node)
                header = row if row and heads and not seen_row else header
                seen_row = seen_row or bool(row)
                lines.append(row)
    text = "\n".join(line for line in lines if line)
    if text.strip():
        yield Block("table", text, header=header, element=element)


def _sections(table: Element) -> Iterator[list[Element | str]]:
    """Rows, captions and loose text of a table (not of tables inside it), by section."""
    loose: list[Element | str] = [table.text or ""]
    for child in table:
        if child.tag in ("thead", "tbody", "tfoot"):
            yield loose
            yield [child.text or "", *(part for row in child for part in (row, row.tail or ""))]
            loose = []
        elif child.tag not in ("colgroup", "col"):
            loose.append(child)
        loose.append(child.tail or "")
    yield loose


def _row(row: Element, spans: dict[int, int]) -> str:
    """A row's text; a cell that spans leaves empty cells behind, so that columns stay aligned.

    `spans` holds, per column, how many rows a cell above still reaches down.
    """
    reached = {column for column, rows in spans.items() if rows > 0}
    for column in reached:
        spans[column] -= 1
    cells: list[str] = []
    stray = row.text or ""  # text beside cells goes into the nearest one
    for cell in row:
        while len(cells) in reached:
            cells.append("")
        down, across = _span(cell, "rowspan"), _span(cell, "colspan")
        for column in range(len(cells), len(cells) + across):
            spans[column] = down - 1
        cells += [fold(f"{stray} {_flat(cell)} {cell.tail or ''}"), *[""] * (across - 1)]
        stray = ""
    while cells and len(cells) in reached:
        cells.append("")
    return " | ".join(cells) if any(cells) else fold(stray)


def _span(cell: Element, name: str) -> int:
    value = cell.get(name)
    if value is None or not ((value := value.strip()).isascii() and value.isdigit()):
        return 1
    # To the end of the section, which is where spans end anyway, is what 0 rows mean.
    return min(int(value) or (_MOST if name == "rowspan" else 1), _MOST)


def _flat(element: Element) -> str:
    """All text of an element on one line."""
    if not len(element):
        return fold(element.text or "")
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node.tag in _BLOCK_LEVEL or node.tag == "br":
            parts.append(" ")
        if event == "start":
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return fold("".join(parts))
