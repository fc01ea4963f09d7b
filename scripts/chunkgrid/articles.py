"""One page to one document: its blocks with offsets, its questions with gold spans, its tree."""

from __future__ import annotations

import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from .batching import batch_of
from .blocks import KINDS, Block, read_blocks
from .errors import InputError
from .faq import Answer, Question, take_questions
from .html import Tree, exclude, parse, serialise
from .inputs import Page, read_page, read_rows
from .kinds import kind_of
from .plain import end_of, parse_plain, plain_blocks
from .repeats import core
from .structured import broken
from .text import strip

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
    metadata: str = "{}"
    encoding: str = ""
    excluded: int = 0
    error: str | None = None
    warnings: list[str] = field(default_factory=list)
    blocks: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """The file, and which of its articles where it holds several."""
        return self.source if self.source.endswith(self.doc_id) else f"{self.source}: {self.doc_id}"

    def row(self) -> dict[str, Any]:
        """The article without its blocks: a row of the table of articles read."""
        kinds = Counter(block["kind"] for block in self.blocks)
        counts = [{"kind": kind, "blocks": kinds[kind]} for kind in KINDS if kinds[kind]]
        fields = {name: value for name, value in vars(self).items() if name != "blocks"}
        return {**fields, "kinds": counts}


@dataclass(frozen=True)
class Reading:
    """How articles are read: what CSS `selectors` take out, and where `questions` are: faq, headings or none."""

    selectors: Sequence[str] = ()
    questions: str = "faq"


DEFAULT = Reading()


def read_batch(files: Iterable[tuple[str, str, str]], reading: Reading, batch: str, batches: int) -> Iterator[Article]:
    """The articles of one batch, from files given as (doc_id, source, kind).

    What cannot be read, and an article whose doc_id another one has already, is one with an error.
    """
    first: dict[str, str] = {}
    for doc_id, source, kind in files:
        try:
            data = Path(source).read_bytes()
        except OSError as error:
            yield Article(doc_id, source, error=error.strerror or str(error))
            continue
        for article in _guarded(
            read_file(data, doc_id, source, reading, kind, partial(_is_of, batch, batches)), doc_id, source
        ):
            if article.error is None and article.doc_id in first:
                article = Article(article.doc_id, source, error=f"has the same id as one in {first[article.doc_id]}")
            first.setdefault(article.doc_id, source)
            yield article


def _is_of(batch: str, batches: int, doc_id: str) -> bool:
    return batch_of(doc_id, batches) == batch


def _guarded(articles: Iterator[Article], doc_id: str, source: str) -> Iterator[Article]:
    """A fault of ours costs one article, or the rest of one file, and is told; never the other articles."""
    try:
        yield from articles
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        yield Article(
            doc_id, source, error=f"could not be read: {type(error).__name__}: {' '.join(str(error).split())}"
        )


def read_file(
    data: bytes,
    doc_id: str,
    source: str,
    reading: Reading = DEFAULT,
    kind: str | None = None,
    wanted: Callable[[str], bool] = lambda _: True,
) -> Iterator[Article]:
    """The articles of a file, one or many, that are `wanted`, which is asked with their doc_id.

    What cannot be read is an article with an error. Without a `kind` the file's name says it.
    """
    kind = kind or kind_of(source)
    try:
        if kind == "rows":
            for page in read_rows(data, doc_id, source):
                if wanted(page.doc_id):
                    yield _read(page, source, reading)
        else:
            yield read_article(data, doc_id, source, reading, kind)
    except InputError as error:
        if wanted(doc_id):
            yield Article(doc_id, source, error=str(error))


def read_article(data: bytes, doc_id: str, source: str, reading: Reading = DEFAULT, kind: str | None = None) -> Article:
    """Reads a file that is one article: HTML, unless its `kind` or its name says Markdown or plain text.

    Raises InputError, without the article's name, where nothing can be read.
    """
    return _parsed(read_page(data, doc_id, kind or kind_of(source) or "html"), source, reading)


