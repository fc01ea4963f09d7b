"""Files of questions that people have, of several forms, to one: a question, its document, its gold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from .errors import InputError
from .rows import END, START, Row, either, first, json_rows, labelled, name_in, needing, read_each, span_in, whole
from .text import visible

QUERY = ("query", "question")
DOCUMENT = ("document", "doc_id", "corpus_id")
GOLD = ("gold", "references", "answer", "gold_text")
"""Fields of a row by any of their names, the first that is filled is taken."""

_TEXT = ("text", "content")
_SQUAD = ("context", "answers")
_COLUMNS = (*QUERY, *DOCUMENT, *GOLD, *START, *END, *_SQUAD, "id", "title", "is_impossible")
_OF_A_GOLD = {*_TEXT, *START, *END, "answer_start"}


@dataclass(frozen=True)
class Gold:
    """One passage that answers: its text, its offsets `[start, end)`, or both.

    Offsets are into the document or, where `context` is given, into this text that stands in the document.
    """

    text: str | None = None
    start: int | None = None
    end: int | None = None
    context: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question as its file has it: `row` says where, `document` is the name that the file uses."""

    row: str
    query: str
    document: str
    golds: tuple[Gold, ...]


def read_questions(data: bytes, name: str) -> list[Asked]:
    """The questions of the file `name`, in its order; one that the file gives no answer to has no golds.

    CSV, JSON lines, Parquet and a JSON list hold a row a question: with the fields QUERY, DOCUMENT and GOLD (a
    text, a span with or without text, or a list of these; in CSV as JSON) or `start` and `end`; or SQuAD's, with
    `context` and `answers`. JSON may also be of SQuAD's own shape. Of the alternative answers of SQuAD the first
    is taken. Raises one InputError that names the file and every row at fault.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix == ".json":
        rows = _json(data, name)
    else:
        rows = labelled(data, name, needing(QUERY, (*DOCUMENT, "title"), (*GOLD, *START, "answers")), _COLUMNS)
        if suffix == ".csv":
            rows = [(label, row if isinstance(row, str) else _unpacked(row)) for label, row in rows]
    return read_each([(_label(label, row), row) for label, row in rows], _asked, name)


def query_in(row: Mapping[str, Any], names: tuple[str, ...] = QUERY) -> str:
    """The question, in the form of text that documents are in. Raises InputError where there is none."""
    query = visible(name_in(row, names)).strip()
    if not query:
        raise InputError(f"has no {either(names)}")
    return query


def _json(data: bytes, name: str) -> list[tuple[str, Row | str]]:
    try:
        rows, _ = json_rows(data)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return [labelled_row for number, row in rows for labelled_row in _rows_of_item(number, row)]


def _rows_of_item(number: int, item: Row | str) -> Iterator[tuple[str, Row | str]]:
    """A row, or the questions of an article of SQuAD as rows."""
    if isinstance(item, str) or "paragraphs" not in item:
        yield f"row {number}", item
    else:
        asked = 0
        try:
            for paragraph in item["paragraphs"]:
                for question in paragraph["qas"]:
                    asked += 1
                    about = {"title": item.get("title"), "context": paragraph["context"]}
                    yield f"article {number}, question {asked}", {"answers": None, **question, **about}
        except (KeyError, TypeError):
            yield f"article {number}", "is not of SQuAD's shape: paragraphs with a context and a list of qas"


def _label(label: str, row: Row | str) -> str:
    """Questions of SQuAD go by their id."""
    return f"question {row['id']}" if isinstance(row, dict) and _is_squad(row) and first(row, ["id"]) else label


def _is_squad(row: Row) -> bool:
    return all(name in row for name in _SQUAD)


def _unpacked(row: Row) -> Row:
    """A row of CSV with what is JSON in the cells of its gold."""
    return {key: _cell(value) if key in (*GOLD, "answers") else value for key, value in row.items()}


def _cell(text: str | None) -> Any:
    """A list of texts or spans, or a span, where a cell is such JSON; else the text: code may begin alike."""
    if text is None or not text.lstrip().startswith(("[", "{")):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    entries = value if isinstance(value, list) else [value]
    golds = (isinstance(entry, str) or (isinstance(entry, dict) and _OF_A_GOLD & entry.keys()) for entry in entries)
    return value if all(golds) else text


def _asked(label: str, row: Row) -> Asked:
    if _is_squad(row):
        return Asked(label, query_in(row), name_in(row, (*DOCUMENT, "title")), _answer(row))
    return Asked(label, query_in(row), name_in(row, DOCUMENT), _golds(row))


def _golds(row: Row) -> tuple[Gold, ...]:
    if not any(name in row for name in (*GOLD, *START)):
        raise InputError(f"has no {either((*GOLD, 'start'))}")
    value, span = first(row, GOLD), span_in(row)
    if span:
        if value is None or isinstance(value, str):
            return (Gold(value, *span),)
        raise InputError("has start and end beside a gold that is not one text")
    entries = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(_gold(entry) for entry in entries)


def _gold(entry: Any) -> Gold:
    if isinstance(entry, str):
        if not entry.strip():
            raise InputError("has a blank gold")
        return Gold(entry)
    if not isinstance(entry, dict):
        raise InputError("has a gold that is neither text nor a span")
    text, span = first(entry, _TEXT), span_in(entry)
    if text is None and span is None:
        raise InputError("has a gold with neither text nor start and end")
    if not isinstance(text, str | None):
        raise InputError(f"has a gold whose {either(_TEXT)} is no text")
    return Gold(text, *span) if span else Gold(text)


def _answer(row: Row) -> tuple[Gold, ...]:
    """The first answer of a row of SQuAD, none where it has none."""
    if row.get("is_impossible") in (True, "True", "true"):
        return ()
    context, answers = row["context"], _pairs(first(row, ["answers"]))
    if not answers:
        return ()
    if not isinstance(context, str) or not context.strip():
        raise InputError("has no context")
    # JSQuAD puts this before its contexts, which the articles do not have; some annotators marked the title there.
    front = f"{row.get('title')} [SEP] "
    front = front if context.startswith(front) else ""
    text, start = next((answer for answer in answers if answer[1] >= len(front)), answers[0])
    start = max(0, start - len(front))
    return (Gold(text, start, start + len(text), context[len(front) :]),)


def _pairs(answers: Any) -> list[tuple[str, int]]:
    """Text and start of every answer, from a list of answers or, as hubs export it, a mapping of two lists."""
    if answers is None:
        return []
    try:
        if isinstance(answers, dict):
            pairs = list(zip(answers["text"], answers["answer_start"], strict=True))
        else:
            pairs = [(answer["text"], answer["answer_start"]) for answer in answers]
    except (KeyError, TypeError, ValueError):
        raise InputError("answers are not of SQuAD's shape, with text and answer_start") from None
    found = [(text, whole(start, "answer_start")) for text, start in pairs]
    if any(not isinstance(text, str) or not text.strip() for text, _ in found):
        raise InputError("has an answer without text")
    if any(start < 0 for _, start in found):
        raise InputError("has a negative answer_start")
    return found
