"""Questions that stand in an article once more: in its table of contents, in front of their answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from .blocks import HEADINGS, Piece, runs
from .text import strip
from .tree import Element, text_of

Place = tuple[Element, str]
"""An element, and `text` or `tail`."""

SENTENCE = 12
"""Characters from which a question is taken for a sentence, which no other sentence holds by chance."""

SHORTEST = 5
_END = "。．.？?！!"
_QUOTES = {"「": "」", "『": "』", "“": "”", '"': '"', "【": "】"}
# What may stand beside a question in a list of them: bullets, numbers, its mark.
_NUMBERS = r"[\W\d_①-⓿Ⅰ-ⅿ㈠-㊰]*"
_MARKS = re.compile(rf"(?:[(（]?[a-zア-ン][)）.．])?{_NUMBERS}(?:[QqＱ]|質問|問)?{_NUMBERS}")
MASK = "\0"


def core(question: str) -> str:
    """A question without white space and, but for a short one, the mark that ends it: what is looked for."""
    bare = strip(question)
    short = bare.rstrip(_END)
    return short if len(short) >= SHORTEST else bare


def take_repeats(
    body: Element, questions: Iterable[str], own: Mapping[Place, str], lines: bool
) -> tuple[bool, set[Element]]:
    """Takes `questions` out of the tree where they stand once more; whether there was any.

    A line, list item or cell that is the question alone leaves whole; a question that is a sentence leaves also from
    within other text. A phrase within other text stays: it is not the question. Headings that are the question alone
    are left in place and returned, since they still end what is before. `own` holds, for the places where the questions
    themselves stand, their text with the questions masked. `lines`: a newline ends a line, as it does in `pre`.
    """
    named = {core(question): question for question in questions}
    cores = sorted(((name, q) for name, q in named.items() if name), key=lambda item: -len(item[0]))
    some = False
    gone: set[Element] = set()
    for run, raw, there in _holding(body, own, cores):
        around = list(_around(run[0]))
        cut = _cuts(raw, there, lines or any(e.tag == "pre" for e in around))
        if not cut:
            continue
        some = True
        heading = next((e for e in around if e.tag in HEADINGS), None)
        heading = None if any(e.tag in ("table", "pre") for e in around) else heading
        if heading is not None and len(cut) == len(raw) and strip(text_of(heading)) == strip(raw):
            gone.add(heading)
        else:
            _write(run, cut)
    _attributes(body, [name for name, _ in cores])
    return some, gone


def _holding(
    body: Element, own: Mapping[Place, str], cores: Sequence[tuple[str, str]]
) -> Iterator[tuple[list[Piece], str, list[tuple[str, str]]]]:
    """Runs of text that hold any of `cores`, the text as it counts, and which it holds."""
    found = [
        (run, "".join([own.get((piece.element, piece.slot), piece.raw) for piece in run])) for run in list(runs(body))
    ]
    bare = [strip(raw) for _, raw in found]
    everything = MASK.join(bare)
    cores = [item for item in cores if item[0] in everything]
    for (run, raw), text in zip(found, bare if cores else [], strict=bool(cores)):
        there = [item for item in cores if item[0] in text]
        if there:
            yield run, raw, there


def _around(piece: Piece) -> Iterator[Element]:
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
            after = here + len(name)
            while after < len(bare) and bare[after] in _END:
                after += 1
            start, end = places[here], places[after - 1] + 1
            first, last = (raw.rfind("\n", 0, start) + 1, raw.find("\n", end)) if lines else (0, -1)
            last = len(raw) if last < 0 else last
            if _MARKS.fullmatch(raw[first:start] + raw[end:last]) and MASK not in raw[first:last]:
                leaving.update(range(first, last))
            elif _is_whole(name, question, raw[start:end]):
                if start > first and _QUOTES.get(raw[start - 1]) == raw[end : end + 1]:
                    start, end = start - 1, end + 1
                leaving.update(range(start, end))
            here = bare.find(name, here + len(name))
    return leaving


def _is_whole(name: str, question: str, there: str) -> bool:
    """Whether what stands within other text is the question: a sentence, with the mark that it ends in.

    "RAGとは" is none of "RAGとは？", "返品できますか" is one of "返品できますか？".
    """
    asks = name.endswith("か") or there[-1:] in ("?", "？")
    return asks or (len(name) >= SENTENCE and not question.rstrip().endswith(("?", "？")))


def _write(run: Sequence[Piece], leaving: set[int]) -> None:
    at = 0
    for piece in run:
        kept = "".join(character for place, character in enumerate(piece.raw, at) if place not in leaving)
        at += len(piece.raw)
        if kept != piece.raw:
            setattr(piece.element, piece.slot, kept or None)


def _attributes(body: Element, cores: Sequence[str]) -> None:
    """Takes attributes that hold a question: an id or a link made of its words, microdata."""
    for element in body.iter():
        for name, value in element.items():
            bare = strip(unquote(value))
            if any(len(question) >= 2 and question in bare for question in cores):
                del element.attrib[name]
