"""A page's HTML to its tree, without what is not article text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree
from lxml import html as lxml_html
from lxml.cssselect import CSSSelector

from .errors import InputError
from .text import strip, visible
from .tree import Element, drop, text_of

# Nothing of these is shown as text by a browser that runs scripts.
_UNSEEN = (
    *("script", "style", "noscript", "template", "iframe", "object", "audio", "video", "canvas", "head"),
    *("noframes", "noembed", "datalist", "annotation", "annotation-xml", "metadata"),
)
_OF_HEAD = ("title", "meta", "link", "base", "script", "style", "noscript", "template")
_HIDDEN = etree.XPath("//*[@hidden] | //dialog[not(@open)] | //svg//title | //svg//desc")
_JSON_LD = etree.XPath("//script[contains(@type, 'ld+json')]")
_STYLED = etree.XPath("//*[@style]")
_DISPLAY_NONE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)", re.I
)

# What libxml2 gives up on, and what a page nested so deep can lose without losing text or order: its generic
# boxes become the edges of paragraphs, its inline marks nothing.
_TOO_DEEP = etree.ErrorTypes.ERR_RESOURCE_LIMIT
_BOXES = re.compile(r"</?(?:div|section|article|main|blockquote|center|form|fieldset|[uod]l|li|d[dt]|p)\b[^>]*>", re.I)
_MARKS = re.compile(r"</?(?:span|font|strong|small|code|big|em|tt|[abius])\b[^>]*>", re.I)


class Tree(NamedTuple):
    """A page as parsed: its `body`, the text of its `<title>` ("" if it has none), its JSON-LD.

    flattened: whether it was nested too deep, and is read without its generic boxes
    """

    body: Element
    title: str
    data: list[str]
    flattened: bool


def parse(page: str) -> Tree:
    """The tree of a page, without what nobody sees.

    A page nested deeper than 2,048 elements is read without its generic boxes. Raises InputError where there
    is no element at all, or where even that is too deep.
    """
    root, whole = _tree(visible(page))
    flattened = not whole
    if flattened:
        root, whole = _tree(_MARKS.sub("", _BOXES.sub("<p>", visible(page))))
        if not whole:
            raise InputError("is nested deeper than 2,048 elements")
    title = root.findtext(".//head/title") or ""
    body = _gathered(root)
    data = [script.text or "" for script in _JSON_LD(root)]
    etree.strip_elements(body, *_UNSEEN, with_tail=False)
    for element in [*_HIDDEN(body), *(e for e in _STYLED(body) if _DISPLAY_NONE.search(e.get("style")))]:
        if element is not body:
            drop(element)
    _clean(body)
    for ruby in body.iter("ruby"):
        _spell_out(ruby)
    return Tree(body, " ".join(visible(title).split()), data, flattened)


def _gathered(root: Element) -> Element:
    """The body, with what the parser leaves before and after it: in the head, behind `</body>`."""
    body = root.find("body")
    head = root.find("head")
    if body is None:
        body = etree.SubElement(root, "body")
    before = [] if head is None else [e for e in head if e.tag not in _OF_HEAD]
    for element in reversed(before):
        element.tail = (element.tail or "") + (body.text or "")
        body.text = None
        body.insert(0, element)
    after = [*body.itersiblings(), *root.itersiblings()]
    if body.tail:
        etree.SubElement(body, "div").text = body.tail
        body.tail = None
    for element in after:
        body.append(element)
    return body


def _tree(page: str) -> tuple[Element, bool]:
    """The root of a page, and whether the parser went through the whole of it."""
    # From bytes, since lxml refuses a str that still carries an XML declaration.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(page.encode("utf-8"), parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        raise InputError("holds no text")
    return root, not any(error.type == _TOO_DEEP for error in parser.error_log)


def exclude(body: Element, selectors: Iterable[str]) -> int:
    """Takes what the CSS `selectors` match out of the tree, in place; how many characters that is.

    White space does not count. Raises SelectorError for what is no selector.
    """
    taken = 0
    gone: set[Element] = set()
    for selector in selectors:
        for element in CSSSelector(selector, translator="html")(body):
            if element is not body and gone.isdisjoint(element.iterancestors()):
                taken += len(strip(text_of(element)))
                gone.add(element)
                drop(element)
    return taken


def serialise(body: Element) -> str:
    """The tree as a page again, for splitters that take HTML."""
    return f"<html>{lxml_html.tostring(body, encoding='unicode', with_tail=False)}</html>"


def _clean(body: Element) -> None:
    """Also what was written as a character reference is brought to the one form of text."""
    for element in body.iter():
        for slot in ("text", "tail"):
            text = getattr(element, slot)
            if text and (clean := visible(text)) != text:
                setattr(element, slot, clean)


def _spell_out(ruby: Element) -> None:
    """A word with its reading above becomes the word with its reading in brackets behind it."""
    reading = "".join("".join(part.itertext()) for part in ruby.iter("rt"))
    etree.strip_elements(ruby, "rt", "rp", "rtc", with_tail=False)
    if reading.strip():
        last = etree.SubElement(ruby, "span")
        last.text = f"（{''.join(reading.split())}）"
