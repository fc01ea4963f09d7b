"""Questions that a page declares for search engines: FAQPage as JSON-LD and as microdata."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from .text import visible
from .tree import Element, text_of

_QUESTIONS = etree.XPath("//*[contains(@itemtype, '//schema.org/Question')]")
_NAMES = etree.XPath(".//*[contains(concat(' ', @itemprop, ' '), ' name ')]")
_TEXTS = etree.XPath(
    ".//*[contains(concat(' ', @itemprop, ' '), ' acceptedAnswer ')]"
    "//*[contains(concat(' ', @itemprop, ' '), ' text ')]"
)


def from_json_ld(scripts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The questions and answers that JSON-LD declares; what is no JSON declares nothing."""
    for script in scripts:
        try:
            waiting = [json.loads(script, strict=False)]
        except (ValueError, RecursionError):
            continue
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += reversed(value)
            elif isinstance(value, dict):
                waiting += reversed(list(value.values()))
                if "Question" in _listed(value.get("@type")):
                    yield from _declared(value)


def broken(scripts: Iterable[str]) -> int:
    """How many of the scripts are no JSON."""
    return sum(not _is_json(script) for script in scripts if script.strip())


def _is_json(script: str) -> bool:
    try:
        json.loads(script, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _declared(question: dict[str, Any]) -> Iterator[tuple[str, str]]:
    answers = [answer for answer in _listed(question.get("acceptedAnswer")) if isinstance(answer, dict)]
    name, text = question.get("name"), answers[0].get("text") if answers else ""
    if isinstance(name, str) and name.strip():
        yield _plain(name), _plain(text) if isinstance(text, str) else ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def from_microdata(body: Element) -> Iterator[tuple[str, str, Element]]:
    """The questions and answers that microdata declares, and the element that holds both."""
    for scope in _QUESTIONS(body):
        names, texts = _NAMES(scope), _TEXTS(scope)
        name = _value(names[0]) if names else ""
        if name.strip():
            yield name, _value(texts[0]) if texts else "", scope


def _value(element: Element) -> str:
    return element.get("content") or text_of(element)


def _plain(markup: str) -> str:
    """A text that may hold tags and character references."""
    if "<" not in markup and "&" not in markup:
        return visible(markup)
    try:
        return visible(text_of(lxml_html.fragment_fromstring(visible(markup), create_parent="div")))
    except (etree.ParserError, ValueError):
        return visible(markup)
