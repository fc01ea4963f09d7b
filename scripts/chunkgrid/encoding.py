"""Bytes of a page to its characters."""

from __future__ import annotations

import codecs
import re

from .errors import InputError

_BOMS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I)

# The web means Windows-31J where it says Shift_JIS (WHATWG Encoding, "Names and labels").
_LABELS = {"shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932"}
# Python reads the bytes 80, A0 and FD to FF as these; the standard has no character there.
_NO_SHIFT_JIS = re.compile("[\x80\xa0\uf8f1-\uf8f3]")
# The escapes of ISO-2022-JP, whose bytes are all valid UTF-8.
_ESCAPES = re.compile(rb"\x1b(?:\$[@B]|\(J)")
# JIS X 0213 has the vendors' row 13 (circled digits and the like), which Python's euc_jp lacks.
_UNDECLARED = ["euc_jp", "euc_jis_2004", "cp932"]


def decode(data: bytes) -> tuple[str, str]:
    """The text of a page and the name of the encoding it was read in.

    A byte order mark is believed first, then UTF-8 where the bytes are valid UTF-8 (no other text is, but
    by chance) without the escapes of ISO-2022-JP, then the declaration, then EUC-JP and Windows-31J. Raises
    InputError where none fits.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return _decode(data[len(bom) :], [name])
    if _ESCAPES.search(data):
        return _decode(data, ["iso2022_jp", "iso2022_jp_ext"])
    declared = _DECLARED.search(data[:4096])
    label = declared[1].decode("ascii", "replace").lower() if declared else ""
    candidates = [name for name in (_LABELS.get(label, label),) if name and _known(name)]
    return _decode(data, ["utf-8", *candidates, *_UNDECLARED])


def _decode(data: bytes, names: list[str]) -> tuple[str, str]:
    for name in names:
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if not (name == "cp932" and _NO_SHIFT_JIS.search(text)):
            return text, codecs.lookup(name).name
    raise InputError(f"cannot be decoded as {', '.join(dict.fromkeys(names))}")


def _known(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding  # `rot13` and `zip` are codecs too
    except LookupError:
        return False
