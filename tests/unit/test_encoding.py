"""Bytes to characters: byte order mark, UTF-8, the declaration, EUC-JP, Windows-31J."""

import pytest

from chunkgrid.encoding import decode
from chunkgrid.errors import InputError

TEXT = "請求書は①番の㈱髙田へ"
PLAIN = "請求書です。"  # without characters that EUC-JP and Shift_JIS lack


def meta(label):
    return f'<meta charset="{label}">'


def page(label, text, encoding):
    return (meta(label) + text).encode(encoding)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        pytest.param(b"\xef\xbb\xbf" + TEXT.encode(), TEXT, "utf-8", id="UTF-8 mark"),
        pytest.param(b"\xff\xfe" + TEXT.encode("utf-16-le"), TEXT, "utf-16-le", id="UTF-16 mark, little"),
        pytest.param(b"\xfe\xff" + TEXT.encode("utf-16-be"), TEXT, "utf-16-be", id="UTF-16 mark, big"),
        pytest.param(b"\xef\xbb\xbf" + page("sjis", TEXT, "utf-8"), meta("sjis") + TEXT, "utf-8", id="mark first"),
        pytest.param(TEXT.encode(), TEXT, "utf-8", id="undeclared UTF-8"),
        pytest.param(page("Shift_JIS", TEXT, "utf-8"), meta("Shift_JIS") + TEXT, "utf-8", id="lying: UTF-8"),
        pytest.param(page("utf-8", TEXT, "cp932"), meta("utf-8") + TEXT, "cp932", id="lying: no UTF-8"),
        pytest.param(page("euc-jp", PLAIN, "cp932"), meta("euc-jp") + PLAIN, "cp932", id="lying: no EUC-JP"),
        pytest.param(page("Shift_JIS", TEXT, "cp932"), meta("Shift_JIS") + TEXT, "cp932", id="Shift_JIS is cp932"),
        pytest.param(page("x-sjis", "ｱｲｳｴ", "cp932"), meta("x-sjis") + "ｱｲｳｴ", "cp932", id="valid EUC-JP too"),
        pytest.param(page("euc-jp", PLAIN, "euc_jp"), meta("euc-jp") + PLAIN, "euc_jp", id="declared EUC-JP"),
        pytest.param(PLAIN.encode("euc_jp"), PLAIN, "euc_jp", id="undeclared EUC-JP"),
        pytest.param(PLAIN.encode("cp932"), PLAIN, "cp932", id="undeclared cp932"),
        pytest.param(page("rot13", PLAIN, "cp932"), meta("rot13") + PLAIN, "cp932", id="rot13 is no encoding"),
        pytest.param(page("nonsense", PLAIN, "cp932"), meta("nonsense") + PLAIN, "cp932", id="unknown label"),
        pytest.param(page("gb18030", "请求书", "gb18030"), meta("gb18030") + "请求书", "gb18030", id="any codec"),
        pytest.param(page("Shift_JIS", PLAIN, "euc_jp"), meta("Shift_JIS") + PLAIN, "euc_jp", id="lying: EUC-JP"),
        pytest.param(page("latin1", "café", "cp1252"), meta("latin1") + "café", "cp1252", id="latin1 is cp1252"),
        pytest.param(page("euc-kr", "똠방각하", "cp949"), meta("euc-kr") + "똠방각하", "cp949", id="EUC-KR is cp949"),
        pytest.param("株式会社".encode("euc_jp"), "株式会社", "euc_jp", id="undeclared EUC-JP without kana"),
        pytest.param("株式会社".encode("cp932"), "株式会社", "cp932", id="undeclared cp932 without kana"),
        pytest.param(b"", "", "utf-8", id="empty"),
    ],
)
def test_decode(data, text, encoding):
    assert decode(data) == (text, encoding)


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">',
        "<META CHARSET=gb2312>",
        '<?xml version="1.0" encoding="gb2312"?>',
    ],
)
def test_declarations_are_found(declaration):
    # The bytes of 请求 are valid EUC-JP too, so only the declaration tells.
    data = (declaration + "请求").encode("gb2312")
    assert decode(data) == (declaration + "请求", "gb18030")


def test_iso_2022_jp_is_not_taken_for_utf8():
    """It is seven-bit, so that UTF-8 always fits."""
    assert decode(page("iso-2022-jp", PLAIN, "iso2022_jp"))[0] == meta("iso-2022-jp") + PLAIN


def test_declared_euc_jp_with_vendor_characters():
    """㈱ and ① are as usual in EUC-JP pages as in Shift_JIS ones (WHATWG index jis0208, row 13)."""
    data = meta("euc-jp").encode() + b"\xad\xa1" + PLAIN.encode("euc_jp")  # ①
    assert decode(data)[0] == meta("euc-jp") + "①" + PLAIN


@pytest.mark.parametrize("data", [b"\x81", "請求".encode("cp932") + b"\x81", b"\xff\xfe\x00", b"\xef\xbb\xbf\xff"])
def test_undecodable(data):
    with pytest.raises(InputError, match="cannot be decoded as"):
        decode(data)
