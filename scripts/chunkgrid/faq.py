"""Questions and answers that an article itself holds: found, and taken out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from lxml.html import HtmlElement

from .blocks import Block, Piece, folded
from .marking import ANSWER, QUESTION, Declared, is_linked, mark_questions, unmarked
from .repeats import core, take_repeats
from .text import LINE_BREAK, fold, strip

FORMS = (
    "paragraphs 'Q. …' followed by 'A. …', headings 'Q1: …' or questions under a heading 'FAQ', definition lists, "
    "details, FAQPage data"
)
"""What is looked for, in words."""


@dataclass
class Answer:
    """A stretch of a block that answers; `end` is None where it goes to the block's end."""

    block: Block
    start: int
    end: int | None = None


@dataclass
class Question:
    """A question as it stood in the article, without its mark; `answer` is empty if it has none."""

    text: str
    answer: list[Answer] = field(default_factory=list)
    linked: bool = False
    """Whether all of it is a link within the page, as in a table of contents."""


@dataclass
class Finding:
    """An article's questions, and the blocks that are left of it.

    breaks: for each block the level of a heading that left just before it
    leaving: runs of pieces and whether they leave, for every block of which one does
    """

    blocks: list[Block] = field(default_factory=list)
    breaks: list[int | None] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    leaving: list[list[tuple[list[Piece], bool]]] = field(default_factory=list)
    _pending: int | None = None

    def keep(self, block: Block) -> None:
        self.blocks.append(block)
        self.breaks.append(self._pending)
        self._pending = None

    def ask(self, block: Block) -> Question:
        """The question that a block is; a heading that leaves still ends the section before it."""
        self.questions.append(Question(unmarked(block.text), linked=is_linked(block.pieces)))
        if block.level:
            self._pending = min(self._pending or 7, block.level)
        return self.questions[-1]


def take_questions(
    body: HtmlElement,
    read: Callable[[HtmlElement], list[Block]],
    how: str,
    data: Sequence[str] = (),
    lines: bool = False,
) -> Finding:
    """Takes every question out of a tree; what is left of its blocks, as `read` reads them.

    `how` is `faq` (questions that are marked as such; `data` is the page's JSON-LD), `headings` (each heading
    with a first paragraph is one) or `none`. `lines`: newlines in the text are line breaks.
    """
    if how == "none":
        return Finding(blocks := read(body), [None] * len(blocks))
    find: Callable[[list[Block]], Finding] = _headings
    if how == "faq":
        declared, scopes = mark_questions(body, data)
        find = partial(_marked, scopes=scopes, declared=declared)
    found = find(read(body))
    if found.questions:
        own = {(piece.element, piece.slot) for parts in found.leaving for run, asks in parts if asks for piece in run}
        if take_repeats(body, [question.text for question in found.questions], own, lines):
            found = find(read(body))
    for parts in found.leaving:
        _take_out(parts)
    return found


def _headings(blocks: Sequence[Block]) -> Finding:
    """Each heading with a first paragraph before the next heading asks; that paragraph is the answer."""
    found = Finding()
    firsts: dict[int, Block] = {}
    heading: Block | None = None
    for block in blocks:
        if block.level:
            heading = block
        elif block.kind == "paragraph" and heading is not None:
            firsts[id(heading)], heading = block, None
    for block in blocks:
        if id(block) in firsts:
            found.ask(block).answer.append(Answer(firsts[id(block)], 0))
            found.leaving.append([(block.pieces, True)])
        else:
            found.keep(block)
    return found


def _marked(blocks: Sequence[Block], scopes: set[HtmlElement], declared: Declared) -> Finding:
    """A question begins with its mark; its answer are the blocks up to the next question or heading.

    An answer to a question in one of the `scopes` does not reach out of it. Where the page declares the answer,
    that is the answer.
    """
    found = Finding()
    asked: Question | None = None  # whose answer is being gathered
    level = 7  # of the heading that it is; 7: a paragraph
    scope: HtmlElement | None = None
    for block in blocks:
        parts = _parts(block)
        if parts is not None:
            found.leaving.append(parts)
        for part, asks in _as_blocks(block, parts):
            if asks:
                asked, level = found.ask(part), part.level or 7
                scope = next((e for e in _around(part) if e in scopes), None)
                continue
            if asked and ((part.level and part.level <= level) or not (scope is None or scope in _around(part))):
                asked = None
            if asked:
                mark = None if asked.answer else ANSWER.match(part.text)
                asked.answer.append(Answer(part, mark.end() if mark else 0))
            found.keep(part)
    _declare(found, declared)
    found.questions = list(_without_contents(found.questions))
    return found


