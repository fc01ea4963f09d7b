"""Parts of a parsed page.

Elements are lxml's plain ones: those of lxml.html are asked in Python for a class whenever one is looked at.
"""

from __future__ import annotations

from lxml.etree import _Element as Element

__all__ = ["Element", "drop", "text_of"]


def text_of(element: Element) -> str:
    """All text within an element."""
    return "".join(element.itertext())


def drop(element: Element) -> None:
    """Takes an element out of its tree; the text behind it stays."""
    parent, tail = element.getparent(), element.tail
    if parent is None:
        return
    if tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
    parent.remove(element)
