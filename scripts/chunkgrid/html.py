"""A page's HTML to its tree, without what is not article text."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree
from lxml import html as lxml_html
from lxml.cssselect import CSSSelector

from .errors import InputError
from .text import visible

# Nothing of these is shown as text by a browser that runs scripts.
_UNSEEN = ("script", "style", "noscript", "template", "iframe", "object", "audio", "video", "canvas", "head")
_UNSEEN_IN_PLACE = ("annotation", "annotation-xml", "rp", "rt", "datalist")
_HIDDEN = etree.XPath("//*[@hidden]")


def parse(page: str) -> tuple[lxml_html.HtmlElement, str]:
    """The `body` of a page and the text of its `<title>` ("" if it has none).

    Raises InputError where there is no element at all.
    """
    # From bytes, since lxml refuses a str that still carries an XML declaration.
    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(visible(page).encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        raise InputError("holds no HTML element and no text") from None
    title = root.findtext(".//head/title") or ""
    body = root.find("body")
    if body is None:
        raise InputError("has no body")
    _drop_invisible(body)
    etree.strip_elements(body, *_UNSEEN, *_UNSEEN_IN_PLACE, with_tail=False)
    for element in _HIDDEN(body):
        _drop(element)
    return body, " ".join(visible(title).split())


def exclude(body: lxml_html.HtmlElement, selectors: Iterable[str]) -> None:
    """Takes what the CSS `selectors` match out of the tree, in place. Raises SelectorError for none."""
    for selector in selectors:
        for element in CSSSelector(selector, translator="html")(body):
            if element is not body:
                _drop(element)


def serialise(body: lxml_html.HtmlElement) -> str:
    """The tree as a page again, for splitters that take HTML."""
    return f"<html>{lxml_html.tostring(body, encoding='unicode', with_tail=False)}</html>"


def _drop_invisible(body: lxml_html.HtmlElement) -> None:
    """Also what was written as a character reference."""
    for element in body.iter():
        if element.text:
            element.text = visible(element.text)
        if element.tail:
            element.tail = visible(element.tail)


def _drop(element: lxml_html.HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()
