"""Questions that are such by their element, not by a mark, get the mark: one form for all that follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .blocks import HEADINGS, Piece, folded, runs
from .repeats import core
from .structured import from_json_ld, from_microdata
from .text import fold
from .tree import Element, text_of

Declared = dict[str, tuple[str, str]]
"""What a page declares: the core of a question to the question and its answer."""

_MARK = r"\s{{0,3}}\d{{0,3}}\s{{0,3}}(?:[:：、]|[.．](?!\w\.|\d))|{}\s{{0,3}}\d{{0,3}}\s{{0,3}}[:：.．]"
QUESTION = re.compile(rf"\s*(?:[QＱ]{_MARK.format('(?:質問|問)')})\s*")
ANSWER = re.compile(rf"\s*(?:[AＡ]{_MARK.format('(?:回答|答え|答)')})\s*")
_MADE = "Q. "
_PERMALINK = " ¶§🔗"  # the link to itself that a heading may end with
_ICONS = ("Q", "Ｑ", "Q.", "Ｑ．", "Q:", "Ｑ：")
ANSWER_ICONS = ("A", "Ａ", "A.", "Ａ．", "A:", "Ａ：")
"""Marks that are elements of their own, as themes make them."""
_SECTION = re.compile(r"よくあるご?質問|FAQ|[QＱ]\s?[&＆]\s?[AＡ]|一問一答|質疑応答|frequently asked questions", re.I)
_ASKING = re.compile(r".{3,200}(?:[?？]|(?:す|せん|う|の|る|た|ない|しい|よい|いい)か[。．.]?)\Z", re.S)
_NO_QUESTIONS_IN = ("table", "pre", "ul", "ol", "menu", "dir", "dl")


def mark_questions(body: Element, data: Sequence[str]) -> tuple[Declared, set[Element]]:
    """Puts a mark before every question that is one by its element: in `dt`, `summary`, under a heading "FAQ".

    So for what the page declares, as microdata or in its JSON-LD `data`. Returns what it declares, and the
    elements that no answer reaches out of.
    """
    declared: Declared = {}
    scopes: set[Element] = set()
    in_microdata = list(from_microdata(body))
    scopes.update(scope for _, _, scope in in_microdata)
    for question, answer in [*from_json_ld(data), *((question, answer) for question, answer, _ in in_microdata)]:
        question = unmarked(fold(question))
        declared.setdefault(core(question), (question, answer))
    for terms in list(body.iter("dl")):
        if _is_faq(terms, declared):
            scopes.add(terms)
            _unlist(terms)
    for run in list(runs(body)):
        if declared and core(folded(run)) in declared and not is_linked(run):
            _put_mark(run)
    for details in body.iter("details"):
        summary = details.find("summary")
        if summary is not None and _mark(summary):
            scopes.add(details)
    section = 7  # level of the heading "FAQ" that we are under; 7: none
    for heading in body.iter(*HEADINGS):
        level = int(heading.tag[1])
        if level > section:
            _mark(heading)
        else:
            section = level if _SECTION.search(text_of(heading)) else 7
    return declared, scopes


def unmarked(question: str) -> str:
    """A question without the mark before it."""
    question = question.rstrip(_PERMALINK) or question
    mark = QUESTION.match(question)
    return question[mark.end() :] or question if mark else question


def _is_faq(terms: Element, declared: Declared) -> bool:
    """Whether at least half of the terms of a definition list ask."""
    texts = [fold(text_of(part)) for part in _parts(terms) if part.tag == "dt"]
    asking = sum(_asks(text) or core(text) in declared for text in texts)
    return bool(texts) and 2 * asking >= len(texts) and _is_free(terms.getparent())


def _unlist(terms: Element) -> None:
    """A definition list of questions and answers becomes paragraphs, every term a question."""
    parts = [(part, part.tag == "dt") for part in _parts(terms)]
    terms.tag = "div"
    for part, asks in parts:
        part.tag = "div"
        if asks:
            _mark(part, always=True)


def _parts(terms: Element) -> Iterator[Element]:
    return (part for part in terms.iter("dt", "dd") if next(part.iterancestors("dl")) is terms)


def _asks(text: str) -> bool:
    return bool(QUESTION.match(text) or _ASKING.match(text.rstrip(_PERMALINK)))


def _mark(element: Element, always: bool = False) -> bool:
    """Marks an element that asks, if it is not marked yet; whether it asks."""
    pieces = [piece for run in runs(element) for piece in run if fold(piece.raw)]
    if len(pieces) > 1 and fold(pieces[0].raw) in _ICONS and _is_free(element):
        icon = pieces.pop(0)
        setattr(icon.element, icon.slot, None)
        return _put_mark(pieces)
    text = fold(text_of(element))
    if not text or not (always or _asks(text)):
        return False
    return bool(QUESTION.match(text)) or _put_mark(next(run for run in runs(element) if folded(run)))


def _put_mark(run: Sequence[Piece]) -> bool:
    """Whether a mark may stand before a run; it does then."""
    if not _is_free(run[0].element):
        return False
    first = next(piece for piece in run if fold(piece.raw))
    setattr(first.element, first.slot, _MADE + first.raw.lstrip())
    return True


def _is_free(element: Element) -> bool:
    """Whether a question may stand here: not within tables, lists and code."""
    return element.tag not in _NO_QUESTIONS_IN and next(element.iterancestors(*_NO_QUESTIONS_IN), None) is None


def is_linked(pieces: Iterable[Piece]) -> bool:
    """Whether all of a run is a link within the page, as in a table of contents."""
    filled = [piece for piece in pieces if fold(piece.raw) and piece.element is not None]
    return bool(filled) and all(
        any(e.tag == "a" and (e.get("href") or "").startswith("#") for e in _around(piece)) for piece in filled
    )


def _around(piece: Piece) -> Iterator[Element]:
    """The elements that a piece stands in, from the innermost."""
    if piece.slot != "tail":
        yield piece.element
    yield from piece.element.iterancestors()