def _read(page: Page, source: str, reading: Reading) -> Article:
    if page.error:
        return Article(page.doc_id, source, error=page.error)
    try:
        return _parsed(page, source, reading)
    except InputError as error:
        return Article(page.doc_id, source, error=str(error))


def _parsed(page: Page, source: str, reading: Reading) -> Article:
    """Parse, exclude, take the questions out, number the rest."""
    if page.plain:
        tree, excluded = Tree(parse_plain(page.content, reading.questions == "none"), "", [], False), 0
    else:
        tree = parse(page.content)
        excluded = exclude(tree.body, reading.selectors)
    read = plain_blocks if page.plain else read_blocks
    found = take_questions(tree.body, read, reading.questions, tree.data, lines=page.plain)
    if not found.blocks:
        besides = [f"{excluded:,} characters excluded"] * bool(excluded)
        besides += [f"{len(found.questions)} questions without an answer"] * bool(found.questions)
        raise InputError("holds no text" + (f" besides {' and '.join(besides)}" if besides else ""))
    article = Article(page.doc_id, source, encoding=page.encoding, html=serialise(tree.body), excluded=excluded)
    article.metadata = json.dumps(page.metadata, ensure_ascii=False, default=str, sort_keys=True)
    article.title = _title(found.blocks, page.title or tree.title, found.questions, page.doc_id)
    article.text, article.blocks = _numbered(page.doc_id, found.blocks, found.breaks)
    if page.plain:
        article.text += end_of(tree.body)
    article.questions = _placed(found.questions, found.blocks, article.blocks)
    article.warnings = page.warnings
    if tree.flattened:
        article.warnings.append("nested deeper than 2,048 elements: read as plain paragraphs")
    if reading.questions == "faq" and broken(tree.data):
        article.warnings.append("JSON-LD that is no JSON: questions that it declares are not found")
    if "\ufffd" in article.text:
        article.warnings.append(f"{article.text.count(chr(0xFFFD))} characters are not known (U+FFFD)")
    return article


def _title(blocks: list[Block], head_title: str, questions: list[Question], doc_id: str) -> str:
    """The h1, else `<title>`, else the file's name; none that holds a question that left."""
    for block in blocks:
        if block.kind == "h1":
            return block.text
    asked = [core(question.text) for question in questions]
    titles = (head_title, PurePosixPath(doc_id).stem)
    return next((title for title in titles if title and not any(one in strip(title) for one in asked)), "")


def _numbered(doc_id: str, blocks: list[Block], breaks: list[int | None]) -> tuple[str, list[dict[str, Any]]]:
    """The document text and the rows of its blocks."""
    rows: list[dict[str, Any]] = []
    path: dict[int, str] = {}
    headings: list[str] = []
    parts: list[str] = []
    end = 0
    for number, (block, left) in enumerate(zip(blocks, breaks, strict=True)):
        if block.level or left:
            level = min(block.level or 7, left or 7)
            path = {depth: heading for depth, heading in path.items() if depth < level}
            if block.level:
                path[block.level] = block.text
            headings = [path[depth] for depth in sorted(path)]
        gap = block.gap if block.gap is not None else SEPARATOR if rows else ""
        parts += [gap, block.text]
        start = end + len(gap)
        end = start + len(block.text)
        rows.append(
            {
                "doc_id": doc_id,
                "block": number,
                "breaks": left,
                "kind": block.kind,
                "start": start,
                "end": end,
                "text": block.text,
                "headings": headings,
                "header": block.header,
            }
        )
    return "".join(parts), rows


def _placed(questions: list[Question], blocks: list[Block], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Questions with one gold span per block of their answer."""
    place = {id(block): row for block, row in zip(blocks, rows, strict=True)}
    placed = []
    for question in questions:
        spans = [_span(answer, place[id(answer.block)]) for answer in question.answer]
        gold = [span for span in spans if span["start"] < span["end"]]
        placed.append({"question": question.text, "gold": gold})
    return placed


def _span(answer: Answer, row: dict[str, Any]) -> dict[str, int]:
    end = row["end"] if answer.end is None else row["start"] + answer.end
    return {"start": row["start"] + answer.start, "end": end}
