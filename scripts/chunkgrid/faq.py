"""Questions and answers that an article itself holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from .blocks import Block, Piece, folded
from .text import LINE_BREAK, fold

FORMS = "paragraphs 'Q. …' followed by 'A. …', and headings 'Q1: …' followed by their answer"
"""What is looked for, in words."""

_MARK = r"\s{{0,3}}\d{{0,3}}\s{{0,3}}(?:[:：、]|[.．](?!\w\.|\d))|{}\s{{0,3}}\d{{0,3}}\s{{0,3}}[:：.．]"
_QUESTION = re.compile(rf"(?:[QＱ]{_MARK.format('(?:質問|問)')})\s*")
_ANSWER = re.compile(rf"(?:[AＡ]{_MARK.format('(?:回答|答え|答)')})\s*")


@dataclass
class Answer:
    """A block of an answer; `offset` is where the answer begins in it, behind its mark."""

    block: Block
    offset: int


@dataclass
class Question:
    """A question as it stood in the article, without its mark; `answer` is empty if it has none."""

    text: str
    answer: list[Answer]


@dataclass
class Removal:
    """What is left of an article: its blocks, and before which block a heading of which level left."""

    blocks: list[Block]
    breaks: list[int | None]
    questions: list[Question]


def take_questions(blocks: list[Block]) -> Removal:
    """Takes every recognised question out of the blocks, and out of the tree they were read from.

    A question that was a heading ends the section before it: its level is noted at the next block.
    """
    kept: list[Block] = []
    breaks: list[int | None] = []
    questions: list[Question] = []
    pending: int | None = None
    open_level: int | None = None  # of the question whose answer is being gathered; 7: a paragraph
    for block, asks in (part for whole in blocks for part in _parts(whole)):
        if asks:
            mark = _QUESTION.match(block.text)
            questions.append(Question(block.text[mark.end() if mark else 0 :], []))
            open_level = block.level or 7
            if block.level:
                pending = min(pending or 7, block.level)
            continue
        if open_level and block.level and block.level <= open_level:
            open_level = None
        if open_level:
            answer = questions[-1].answer
            mark = None if answer else _ANSWER.match(block.text)
            answer.append(Answer(block, mark.end() if mark else 0))
        kept.append(block)
        breaks.append(pending)
        pending = None
    return Removal(kept, breaks, questions)


def _parts(block: Block) -> list[tuple[Block, bool]]:
    """A block cut where a question or its answer begins; each part with whether it asks.

    Questions are taken out of the tree here. A block without one comes back as it is.
    """
    if not block.pieces or not _QUESTION.search(block.text):
        return [(block, False)]
    runs: list[tuple[list[Piece], bool]] = []
    for piece, begins in _beginnings(block.pieces):
        if begins is not None or not runs:
            runs.append(([], begins == "question"))
        runs[-1][0].append(piece)
    # A mark with nothing behind it asks nothing.
    runs = [(run, asks and not _QUESTION.fullmatch(folded(run))) for run, asks in runs]
    if not any(asks for _, asks in runs):
        return [(block, False)]
    _take_out(runs)
    parts = ((Block(block.kind, folded(run), pieces=run), asks) for run, asks in runs)
    return [(part, asks) for part, asks in parts if part.text]


def _beginnings(pieces: list[Piece]) -> Iterator[tuple[Piece, str | None]]:
    """Pieces, cut at line ends, with what begins there: a `question`, its `answer` or nothing.

    A question begins a line, or follows another one; an answer follows a question.
    """
    before = ""
    last: str | None = None
    lines = [piece for whole in pieces for piece in _lines(whole)]
    for number, piece in enumerate(lines):
        ahead = fold("".join(part.raw for part in lines[number : number + 8]))
        begins = None
        if not fold(piece.raw):
            pass  # a blank or a line break begins nothing
        elif _QUESTION.match(ahead) and (last or before.rstrip(" \t")[-1:] in ("", "\n", LINE_BREAK)):
            begins = "question"
        elif last == "question" and _ANSWER.match(ahead):
            begins = "answer"
        last = begins or last
        before = (before + piece.raw)[-64:]  # only its last line matters
        yield piece, begins


def _lines(piece: Piece) -> list[Piece]:
    """A piece of text cut after each newline, since HTML may hold a question and its answer in one."""
    if piece.slot == "br" or "\n" not in piece.raw:
        return [piece]
    return [Piece(piece.element, piece.slot, line) for line in piece.raw.splitlines(keepends=True)]


def _take_out(runs: list[tuple[list[Piece], bool]]) -> None:
    """Takes the runs that ask out of the tree, and elements that nothing is left of."""
    left: dict[tuple[HtmlElement, str], str] = {}
    for run, asks in runs:
        for piece in run:
            if piece.slot in ("text", "tail"):
                place = (piece.element, piece.slot)
                left[place] = left.get(place, "") + ("" if asks else piece.raw)
    for (element, slot), text in left.items():
        setattr(element, slot, text or None)
    for piece in reversed([piece for run, asks in runs if asks for piece in run]):
        # A tail belongs to the element around; an image or a break before it is not emptied by that.
        element = piece.element.getparent() if piece.slot == "tail" else piece.element
        while (
            element is not None
            and element.getparent() is not None
            and element.tag != "body"
            and len(element) == 0
            and not (element.text or "").strip()
        ):
            parent = element.getparent()
            element.drop_tree()
            element = parent
