"""Bytes of a page to its characters."""

from __future__ import annotations

import codecs
import re

import webencodings

from .errors import InputError

_BOMS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I)

# What the web's names mean in Python (WHATWG Encoding, "Names and labels"); all others are spelt alike. JIS X
# 0213 has the vendors' row 13 (circled digits and the like), which Python's euc_jp lacks.
_CODECS = {
    "shift_jis": ["cp932"],
    "euc-jp": ["euc_jp", "euc_jis_2004"],
    "iso-2022-jp": ["iso2022_jp", "iso2022_jp_ext"],
    "gbk": ["gb18030"],
    "euc-kr": ["cp949"],
    "big5": ["big5hkscs"],
    "x-user-defined": [],
    "replacement": [],
}
_JAPANESE = [*_CODECS["euc-jp"], *_CODECS["shift_jis"]]
# The escapes of ISO-2022-JP, whose bytes are all valid UTF-8.
_ESCAPES = re.compile(rb"\x1b(?:\$[@B]|\(J)")
# Bytes 80, A0 and FD to FF, which Python reads although Shift_JIS has no character there.
_NO_SHIFT_JIS = re.compile("[\x80\xa0\uf8f1-\uf8f3]")
# What Japanese text is full of, and never is in one encoding read as another: there it is half-width katakana.
_HIRAGANA = re.compile("[ぁ-ん]")


def decode(data: bytes) -> tuple[str, str]:
    """The text of a page and the name of the encoding it was read in.

    A byte order mark is believed first, then the escapes of ISO-2022-JP, then UTF-8 where the bytes are valid
    UTF-8 (no other text is, but by chance), then the declaration. Where that is a Japanese encoding, or there
    is none, EUC-JP and Windows-31J are both tried and the one taken that gives more hiragana, the declared one
    where both give as many. Raises InputError where none fits.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _first(data[len(bom) :], [name])
    if _ESCAPES.search(data):
        return _first(data, _CODECS["iso-2022-jp"])
    label = declaration(data)
    names = codecs_of(label) if label else []
    japanese = [*names, *_JAPANESE] if not names or names[0] in _JAPANESE else _JAPANESE
    for tried in (["utf-8"], [name for name in names if name not in _JAPANESE]):
        for name in tried:
            text = _text(data, name)
            if text is not None:
                return text, codecs.lookup(name).name
    texts = {name: text for name in japanese if (text := _text(data, name)) is not None}
    if not texts:
        raise InputError(f"cannot be decoded as {', '.join(dict.fromkeys(['utf-8', *names, *japanese]))}")
    best = max(texts, key=lambda name: len(_HIRAGANA.findall(texts[name])))
    return texts[best], codecs.lookup(best).name


def declaration(data: bytes) -> str | None:
    """The label of the encoding that a page declares, as it is written, else None."""
    declared = _DECLARED.search(data[:4096])
    return declared[1].decode("ascii", "replace") if declared else None


def codecs_of(label: str) -> list[str]:
    """Python's codecs for a label of the web, most exact first; none where the web has no such label."""
    encoding = webencodings.lookup(label)
    return _CODECS.get(encoding.name, [encoding.codec_info.name]) if encoding else []


def _first(data: bytes, names: list[str]) -> tuple[str, str]:
    for name in names:
        text = _text(data, name)
        if text is not None:
            return text, codecs.lookup(name).name
    raise InputError(f"cannot be decoded as {', '.join(names)}")


def _text(data: bytes, name: str) -> str | None:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    return None if name == "cp932" and _NO_SHIFT_JIS.search(text) else text
