"""Characters and white space: the one place that says what is folded, dropped or not counted."""

from __future__ import annotations

import re
import unicodedata

# Zero width space, byte order mark, soft hyphen, control characters: nothing that a reader sees. The zero
# width joiner stays, since it holds emoji together.
_UNSEEN = "\u200b\ufeff\u00ad\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffe\uffff"
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_RARE_BLANKS = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ODD = re.compile(f"[{_UNSEEN}\x0b\x0c\x1c-\x1f\x85\ud800-\udfff]")
_HTML_BLANKS = re.compile(r"[ \t\n\f\r]+")
_LINE_BREAKS = re.compile(r" ?\v[ \v]*")
BLANKS = " \t\n\f\r\v"
"""What `fold` leaves nothing of where there is nothing else."""

LINE_BREAK = "\v"
"""Stands for `<br>` in text that is not folded yet."""


def visible(text: str) -> str:
    """The one form of a text that everything counts in: NFC, without the characters that nobody sees.

    Control characters that separate become blanks; half of a surrogate pair, which is no character, U+FFFD.
    """
    if not _ODD.search(text) and unicodedata.is_normalized("NFC", text):  # as most are
        return text
    text = _RARE_BLANKS.sub(" ", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))


def fold(text: str) -> str:
    """Inline text as a browser shows it: blanks folded to one, line breaks kept as one newline."""
    if "\n" in text or "  " in text or "\t" in text or "\r" in text or "\f" in text:  # most runs of text are plain
        text = _HTML_BLANKS.sub(" ", text)
    if LINE_BREAK in text:
        text = _LINE_BREAKS.sub("\n", text)
    return text.strip(" \n")


def strip(text: str) -> str:
    """`text` without any white space, the form in which texts are compared."""
    return "".join(text.split())
