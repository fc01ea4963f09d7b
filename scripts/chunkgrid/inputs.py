"""What people have, to pages: HTML, Markdown, plain text, and exports with a row an article."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from markdown_it import MarkdownIt

from .encoding import codecs_of, declaration, decode
from .errors import InputError

CONTENTS = ("html", "markdown", "text")
"""Columns of an export that may hold an article, the first that is filled is taken."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@dataclass
class Page:
    """An article's HTML before it is parsed, and what is known of it besides."""

    doc_id: str
    html: str
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

    A row without an id or without content yields a page with an error, one without an id by the `name` of
    the export and its number. Raises InputError where the file
    cannot be read at all or lacks the columns.
    """
    suffix = PurePath(source).suffix.lower()
    encoding = "utf-8"
    if suffix == ".parquet":
        rows = _parquet(data)
    else:
        text, encoding = decode(data)
        rows = _csv(text) if suffix == ".csv" else _jsonl(text)
    for number, row in rows:
        if isinstance(row, str):
            yield Page(f"{name}: row {number}", "", error=row)
            continue
        doc_id = row.get("id")
        if doc_id is None or not str(doc_id).strip():
            yield Page(f"{name}: row {number}", "", error="has no id")
            continue
        kind = next((kind for kind in CONTENTS if isinstance(row.get(kind), str) and row[kind].strip()), None)
        if kind is None:
            yield Page(str(doc_id), "", error=f"row {number} holds nothing in {_either(CONTENTS)}")
            continue
        page = _page(str(doc_id), kind, row[kind])
        page.title, page.encoding = str(row.get("title") or page.title or ""), encoding
        yield page


def _page(doc_id: str, kind: str, text: str) -> Page:
    if kind == "markdown":
        return _markdown(doc_id, text)
    return Page(doc_id, _paragraphs(text) if kind == "text" else text)


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
    page.html = _MARKDOWN.render(text)
    return page


def _paragraphs(text: str) -> str:
    """Plain text: an empty line ends a paragraph, other lines stay lines."""
    parts = re.split(r"\n\s*\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(f"<p>{html.escape(part.strip()).replace(chr(10), '<br>')}</p>" for part in parts if part.strip())


def _jsonl(text: str) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, f"is no JSON: {error}"
            continue
        yield number, row if isinstance(row, dict) else "is no JSON object"


def _csv(text: str) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    csv.field_size_limit(1 << 30)
    rows = csv.DictReader(io.StringIO(text, newline=""), restkey="")
    _check(rows.fieldnames or [])
    for number, row in enumerate(rows, 1):
        yield number, "has more fields than the header" if "" in row else row


def _parquet(data: bytes) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        _check(file.schema_arrow.names)
        names = [name for name in ("id", "title", *CONTENTS) if name in file.schema_arrow.names]
        number = 0
        for batch in file.iter_batches(batch_size=256, columns=names):
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def _check(columns: list[str] | Any) -> None:
    if "id" not in columns or not set(CONTENTS) & set(columns):
        found = ", ".join(map(str, columns)) or "none"
        raise InputError(f"needs the columns id and one of {_either(CONTENTS)}; it has {found}")


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
