"""What people have, to pages: HTML, Markdown, plain text, and exports with a row an article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import yaml
from markdown_it import MarkdownIt

from .encoding import codecs_of, declaration, decode
from .rows import Row, either, json_rows, needing, rows_of

CONTENTS = ("html", "markdown", "text")
"""Columns of an export that may hold an article, the first that is filled is taken."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
# The indent of Japanese paragraphs, which markdown-it-py strips, goes through it as a mark that nobody writes
# (Aegean word separator): punctuation, so that emphasis beside it is seen as beside a blank.
_INDENT = re.compile("^\u3000+", re.M)
_STAND_IN = "\U00010101"


@dataclass
class Page:
    """An article before it is parsed, and what is known of it besides: HTML, or `plain` text."""

    doc_id: str
    content: str
    plain: bool = False
    title: str = ""
    encoding: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str | None = None


def read_page(data: bytes, doc_id: str, kind: str) -> Page:
    """A file that is one article. Raises InputError where it cannot be decoded."""
    text, encoding = decode(data)
    page = _page(doc_id, kind, text)
    page.encoding = encoding
    declared = declaration(data) if kind == "html" else None
    if declared and encoding not in [*codecs_of(declared), "utf-8-sig"]:
        page.warnings.append(f"declares '{declared}', is {encoding}")
    return page


def read_rows(data: bytes, name: str, source: str) -> Iterator[Page]:
    """The articles of an export: columns `id`, `title` (may be absent) and one of html, markdown, text.

    JSON is a list of such rows, or of SQuAD's shape: an article's text is then its contexts. A row without an
    id or without content yields a page with an error, one without an id by the `name` of the export and its
    number. Raises InputError where the file cannot be read at all or lacks the columns.
    """
    suffix = PurePath(source).suffix.lower()
    if suffix == ".json":
        rows, encoding = json_rows(data)
    else:
        rows, encoding = rows_of(data, suffix, needing(("id",), CONTENTS), ("id", "title", *CONTENTS))
    for number, row in rows:
        if isinstance(row, str):
            yield Page(f"{name}: row {number}", "", error=row)
            continue
        row = _of_squad(row)
        doc_id = row.get("id")
        if doc_id is None or not str(doc_id).strip():
            yield Page(f"{name}: row {number}", "", error="has no id")
            continue
        kind = next((kind for kind in CONTENTS if isinstance(row.get(kind), str) and row[kind].strip()), None)
        if kind is None:
            yield Page(str(doc_id), "", error=f"row {number} holds nothing in {either(CONTENTS)}")
            continue
        page = _page(str(doc_id), kind, row[kind])
        page.title, page.encoding = str(row.get("title") or page.title or ""), encoding
        yield page


def _of_squad(row: Row) -> Row:
    """An article of SQuAD as a row; any other row as it is."""
    try:
        contexts = [paragraph["context"] for paragraph in row["paragraphs"]]
        return {"id": row["title"], "title": row["title"], "text": "\n\n".join(dict.fromkeys(contexts))}
    except (KeyError, TypeError):
        return row


def _page(doc_id: str, kind: str, text: str) -> Page:
    if kind == "markdown":
        return _markdown(doc_id, text)
    return Page(doc_id, text, plain=kind == "text")


def _markdown(doc_id: str, text: str) -> Page:
    page = Page(doc_id, "")
    front = _FRONT_MATTER.match(text)
    if front:
        try:
            metadata = yaml.safe_load(front[1])
        except yaml.YAMLError:
            metadata = None
        if isinstance(metadata, dict):
            page.metadata = {str(key): value for key, value in metadata.items()}
            page.title = str(page.metadata.get("title") or "")
            text = text[front.end() :]
        elif front[1].strip():
            page.warnings.append("begins with '---' but not with front matter; read as text")
    indented = _INDENT.sub(lambda blanks: _STAND_IN * len(blanks[0]), text)
    page.content = _MARKDOWN.render(indented).replace(_STAND_IN, "\u3000")
    return page
