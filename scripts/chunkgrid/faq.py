"""Questions and answers that an article itself holds: found, and taken out of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

from .blocks import Block, Piece, folded
from .marking import ANSWER, ANSWER_ICONS, QUESTION, Declared, is_linked, mark_questions, unmarked
from .repeats import MASK, core, take_repeats
from .text import LINE_BREAK, fold, strip
from .tree import Element, drop

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
        """The question that a block is."""
        self.questions.append(Question(unmarked(block.text), linked=is_linked(block.pieces)))
        self._left(block)
        return self.questions[-1]

    def drop(self, block: Block) -> None:
        """A heading that repeats a question leaves."""
        self.leaving.append([(block.pieces, True)])
        self._left(block)

    def _left(self, block: Block) -> None:
        """A heading that leaves still ends the section before it."""
        if block.level:
            self._pending = min(self._pending or 7, block.level)


def take_questions(
    body: Element,
    read: Callable[[Element], list[Block]],
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
    find: Callable[..., Finding] = _headings
    if how == "faq":
        declared, scopes = mark_questions(body, data)
        find = partial(_marked, scopes=scopes, declared=declared)
    found = find(read(body))
    if found.questions:
        own: dict[tuple[Element, str], str] = {}
        for run, asks in (part for parts in found.leaving for part in parts):
            for piece in run:
                place = (piece.element, piece.slot)
                own[place] = own.get(place, "") + (MASK * len(piece.raw) if asks else piece.raw)
        some, gone = take_repeats(body, [question.text for question in found.questions], own, lines)
        if some:
            found = find(read(body), gone=gone)
    _take_out([part for parts in found.leaving for part in parts])
    return found


def _headings(blocks: Sequence[Block], gone: Container[Element] = ()) -> Finding:
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
        if _is_gone(block, gone):
            found.drop(block)
        elif id(block) in firsts:
            found.ask(block).answer.append(Answer(firsts[id(block)], 0))
            found.leaving.append([(block.pieces, True)])
        else:
            found.keep(block)
    return found


def _is_gone(block: Block, gone: Container[Element]) -> bool:
    return bool(block.level) and any(element in gone for element in _around(block))


def _marked(
    blocks: Sequence[Block], scopes: set[Element], declared: Declared, gone: Container[Element] = ()
) -> Finding:
    """A question begins with its mark; its answer are the blocks up to the next question or heading.

    An answer to a question in one of the `scopes` does not reach out of it. Where the page declares the answer,
    that is the answer.
    """
    found = Finding()
    asked: Question | None = None  # whose answer is being gathered
    level = 7  # of the heading that it is; 7: a paragraph
    scope: Element | None = None
    for block in blocks:
        if _is_gone(block, gone):
            found.drop(block)
            if (block.level or 7) <= level:
                asked = None
            continue
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
            if asked and (asked.answer or part.text.strip() not in ANSWER_ICONS):
                mark = None if asked.answer else ANSWER.match(part.text)
                asked.answer.append(Answer(part, mark.end() if mark else 0))
            found.keep(part)
    _declare(found, declared)
    found.questions = list(_without_contents(found.questions))
    return found


def _declare(found: Finding, declared: Declared) -> None:
    """Answers that the page declares replace those that follow, where they stand in the text."""
    if not declared:
        return
    everywhere = Places(found.blocks)
    shown = {core(question.text) for question in found.questions}
    for question in found.questions:
        if core(question.text) in declared:
            told = declared[core(question.text)]
            nearby = Places([part.block for part in question.answer])
            question.answer = nearby.locate(*told) or everywhere.locate(*told) or question.answer
    hidden = (told for name, told in declared.items() if name not in shown)
    found.questions += [Question(told[0], everywhere.locate(*told)) for told in hidden]


def _without_contents(questions: Sequence[Question]) -> Iterator[Question]:
    """Without those that another question with an answer repeats: entries of a table of contents."""
    best: dict[str, int] = {}
    for question in questions:
        best[core(question.text)] = max(best.get(core(question.text), 0), _worth(question))
    yield from (question for question in questions if _worth(question) == best[core(question.text)])


def _worth(question: Question) -> int:
    """2: answered where it is no link; 1: answered; 0: not answered."""
    return (2 - question.linked) if question.answer else 0


class Places:
    """Where declared answers stand in blocks, white space aside."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.bare = [strip(block.text) for block in blocks]
        self.text = "".join(self.bare)
        self.starts = list(accumulate(map(len, self.bare), initial=0))
        self.filled: dict[int, list[int]] = {}

    def locate(self, question: str, answer: str) -> list[Answer]:
        """A stretch of each block that holds some of the answer, which may have the question before it."""
        bare = strip(answer[mark.end() :] if (mark := ANSWER.match(answer)) else answer)
        name = core(question)
        shorter = bare[len(name) :].lstrip("。．.？?！!") if name and bare.startswith(name) else ""
        for wanted in (bare, shorter):
            first = self.text.find(wanted) if wanted else -1
            if first >= 0:
                return list(self._spans(first, first + len(wanted)))
        return []

    def _spans(self, start: int, end: int) -> Iterator[Answer]:
        number = bisect_right(self.starts, start) - 1
        while number < len(self.blocks) and self.starts[number] < end:
            block, here = self.blocks[number], self.starts[number]
            if number not in self.filled:
                self.filled[number] = [at for at, character in enumerate(block.text) if not character.isspace()]
            there = self.filled[number][max(start - here, 0) : end - here]
            if there:
                yield Answer(block, there[0], there[-1] + 1)
            number += 1


