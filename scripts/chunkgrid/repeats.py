"""Questions that stand in an article once more: in its table of contents, in front of their answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from lxml.html import HtmlElement

from .blocks import Piece, runs
from .text import strip

Place = tuple[HtmlElement, str]
"""An element, and `text` or `tail`."""

SENTENCE = 12
"""Characters from which a question is taken for a sentence, which no other sentence holds by chance."""

SHORTEST = 5
_END = "。．.？?！!"
_ASKS = re.compile(r"(?:[？?]|か[。．.]?)\Z")
_QUOTES = {"「": "」", "『": "』", "“": "”", '"': '"', "【": "】"}
_MARKS = re.compile(r"[\W\d_]*(?:[QqＱ]|質問|問)?[\W\d_]*")  # what may stand beside a question in a list of them
_MASK = "\0"


def core(question: str) -> str:
    """A question without white space and, but for a short one, the mark that ends it: what is looked for."""
    bare = strip(question)
    short = bare.rstrip(_END)
    return short if len(short) >= SHORTEST else bare


def take_repeats(body: HtmlElement, questions: Iterable[str], own: set[Place], lines: bool) -> bool:
    """Takes `questions` out of the tree where they stand once more; whether there was any.

    A line, list item or cell that is the question alone leaves whole; a question that is a sentence leaves
    also from within other text. A phrase within other text stays: it is not the question. `own` are the
    places where the questions themselves stand, which are left alone. `lines`: a newline ends a line, as it
    does in `pre`.
    """
    cores = sorted({core(question): question for question in questions}.items(), key=lambda item: -len(item[0]))
    some = False
    for run in list(runs(body)):
        mine = [(piece.element, piece.slot) in own for piece in run]
        raw = "".join(_MASK * len(p.raw) if is_own else p.raw for p, is_own in zip(run, mine, strict=True))
        cut = _cuts(raw, cores, lines or any(e.tag == "pre" for e in _around(run[0])))
        if cut:
            some = True
            _write(run, cut)
    _attributes(body, [name for name, _ in cores])
    return some


def _around(piece: Piece) -> Iterator[HtmlElement]:
    yield piece.element
    yield from piece.element.iterancestors()


def _cuts(raw: str, cores: Sequence[tuple[str, str]], lines: bool) -> set[int]:
    """The characters of a run that leave."""
    places = [place for place, character in enumerate(raw) if not character.isspace()]
    bare = "".join(raw[place] for place in places)
    leaving: set[int] = set()
    for name, question in cores:
        here = bare.find(name)
        while here >= 0:
            start, end = places[here], places[here + len(name) - 1] + 1
            while end < len(raw) and raw[end] in _END:
                end += 1
            first, last = (raw.rfind("\n", 0, start) + 1, raw.find("\n", end)) if lines else (0, -1)
            last = len(raw) if last < 0 else last
            if _MARKS.fullmatch(raw[first:start] + raw[end:last]) and _MASK not in raw[first:last]:
                leaving.update(range(first, last))
            elif len(name) >= SENTENCE or _ASKS.search(question):
                if start > first and _QUOTES.get(raw[start - 1]) == raw[end : end + 1]:
                    start, end = start - 1, end + 1
                leaving.update(range(start, end))
            here = bare.find(name, here + len(name))
    return leaving


def _write(run: Sequence[Piece], leaving: set[int]) -> None:
    at = 0
    for piece in run:
        kept = "".join(character for place, character in enumerate(piece.raw, at) if place not in leaving)
        at += len(piece.raw)
        if kept != piece.raw:
            setattr(piece.element, piece.slot, kept or None)


def _attributes(body: HtmlElement, cores: Sequence[str]) -> None:
    """Takes attributes that hold a question: an id or a link made of its words, microdata."""
    for element in body.iter():
        for name, value in element.items():
            bare = strip(unquote(value))
            if any(len(question) >= 2 and question in bare for question in cores):
                del element.attrib[name]
