"""One page to one document: its blocks with offsets, its questions with gold spans, its tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from .blocks import KINDS, Block, read_blocks
from .encoding import decode
from .errors import InputError
from .faq import Question, take_questions
from .html import exclude, parse, serialise

SEPARATOR = "\n\n"
"""What stands between two blocks of a document text."""


@dataclass
class Article:
    """A document as read: `blocks` and `questions` are rows of the tables of these names."""

    doc_id: str
    source: str
    title: str = ""
    text: str = ""
    html: str = ""
    encoding: str = ""
    error: str | None = None
    warnings: list[str] = field(default_factory=list)
    blocks: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """The article without its blocks: a row of the table of articles read."""
        kinds = Counter(block["kind"] for block in self.blocks)
        counts = [{"kind": kind, "blocks": kinds[kind]} for kind in KINDS if kinds[kind]]
        fields = {name: value for name, value in vars(self).items() if name != "blocks"}
        return {**fields, "kinds": counts}


def read_article(data: bytes, doc_id: str, source: str, selectors: Sequence[str]) -> Article:
    """Reads a page: decode, parse, exclude, take the questions out, number the rest.

    Raises InputError, without the article's name, where nothing can be read.
    """
    page, encoding = decode(data)
    body, head_title = parse(page)
    exclude(body, selectors)
    removal = take_questions(read_blocks(body))
    if not removal.blocks:
        raise InputError("holds no text outside of what is excluded")
    article = Article(doc_id, source, encoding=encoding, html=serialise(body))
    article.title = _title(removal.blocks, head_title, removal.questions, doc_id)
    article.text, article.blocks = _numbered(doc_id, removal.blocks, removal.breaks)
    article.questions = _placed(removal.questions, removal.blocks, article.blocks)
    return article


def unreadable(doc_id: str, source: str, error: str) -> Article:
    """What stands for an article that could not be read, so that it is counted and named."""
    return Article(doc_id, source, error=error)


def _title(blocks: list[Block], head_title: str, questions: list[Question], doc_id: str) -> str:
    """The h1, else `<title>` unless it holds a question that left, else the file's name."""
    for block in blocks:
        if block.kind == "h1":
            return block.text
    if head_title and not any(question.text in head_title for question in questions):
        return head_title
    return PurePosixPath(doc_id).stem


def _numbered(doc_id: str, blocks: list[Block], breaks: list[int | None]) -> tuple[str, list[dict[str, Any]]]:
    """The document text and the rows of its blocks."""
    rows: list[dict[str, Any]] = []
    path: dict[int, str] = {}
    start = 0
    for number, (block, broken) in enumerate(zip(blocks, breaks, strict=True)):
        level = min(block.level or 7, broken or 7)
        path = {depth: heading for depth, heading in path.items() if depth < level}
        if block.level:
            path[block.level] = block.text
        end = start + len(block.text)
        rows.append(
            {
                "doc_id": doc_id,
                "block": number,
                "breaks": broken,
                "kind": block.kind,
                "start": start,
                "end": end,
                "text": block.text,
                "headings": [path[depth] for depth in sorted(path)],
                "header": block.header,
            }
        )
        start = end + len(SEPARATOR)
    return SEPARATOR.join(block.text for block in blocks), rows


def _placed(questions: list[Question], blocks: list[Block], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Questions with one gold span per block of their answer."""
    place = {id(block): row for block, row in zip(blocks, rows, strict=True)}
    placed = []
    for question in questions:
        spans = [(place[id(a.block)]["start"] + a.offset, place[id(a.block)]["end"]) for a in question.answer]
        gold = [{"start": start, "end": end} for start, end in spans if start < end]
        placed.append({"question": question.text, "gold": gold})
    return placed
