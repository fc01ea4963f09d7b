"""A tree to its blocks: the pieces of an article that a person would call one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from .text import LINE_BREAK, fold

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KINDS = (*HEADINGS, "paragraph", "list", "table", "pre", "component")

_LISTS = {"ul", "ol", "menu", "dir", "dl"}
_ITEMS = {"li", "dt", "dd"}
_CONTAINERS = {
    *("address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "div", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main", "nav"),
    *("p", "search", "section", "summary", "caption", "tbody", "thead", "tfoot", "tr", "td", "th"),
}
_BLOCK_LEVEL = {*HEADINGS, *_LISTS, *_ITEMS, *_CONTAINERS, "pre", "table"}


@dataclass
class Piece:
    """A stretch of inline text and where in the tree it stands (`slot`: `text`, `tail` or `br`)."""

    element: HtmlElement
    slot: str
    raw: str


@dataclass
class Block:
    """One block. `pieces` are kept for paragraphs and headings, where questions are looked for."""

    kind: str
    text: str
    header: str | None = None
    pieces: list[Piece] = field(default_factory=list)

    @property
    def level(self) -> int | None:
        """1 to 6 for a heading."""
        return int(self.kind[1]) if self.kind in HEADINGS else None


def folded(pieces: list[Piece]) -> str:
    """The text of a run of inline pieces."""
    return fold("".join(piece.raw for piece in pieces))


def read_blocks(body: HtmlElement) -> list[Block]:
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
        self.components: list[HtmlElement] = []

    def start(self, element: HtmlElement) -> bool:
        """Enters an element; True where it was read whole."""
        tag = element.tag
        if tag == "br":
            self.run.append(Piece(element, "br", LINE_BREAK))
        elif tag in ("pre", "table"):
            self.end_block()
            self.blocks.extend(_pre(element) if tag == "pre" else _table(element))
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

    def end(self, element: HtmlElement) -> None:
        """Leaves an element."""
        tag = element.tag
        if tag in HEADINGS:
            self.end_block()
            self.heading = None
        elif tag in _LISTS:
            if self.list_depth == 1:
                self.end_block()
            else:
                self._end_line()
            self.list_depth -= 1
        elif self.components and self.components[-1] is element:
            self._boundary()
            self.components.pop()
        else:
            self._at_edge(tag)

    def add(self, element: HtmlElement, slot: str, raw: str | None) -> None:
        if raw:
            self.run.append(Piece(element, slot, raw))

    def end_block(self) -> None:
        """Closes the block under way, if it has any text."""
        pieces = self.run
        self._end_line()
        text, self.lines = "\n".join(self.lines), []
        if text:
            kind = self.heading or ("list" if self.list_depth else "component" if self.components else "paragraph")
            self.blocks.append(Block(kind, text, pieces=[] if kind == "list" else pieces))

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
        if text:
            self.lines.append(text)


def _pre(element: HtmlElement) -> Iterator[Block]:
    """Verbatim, but for the newline right after the tag (which HTML drops) and a last one."""
    text = _verbatim(element).replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix("\n").removesuffix("\n")
    if text.strip():
        yield Block("pre", text)


def _verbatim(element: HtmlElement) -> str:
    parts = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            parts.append("\n" if node.tag == "br" else node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts)


def _table(element: HtmlElement) -> Iterator[Block]:
    """One line per row, cells joined by ` | `; a caption and stray text are lines of their own."""
    lines: list[str] = []
    header: str | None = None
    spans: dict[int, int] = {}
    seen_row = False
    for node, in_head in _table_parts(element):
        if isinstance(node, str):
            lines.append(fold(node))
        elif node.tag != "tr":
            lines.append(_flat(node))
        else:
            row = _row(node, spans)
            if not seen_row and row and (in_head or all(cell.tag == "th" for cell in node)):
                header = row
            seen_row = seen_row or bool(row)
            lines.append(row)
    text = "\n".join(line for line in lines if line)
    if text.strip():
        yield Block("table", text, header=header)


def _table_parts(table: HtmlElement) -> Iterator[tuple[HtmlElement | str, bool]]:
    """Rows, captions and loose text of a table (not of tables inside it) with whether in `thead`."""
    yield table.text or "", False
    for child in table:
        if child.tag in ("thead", "tbody", "tfoot"):
            yield child.text or "", False
            for row in child:
                yield row, child.tag == "thead"
                yield row.tail or "", False
        elif child.tag not in ("colgroup", "col"):
            yield child, False
        yield child.tail or "", False


def _row(row: HtmlElement, spans: dict[int, int]) -> str:
    """A row's text; a cell that spans leaves empty cells behind, so that columns stay aligned.

    `spans` holds, per column, how many rows a cell above still reaches down.
    """
    cells: list[str] = []

    def skip_spanned() -> None:
        while spans.get(len(cells), 0) > 0:
            spans[len(cells)] -= 1
            cells.append("")

    for cell in row:
        skip_spanned()
        down, across = _span(cell, "rowspan"), _span(cell, "colspan")
        for column in range(len(cells), len(cells) + across):
            spans[column] = down - 1
        cells += [_flat(cell), *[""] * (across - 1)]
    if cells:
        skip_spanned()
    return " | ".join(cells) if any(cells) else ""


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return min(max(int(value), 1), 1000) if value.isascii() and value.isdigit() else 1


def _flat(element: HtmlElement) -> str:
    """All text of an element on one line."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node.tag in _BLOCK_LEVEL or node.tag == "br":
            parts.append(" ")
        if event == "start":
            parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return fold("".join(parts))