def _declare(found: Finding, declared: Declared) -> None:
    """Answers that the page declares replace those that follow, where they stand in the text."""
    left = dict(declared)
    for question in found.questions:
        _, answer = left.pop(core(question.text), ("", ""))
        exact = locate(answer, [part.block for part in question.answer])
        question.answer = exact or question.answer
    for text, answer in left.values():
        found.questions.append(Question(text, locate(answer, found.blocks)))


def _without_contents(questions: Sequence[Question]) -> Iterator[Question]:
    """Without those that another question with an answer repeats: entries of a table of contents."""
    answered = {core(question.text) for question in questions if question.answer and not question.linked}
    for question in questions:
        if core(question.text) not in answered or (question.answer and not question.linked):
            yield question


def locate(answer: str, blocks: Sequence[Block]) -> list[Answer]:
    """Where a text stands in blocks, white space aside: a stretch of each block that holds some of it."""
    wanted = strip(answer)
    places = [(block, at) for block in blocks for at, character in enumerate(block.text) if not character.isspace()]
    first = "".join(strip(block.text) for block in blocks).find(wanted) if wanted else -1
    if first < 0:
        return []
    spans: dict[int, Answer] = {}
    for block, at in places[first : first + len(wanted)]:
        spans.setdefault(id(block), Answer(block, at)).end = at + 1
    return list(spans.values())


def _around(block: Block) -> list[HtmlElement]:
    """The elements that a block stands in, from the innermost."""
    return [] if block.element is None else [block.element, *block.element.iterancestors()]


def _parts(block: Block) -> list[tuple[list[Piece], bool]] | None:
    """A block's pieces, cut where a question or its answer begins; each run with whether it asks.

    None where the block holds no question.
    """
    if not block.pieces or not QUESTION.search(block.text):
        return None
    parts: list[tuple[list[Piece], bool]] = []
    for piece, begins in _beginnings(block.pieces):
        if begins is not None or not parts:
            parts.append(([], begins == "question"))
        parts[-1][0].append(piece)
    # A mark with nothing behind it asks nothing.
    parts = [(run, asks and not QUESTION.fullmatch(folded(run))) for run, asks in parts]
    return parts if any(asks for _, asks in parts) else None


def _as_blocks(block: Block, parts: list[tuple[list[Piece], bool]] | None) -> Iterator[tuple[Block, bool]]:
    if parts is None:
        yield block, False
        return
    gap = block.gap
    for run, asks in parts:
        raw = "".join(piece.raw for piece in run)
        text = folded(run) if gap is None else raw.strip()  # white space of plain text stays as it is
        if text:
            yield Block(block.kind, text, pieces=run, element=block.element, gap=gap), asks
        if gap is not None and not asks:
            gap = raw[len(raw.rstrip()) :]


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
        elif QUESTION.match(ahead) and (last or before.rstrip(" \t")[-1:] in ("", "\n", LINE_BREAK)):
            begins = "question"
        elif last == "question" and ANSWER.match(ahead):
            begins = "answer"
        last = begins or last
        before = (before + piece.raw)[-64:]  # only its last line matters
        yield piece, begins


def _lines(piece: Piece) -> list[Piece]:
    """A piece of text cut after each newline, since HTML may hold a question and its answer in one."""
    if piece.slot == "br" or "\n" not in piece.raw:
        return [piece]
    return [Piece(piece.element, piece.slot, line) for line in piece.raw.splitlines(keepends=True)]


def _take_out(parts: Sequence[tuple[list[Piece], bool]]) -> None:
    """Takes the runs that ask out of the tree, and elements that nothing is left of."""
    left: dict[tuple[HtmlElement, str], str] = {}
    for run, asks in parts:
        for piece in run:
            if piece.slot in ("text", "tail"):
                place = (piece.element, piece.slot)
                left[place] = left.get(place, "") + ("" if asks else piece.raw)
    for (element, slot), text in left.items():
        setattr(element, slot, text or None)
    for piece in reversed([piece for run, asks in parts if asks for piece in run]):
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
