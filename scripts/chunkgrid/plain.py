"""Plain text, whose white space is kept: the document text is the file's."""

from __future__ import annotations

import re

from lxml import etree

from .blocks import Block, Piece
from .text import visible
from .tree import Element, text_of

_WHITE_SPACE = re.compile(r"\s+")
_NEWLINE = re.compile(r"\r\n?|\n")
# What a tree cannot hold; one character for one, so that no offset moves.
_RARE_BLANKS = re.compile("[\x0b\x0c\x1c-\x1f]")
_UNFIT = re.compile("[\x00-\x08\x0e-\x1b\ud800-\udfff\ufffe\uffff]")


def parse_plain(text: str, as_it_is: bool) -> Element:
    """A body with a `p` for each paragraph; what stands between them are their tails.

    `as_it_is`: no character is added or leaves, so that offsets made elsewhere hold. Otherwise text and
    newlines are brought to one form, as in any page.
    """
    text = _UNFIT.sub("\ufffd", _RARE_BLANKS.sub(" ", text)) if as_it_is else visible(_NEWLINE.sub("\n", text))
    body = etree.Element("body")
    here = 0
    for space in _WHITE_SPACE.finditer(text):
        if space.start() == 0:
            body.text = space[0]
        elif len(_NEWLINE.findall(space[0])) >= 2 or space.end() == len(text):
            _paragraph(body, text[here : space.start()], space[0])
        else:
            continue
        here = space.end()
    if here < len(text):
        _paragraph(body, text[here:], "")
    return body


def _paragraph(body: Element, text: str, after: str) -> None:
    paragraph = etree.SubElement(body, "p")
    paragraph.text, paragraph.tail = text, after


def end_of(body: Element) -> str:
    """The white space that such a body ends with."""
    text = text_of(body)
    return text[len(text.rstrip()) :]


def plain_blocks(body: Element) -> list[Block]:
    """The paragraphs of such a body, each with the white space before it."""
    blocks: list[Block] = []
    gap = body.text or ""
    for paragraph in body:
        raw = paragraph.text or ""
        text = raw.strip()
        gap += raw[: len(raw) - len(raw.lstrip())]
        if text:
            pieces = [Piece(paragraph, "text", raw)]
            blocks.append(Block("paragraph", text, pieces=pieces, element=paragraph, gap=gap))
            gap = raw[len(raw.rstrip()) :]
        gap += paragraph.tail or ""
    return blocks
