"""Questions and answers that an article itself holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .blocks import Block, Piece, folded

FORMS = "paragraphs 'Q. …' followed by 'A. …', and headings 'Q1: …' followed by their answer"
"""What is looked for, in words."""

_MARK = r"\s*\d{{0,3}}\s*(?:[:：、]|[.．](?!\w\.|\d))|{}\s*\d{{0,3}}\s*[:：.．]"
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
    asked = [_asked(block) for block in blocks]
    kept: list[Block] = []
    breaks: list[int | None] = []
    questions: list[Question] = []
    pending: int | None = None
    open_level: int | None = None  # of the question whose answer is being gathered; 7: a paragraph
    for block, found in zip(blocks, asked, strict=True):
        if found:
            text, rest = found
            questions.append(Question(text, []))
            open_level = block.level or 7
            if block.level:
                pending = min(pending or 7, block.level)
            _blank(block.pieces[: len(block.pieces) - len(rest)])
            if not rest:
                continue
            block = Block(block.kind, folded(rest), pieces=rest)
        elif open_level and block.level and block.level <= open_level:
            open_level = None
        if open_level:
            answer = questions[-1].answer
            mark = None if answer else _ANSWER.match(block.text)
            answer.append(Answer(block, mark.end() if mark else 0))
        kept.append(block)
        breaks.append(pending)
        pending = None
    return Removal(kept, breaks, questions)


def _asked(block: Block) -> tuple[str, list[Piece]] | None:
    """The question of a block and the pieces behind it, which answer it within the same block."""
    mark = _QUESTION.match(block.text) if block.pieces else None
    if not mark or not block.text[mark.end() :]:
        return None
    for cut in range(1, len(block.pieces)):
        question, rest = folded(block.pieces[:cut]), block.pieces[cut:]
        if len(question) > mark.end() and _ANSWER.match(folded(rest)):
            return question[mark.end() :], rest
    return block.text[mark.end() :], []


def _blank(pieces: list[Piece]) -> None:
    """Takes pieces out of the tree, and elements that nothing is left of."""
    for piece in pieces:
        if piece.slot in ("text", "tail"):
            setattr(piece.element, piece.slot, None)
    for piece in reversed(pieces):
        element = piece.element
        while (
            element is not None
            and element.getparent() is not None
            and element.tag != "body"
            and (piece.slot == "br" or element.tag != "br")
            and len(element) == 0
            and not (element.text or "").strip()
        ):
            parent = element.getparent()
            element.drop_tree()
            element = parent
