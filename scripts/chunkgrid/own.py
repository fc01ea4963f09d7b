"""Chunks and hits that another system made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .placing import Documents, Span, Text, check_span, holds, resolver, seek
from .question_files import DOCUMENT, query_in
from .rows import END, START, Row, first, labelled, name_in, needing, read_each, span_in, whole_in
from .text import visible

CHUNK = ("chunk", "chunk_id", "id")
QUERY = ("query", "query_id", "question")
"""Fields of a row by any of their names, the first that is filled is taken."""

_NOT_FOUND = "not found in their document, kept without offsets"
_BY_TEXT = "placed by text, their offsets do not hold"
_BACK = "standing before the chunk listed ahead of them, so that a repeated text may be misplaced"
_SHOWN = 5


@dataclass(frozen=True)
class OwnChunk:
    """A chunk as its system hands it over; `name` is what that calls it, if anything.

    `text` is the system's own where it gave one, else the document's. `index_text` is None where it is the same.
    """

    name: str | None
    doc_id: str
    start: int | None
    end: int | None
    text: str
    index_text: str | None


@dataclass(frozen=True)
class _Read:
    """A chunk, what it is called in a note, where it is sorted in its document, and what is to be noted."""

    chunk: OwnChunk
    label: str
    place: int
    notes: list[str]


def own_chunks(data: bytes, name: str, documents: Documents) -> tuple[list[OwnChunk], list[str]]:
    """The chunks of the file `name`, sorted by doc_id and start, and what is to be noted of them.

    A row has DOCUMENT and `start` and `end`, or `text`, or both; and maybe CHUNK and `index_text`. A text without
    offsets that hold is placed in reading order: at its first place not before the start of its document's chunk
    before it, or where both are the same text, not before its end; where there is none, at its first place at
    all. One that is not found keeps its text and stays behind the chunk before it. Raises one InputError that
    names the file and every row at fault.
    """
    columns = (*DOCUMENT, *CHUNK, *START, *END, "text", "index_text")
    rows = labelled(data, name, needing(DOCUMENT, ("text", *START)), columns)
    read = read_each(rows, _Reader(documents).read, name)
    notes = []
    for note in (_NOT_FOUND, _BY_TEXT, _BACK):
        labels = [one.label for one in read if note in one.notes]
        if labels:
            shown = ", ".join(labels[:_SHOWN]) + ", …" * (len(labels) > _SHOWN)
            notes.append(f"{name}: {len(labels):,} of {len(read):,} chunks {note}: {shown}")
    return [one.chunk for one in sorted(read, key=lambda one: (one.chunk.doc_id, one.place))], notes


class _Reader:
    """Reads rows in their order, and knows the chunk before."""

    def __init__(self, documents: Documents):
        self._resolve = resolver({doc_id: title for doc_id, (title, _) in documents.items()})
        self._texts = {doc_id: Text(text) for doc_id, (_, text) in documents.items()}
        self._row_of: dict[str, str] = {}
        self._before: dict[str, tuple[Span, str | None]] = dict.fromkeys(documents, ((0, 0), None))

    def read(self, label: str, row: Row) -> _Read:
        name = self._name(label, row)
        doc_id = self._resolve(name_in(row, DOCUMENT))
        text, index_text = _text(row, "text"), _text(row, "index_text")
        span, notes = self._place(doc_id, text, span_in(row))
        if span:
            self._before[doc_id] = span, text
            text = text or self._texts[doc_id].text[span[0] : span[1]]
        start, end = span or (None, None)
        chunk = OwnChunk(name, doc_id, start, end, visible(text or ""), index_text and visible(index_text))
        return _Read(chunk, name or label, self._before[doc_id][0][0], notes)

    def _name(self, label: str, row: Row) -> str | None:
        if first(row, CHUNK) is None:
            return None
        name = name_in(row, CHUNK)
        other = self._row_of.setdefault(name, label)
        if other != label:
            raise InputError(f"its name {name!r} is also that of {other}")
        return name

    def _place(self, doc_id: str, text: str | None, span: Span | None) -> tuple[Span | None, list[str]]:
        document = self._texts[doc_id]
        if text is None and span is None:
            raise InputError("has neither text nor start and end")
        if span and (text is None or holds(document.text, span, text)):
            check_span(document.text, span, doc_id)
            return span, []
        (start, end), same = self._before[doc_id]
        for begin in dict.fromkeys([end if text == same else start, start, 0]):
            place = next(seek(document, text or "", begin), None)
            if place:
                return place, [_BY_TEXT] * bool(span) + [_BACK] * (place[0] < start)
        return None, [_NOT_FOUND]


def _text(row: Row, key: str) -> str | None:
    """A text of a row, None where there is none or nobody sees any of it."""
    value: Any = first(row, [key])
    if not isinstance(value, str | None):
        raise InputError(f"{key} is no text")
    return value if value and visible(value).strip() else None


@dataclass(frozen=True)
class _Hit:
    query: str
    order: float
    chunk: str
    score: float | None


def own_hits(data: bytes, name: str) -> dict[str, list[tuple[str, float | None]]]:
    """The hits of the file `name`: for every question, chunks by name with their scores, best first.

    A row has QUERY (the text or the query_id), CHUNK and `rank` (any whole numbers, their order counts), `score`
    or both; without ranks the higher score goes first. A chunk that a question has twice counts once, at its
    best rank. Raises one InputError that names the file and every row at fault.
    """
    columns = (*QUERY, *CHUNK, "rank", "score")
    rows = labelled(data, name, needing(QUERY, CHUNK, ("rank", "score")), columns)
    read = read_each(rows, _HitReader().read, name)
    hits: dict[str, dict[str, float | None]] = {hit.query: {} for hit in read}
    for hit in sorted(read, key=lambda hit: hit.order):
        hits[hit.query].setdefault(hit.chunk, hit.score)
    return {query: list(chunks.items()) for query, chunks in hits.items()}


class _HitReader:
    """Reads rows, and knows the ranks that a question has already."""

    def __init__(self) -> None:
        self._row_of: dict[tuple[str, int], str] = {}
        self._ranked: dict[str, bool] = {}

    def read(self, label: str, row: Row) -> _Hit:
        query, chunk = query_in(row, QUERY), name_in(row, CHUNK)
        rank, score = whole_in(row, ["rank"]), _number(row, "score")
        if rank is None and score is None:
            raise InputError("has neither rank nor score")
        if self._ranked.setdefault(query, rank is not None) != (rank is not None):
            raise InputError(f"has {'no' if rank is None else 'a'} rank, unlike other rows of its question")
        if rank is None:
            return _Hit(query, -(score or 0.0), chunk, score)
        other = self._row_of.setdefault((query, rank), label)
        if other != label:
            raise InputError(f"its question has rank {rank} in {other} already")
        return _Hit(query, rank, chunk, score)


def _number(row: Row, key: str) -> float | None:
    value = first(row, [key])
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InputError(f"{key} is {value!r}, which is no number")
    return number
