"""White space: the one place that says what is folded, dropped or not counted."""

from __future__ import annotations

import re

# Zero width space, byte order mark, soft hyphen and NUL: nothing that a reader sees. The zero width
# joiner stays, since it holds emoji together.
_INVISIBLE = re.compile("[\u200b\ufeff\u00ad\0]")
_HTML_BLANKS = re.compile(r"[ \t\n\f\r]+")
_LINE_BREAKS = re.compile(r" ?\v[ \v]*")

LINE_BREAK = "\v"
"""Stands for `<br>` in text that is not folded yet."""


def visible(text: str) -> str:
    """`text` without the characters that nobody sees."""
    return _INVISIBLE.sub("", text)


def fold(text: str) -> str:
    """Inline text as a browser shows it: blanks folded to one, line breaks kept as one newline."""
    return _LINE_BREAKS.sub("\n", _HTML_BLANKS.sub(" ", text)).strip(" \n")


def strip(text: str) -> str:
    """`text` without any white space, the form in which texts are compared."""
    return "".join(text.split())
