"""Where the gold of questions stands in the documents, and which of these is meant."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

import numpy as np

from .errors import InputError
from .question_files import Asked, Gold
from .text import strip, visible

Span = tuple[int, int]
Documents = Mapping[str, tuple[str, str]]
"""The title and the text of every document, by doc_id."""

BY_TEXT = "placed by text, offsets do not hold"
SEVERAL = "stands in several places, all are gold"

# White space as str.split has it; none lies beyond U+3000.
_BLANKS = np.array([code for code in range(0x3001) if chr(code).isspace()], np.uint32)


class Text:
    """A text, and its form without white space, which is made once and only where it is wanted."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def bare(self) -> str:
        """The text without white space."""
        return strip(self.text)

    @cached_property
    def places(self) -> np.ndarray:
        """Where in the text each character of `bare` stands, int32, shape (len(bare),)."""
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
        return np.flatnonzero(~np.isin(codes, _BLANKS)).astype(np.int32)

    def span(self, at: int, length: int) -> Span:
        """The span in the text of `bare[at : at + length]`, length > 0."""
        return int(self.places[at]), int(self.places[at + length - 1]) + 1


@dataclass(frozen=True)
class Placed:
    """Where a question's gold stands: distinct spans, ascending; with a `fault`, those that were found.

    `doc_id` is None only where the fault is that no document is so named. `notes` are of BY_TEXT and SEVERAL.
    """

    doc_id: str | None
    gold: tuple[Span, ...]
    fault: str | None = None
    notes: tuple[str, ...] = ()


def resolver(titles: Mapping[str, str]) -> Callable[[str], str]:
    """What finds the doc_id that a name means, from titles by doc_id.

    A name is a doc_id, one without its suffix, its file name with or without suffix, or a title; the first of
    these that fits counts, in any Unicode normal form, but one that is spelt the same goes before. What is
    returned raises InputError for a name that fits none or several.
    """
    forms: list[Callable[[str], set[str]]] = [
        lambda doc_id: {doc_id},
        lambda doc_id: {doc_id.removesuffix(PurePosixPath(doc_id).suffix)},
        lambda doc_id: {PurePosixPath(doc_id).name, PurePosixPath(doc_id).stem},
        lambda doc_id: {titles[doc_id].strip()},
    ]
    tables = [_by_name(titles, names) for names in forms]

    def resolve(name: str) -> str:
        key = unicodedata.normalize("NFC", name)
        fitting = next((table[key] for table in tables if key in table), [])
        same = [doc_id for spelt, doc_id in fitting if spelt == name]
        found = same or [doc_id for _, doc_id in fitting]
        if len(found) == 1:
            return found[0]
        if not found:
            raise InputError(f"no document is named {name!r}")
        raise InputError(f"{name!r} fits {len(found)} documents: {', '.join(found[:3])}{', …' * (len(found) > 3)}")

    return resolve


def _by_name(doc_ids: Iterable[str], names: Callable[[str], set[str]]) -> dict[str, list[tuple[str, str]]]:
    """Names as they are spelt and their doc_ids, by the NFC of the names."""
    table: dict[str, list[tuple[str, str]]] = {}
    for doc_id in doc_ids:
        for name in names(doc_id):
            table.setdefault(unicodedata.normalize("NFC", name), []).append((name, doc_id))
    return table


def occurrences(text: Text, wanted: str) -> list[Span]:
    """Every place where `wanted` stands, left to right, none overlapping the one before.

    Where it does not stand literally, it is sought without white space on either side, and then both ways in
    the form that documents are in (NFC, without invisible characters). A blank text stands nowhere.
    """
    return list(seek(text, wanted))


def seek(text: Text, wanted: str, start: int = 0) -> Iterator[Span]:
    """The occurrences from `start` on, one after the other."""
    for form in dict.fromkeys([wanted, visible(wanted)]):
        for found in (_literally(text, form, start), _without_blanks(text, strip(form), start)):
            place = next(found, None)
            if place:
                yield place
                yield from found
                return


def _literally(text: Text, wanted: str, start: int) -> Iterator[Span]:
    at = text.text.find(wanted, start) if wanted.strip() else -1
    while at >= 0:
        yield at, at + len(wanted)
        at = text.text.find(wanted, at + len(wanted))


