"""LangChain's two HTML splitters as they are; they rewrite text, so their chunks have no offsets."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from langchain_text_splitters import HTMLHeaderTextSplitter, HTMLSemanticPreservingSplitter

from .chunks import Document, Piece

# The second goes down a page by recursion, some frames a level; pages are up to 2,048 levels deep.
sys.setrecursionlimit(50_000)
_HEADERS = [("h2", "h2"), ("h3", "h3")]


def html_header(document: Document) -> Iterator[Piece]:
    """`HTMLHeaderTextSplitter` at h2 and h3: a chunk for each heading, one for what stands under it."""
    for part in HTMLHeaderTextSplitter(_HEADERS).split_text(document.html):
        yield Piece(text=part.page_content)


def html_semantic(document: Document, size: int) -> Iterator[Piece]:
    """`HTMLSemanticPreservingSplitter` at h2 and h3, tables, lists and pre kept whole."""
    splitter = HTMLSemanticPreservingSplitter(
        headers_to_split_on=_HEADERS, max_chunk_size=size, elements_to_preserve=["table", "ul", "ol", "pre"]
    )
    for part in splitter.split_text(document.html):
        yield Piece(text=part.page_content)
