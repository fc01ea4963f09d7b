"""Where sentences end, in Japanese and in English."""

from __future__ import annotations

import re
from itertools import pairwise

Span = tuple[int, int]

_PAIRS = dict(zip("「『（(【［[〈《〔“", "」』）)】］]〉》〕”", strict=True))
_BRACKET = re.compile(f"[{re.escape(''.join([*_PAIRS, *_PAIRS.values()]))}]")
_CLOSERS = re.escape("".join(_PAIRS.values()) + "\"'’")
# One stop or more, and what closes behind them. A point of full width between digits is no stop.
_STOP = re.compile(
    rf"(?:[。！？!?.]|．(?![0-9０-９])|(?<![0-9０-９])．)[。．！？!?.…‥]*(?P<closed>[{_CLOSERS}]*)", re.ASCII
)
_WIDE = re.compile("[\u2e80-\U0003ffff]")
_NUMBER = re.compile(r"[0-9０-９]+")
# What a point stands behind without ending a sentence; the second kind where a number follows.
_SHORT = re.compile(
    r"[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|al|cf|ca|approx|Inc|Ltd|Co|Corp|Dept|Univ|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|e\.g|i\.e|a\.m|p\.m|U\.S|Ph\.D"
)
_BEFORE_NUMBERS = re.compile(r"nos?|figs?|eqs?|sec|ch|vol|pp?|ver|v", re.ASCII | re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9０-９.]*\Z")
_LONGEST_SHORT = 12


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]` as spans without white space around them; nothing visible is left out.

    A sentence ends with its line, and at 。！？．, with what closes behind them. Within brackets and quotations
    that close on the same line none does: 「はい。」と言った。 is one; where 「はい。」 has a blank, another bracket
    or nothing behind it, it ends there. A point, ! or ? of half width ends one where white space and then no lower-case
    letter follows, or behind a Japanese character; a point not behind a short form (Dr., e.g., an initial, the number
    of an item).
    """
    end = len(text) if end is None else end
    found: list[Span] = []
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        found += _of_line(text, start, stop)
        start = stop + 1
    return found


def _of_line(text: str, start: int, end: int) -> list[Span]:
    ends = [
        match.end()
        for match in _STOP.finditer(text, start, end)
        if _stops(text, match, end) and not _is_short(text, start, match, end)
    ]
    closes = _closes(text, start, end)  # where the outermost bracket around a place closes
    edges = [start, *(edge for edge in ends if _is_outside(text, edge, closes, end)), end]
    return [span for first, last in pairwise(edges) if (span := trimmed(text, first, last))]


def trimmed(text: str, start: int, end: int) -> Span | None:
    """A span without the white space around it; None where there is nothing else."""
    piece = text[start:end]
    left = end - start - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if left < end - start else None


def _stops(text: str, match: re.Match[str], end: int) -> bool:
    """Whether stops end a sentence, by the characters around them."""
    if re.search("[。！？．]", match[0]):
        return True
    after = text[match.end() : end]
    if match.start() and _WIDE.match(text, match.start() - 1):
        return not re.match("[A-Za-z0-9]", after)
    following = after.lstrip()
    return not following or (after[0].isspace() and not following[0].islower())


def _is_short(text: str, start: int, match: re.Match[str], end: int) -> bool:
    """Whether a point belongs to what it shortens, or to the number of an item."""
    if match[0] != ".":
        return False
    word = _WORD.search(text, max(start, match.start() - _LONGEST_SHORT), match.start())
    before = word[0] if word else ""
    if _NUMBER.fullmatch(before):
        ahead = text[start : match.start() - len(before)].rstrip()
        return not ahead or ahead[-1] in "。！？!?．."
    following = text[match.end() : end].lstrip()
    return bool(_SHORT.fullmatch(before) or (_BEFORE_NUMBERS.fullmatch(before) and _NUMBER.match(following)))


def _closes(text: str, start: int, end: int) -> list[Span]:
    """The outermost brackets that are closed within a line, ascending."""
    open_: list[tuple[str, int]] = []
    found: list[Span] = []
    for match in _BRACKET.finditer(text, start, end):
        if match[0] in _PAIRS:
            open_.append((_PAIRS[match[0]], match.start()))
            continue
        for depth in reversed(range(len(open_))):
            if open_[depth][0] == match[0]:  # those opened since are never closed
                here = open_[depth][1]
                del open_[depth:]
                found = [span for span in found if span[0] < here]
                found.append((here, match.end()))
                break
    return found


def _is_outside(text: str, edge: int, brackets: list[Span], end: int) -> bool:
    """Whether a sentence may end at `edge`: in no bracket, or behind one that holds a whole sentence."""
    for first, last in brackets:
        if first < edge < last:
            return False
        if edge == last:
            return edge == end or text[edge].isspace() or text[edge] in _PAIRS or text[edge] in "\"'"
    return True