def _around(block: Block) -> list[Element]:
    """The elements that a block stands in, from the innermost."""
    return [] if block.element is None else [block.element, *block.element.iterancestors()]


def _parts(block: Block) -> list[tuple[list[Piece], bool]] | None:
    """A block's pieces, cut where a question or its answer begins; each run with whether it asks.

    None where the block holds no question.
    """
    if not block.pieces or not QUESTION.search(block.text):
        return None
    parts: list[tuple[list[Piece], bool]] = []
    for piece, begins in _beginnings(block.pieces, LINE_BREAK if block.gap is None else "\r\n"):
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
        if text.strip():
            yield Block(block.kind, text, pieces=run, element=block.element, gap=gap), asks
        if gap is not None and not asks:
            gap = raw[len(raw.rstrip()) :]


def _beginnings(pieces: list[Piece], breaks: str) -> Iterator[tuple[Piece, str | None]]:
    """Pieces, cut at line ends, with what begins there: a `question`, its `answer` or nothing.

    A question begins a line, or follows another one; an answer follows a question: where its mark stands, or,
    without any, on the line after one that ends in a question mark. `breaks` is what ends a line that is seen.
    """
    before = ""
    last: str | None = None
    asked = ""  # the question so far
    lines = [piece for whole in pieces for piece in _lines(whole)]
    for number, piece in enumerate(lines):
        ahead = fold("".join(part.raw for part in lines[number : number + 8]))
        begins = None
        if not fold(piece.raw):
            pass  # a blank or a line break begins nothing
        elif last == "question" and _is_asked(asked, breaks) and not _answered(lines[number:]):
            begins = "answer"
        elif QUESTION.match(ahead) and (last or before.rstrip(" \t")[-1:] in ("", "\n", LINE_BREAK)):
            begins = "question"
        elif last == "question" and ANSWER.match(ahead):
            begins = "answer"
        last = begins or last
        asked = piece.raw if begins == "question" else asked + piece.raw
        before = (before + piece.raw)[-64:]  # only its last line matters
        yield piece, begins


def _is_asked(question: str, breaks: str) -> bool:
    """Whether a line break stands behind a question mark."""
    stripped = question.rstrip()
    return stripped[-1:] in ("?", "？") and any(character in question[len(stripped) :] for character in breaks)


def _answered(lines: Sequence[Piece]) -> bool:
    """Whether a marked answer is still to come before the next question."""
    for piece in lines:
        text = fold(piece.raw)
        if ANSWER.match(text) or QUESTION.match(text):
            return bool(ANSWER.match(text))
    return False


def _lines(piece: Piece) -> list[Piece]:
    """A piece of text cut after each newline, since HTML may hold a question and its answer in one."""
    if piece.slot == "br" or "\n" not in piece.raw:
        return [piece]
    return [Piece(piece.element, piece.slot, line) for line in piece.raw.splitlines(keepends=True)]


def _take_out(parts: Sequence[tuple[list[Piece], bool]]) -> None:
    """Takes the runs that ask out of the tree, and elements that nothing is left of."""
    left: dict[tuple[Element, str], str] = {}
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
            drop(element)
            element = parent