def _without_blanks(text: Text, wanted: str, start: int) -> Iterator[Span]:
    at = text.bare.find(wanted, bisect_left(text.places, start) if start else 0) if wanted else -1
    while at >= 0:
        yield text.span(at, len(wanted))
        at = text.bare.find(wanted, at + len(wanted))


def holds(text: str, span: Span, wanted: str) -> bool:
    """Whether `span` lies within the text and is `wanted`, white space aside."""
    return span[1] <= len(text) and strip(text[span[0] : span[1]]) == strip(wanted)


def check_span(text: str, span: Span, doc_id: str) -> None:
    """Raises InputError where a span does not lie within the document, or is blank there."""
    if not 0 <= span[0] < span[1] <= len(text):
        raise InputError(f"[{span[0]}, {span[1]}) lies outside of the {len(text):,} characters of {doc_id}")
    if not text[span[0] : span[1]].strip():
        raise InputError(f"[{span[0]}, {span[1]}) is blank in {doc_id}")


def place(asked: Iterable[Asked], documents: Documents, several: Literal["all", "error"]) -> list[Placed]:
    """Where the gold of each question stands, in the order of `asked`.

    Offsets hold where the text that is given stands there; else, and where there are none, the text is sought.
    A gold that stands in several places is gold in all of them, or a fault: `several` says which. A question
    without golds has no spans, which is no fault; a document that is not there always is one.
    """
    resolve = resolver({doc_id: title for doc_id, (title, _) in documents.items()})
    texts = {doc_id: Text(text) for doc_id, (_, text) in documents.items()}
    return [_place(one, resolve, texts, several) for one in asked]


def _place(asked: Asked, resolve: Callable[[str], str], texts: Mapping[str, Text], several: str) -> Placed:
    try:
        doc_id = resolve(asked.document)
    except InputError as error:
        return Placed(None, (), str(error))
    spans: set[Span] = set()
    wrong: list[str] = []
    notes: list[str] = []
    for gold in asked.golds:
        try:
            found, held = _spans(gold, texts[doc_id], doc_id)
        except InputError as error:
            wrong.append(str(error))
            continue
        if len(found) > 1 and several == "error":
            wrong.append(f"{_quoted(gold.text or '')} stands in {len(found)} places of {doc_id}")
            continue
        spans.update(found)
        notes += [BY_TEXT] * (not held) + [SEVERAL] * (len(found) > 1)
    return Placed(doc_id, tuple(sorted(spans)), "; ".join(wrong) or None, tuple(dict.fromkeys(notes)))


def _spans(gold: Gold, text: Text, doc_id: str) -> tuple[list[Span], bool]:
    """The places of a gold, and whether its offsets, if any, hold. Raises InputError where there are none."""
    if gold.context is not None:
        return _spans_in_context(gold, gold.context, text, doc_id)
    span = None if gold.start is None or gold.end is None else (gold.start, gold.end)
    if span and (gold.text is None or holds(text.text, span, gold.text)):
        check_span(text.text, span, doc_id)
        return [span], True
    wanted = gold.text or ""
    found = occurrences(text, wanted)
    if not found:
        raise InputError(f"{_quoted(wanted)} is not found in {doc_id}")
    return found, span is None


def _spans_in_context(gold: Gold, context: str, text: Text, doc_id: str) -> tuple[list[Span], bool]:
    answer = gold.text or context[gold.start : gold.end]
    stretches = occurrences(text, context)
    if not stretches:
        raise InputError(f"the context {_quoted(context)} is not found in {doc_id}")
    spans: list[Span] = []
    all_held = True
    for begin, finish in stretches:
        span, held = _answer_in(Text(text.text[begin:finish]), context, answer, gold.start or 0)
        if not span:
            raise InputError(f"{_quoted(answer)} is not found in its context in {doc_id}")
        spans.append((begin + span[0], begin + span[1]))
        all_held &= held
    return spans, all_held


def _answer_in(stretch: Text, context: str, answer: str, start: int) -> tuple[Span | None, bool]:
    """Where the answer stands in a stretch that is its context but for white space, and whether its offset holds.

    The characters before it, white space aside, say where; else it is the nearest place of its text.
    """
    for form in (str, visible):
        before, wanted = len(strip(form(context[:start]))), strip(form(answer))
        if wanted and stretch.bare.startswith(wanted, before):
            return stretch.span(before, len(wanted)), True
    return min(occurrences(stretch, answer), key=lambda span: abs(span[0] - start), default=None), False


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
