"""LangChain's splitters of text and of Markdown as they are, with offsets where the text is found."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from langchain_text_splitters import (
    CharacterTextSplitter,
    MarkdownHeaderTextSplitter,
    RecursiveCharacterTextSplitter,
)

from ..units import measure
from .chunks import Document, Piece
from .found import found, shared
from .recursive import recursive_spans

logging.getLogger("langchain_text_splitters").setLevel(logging.ERROR)  # it tells each part over the size
SEPARATORS = {
    "default": None,
    "japanese": ["\n\n", "\n", " ", ".", ",", "\u200b", "\uff0c", "\u3001", "\uff0e", "\u3002", ""],
}
"""None is what the library has; the others are those of LangChain's guide for text without word boundaries."""
_OWN = ("\n\n", "\n", " ", "")


def recursive(
    document: Document, size: int, overlap: int = 0, separators: str = "default", unit: str = "characters"
) -> Iterator[Piece]:
    """`RecursiveCharacterTextSplitter` with one of SEPARATORS. Raises InputError as `units.measure` does."""
    splitter = RecursiveCharacterTextSplitter(
        separators=SEPARATORS[separators], chunk_size=size, chunk_overlap=overlap, length_function=measure(unit)
    )
    texts = splitter.split_text(document.text)
    # Offsets that are carried through the same steps; sought they might be those of a repetition.
    spans = recursive_spans(document.text, size, overlap, unit, SEPARATORS[separators] or _OWN, "start")
    if [document.text[start:end] for start, end in spans] == [text for text in texts if text.strip()]:
        return (Piece(start, end) for start, end in spans)
    return found(document, texts, shared(overlap, unit))


def character(
    document: Document, size: int, overlap: int = 0, separator: str = "\n\n", unit: str = "characters"
) -> Iterator[Piece]:
    """`CharacterTextSplitter`: cut at one separator, parts over the size stay. Raises InputError as `units.measure`."""
    splitter = CharacterTextSplitter(
        separator=separator, chunk_size=size, chunk_overlap=overlap, length_function=measure(unit)
    )
    return found(document, splitter.split_text(document.text), shared(overlap, unit))


def markdown(document: Document, level: int = 3, strip_headers: bool = True) -> Iterator[Piece]:
    """`MarkdownHeaderTextSplitter` over the document as Markdown, at headings down to `level`."""
    marks = [("#" * depth, f"h{depth}") for depth in range(1, level + 1)]
    splitter = MarkdownHeaderTextSplitter(marks, strip_headers=strip_headers)
    parts = splitter.split_text(as_markdown(document))
    return found(document, (part.page_content for part in parts), sought=_unmarked)


def as_markdown(document: Document) -> str:
    """The blocks of a document with headings and code marked; a line of text that looks so marked is escaped."""
    return "\n\n".join(_marked(block["kind"], block["text"]) for block in document.blocks)


def _marked(kind: str, text: str) -> str:
    if re.fullmatch("h[1-6]", kind):
        return f"{'#' * int(kind[1])} {' '.join(text.split())}"
    if kind == "pre":
        fence = "~~~" if "```" in text else "```"
        return f"{fence}\n{text}\n{fence}"
    return re.sub(r"^(\s*)(?=\\*(?:#{1,6}\s|```|~~~))", r"\1\\", text, flags=re.M)


def _unmarked(markdown: str) -> str:
    """The text of a part of `as_markdown`, but for white space."""
    lines = []
    fence = ""
    for line in markdown.splitlines():
        if fence or line.strip() in ("```", "~~~"):
            at_edge = line.strip() == (fence or line.strip())
            if at_edge:
                fence = "" if fence else line.strip()
            else:
                lines.append(line)
        else:
            lines.append(re.sub(r"^(\s*)(#{1,6}\s+|\\(?=\\*(?:#{1,6}\s|```|~~~)))", r"\1", line))
    return "\n".join(lines)
