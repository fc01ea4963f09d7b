"""White space: what is folded, dropped, or not counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgrid.text import LINE_BREAK, fold, strip, visible


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("料\u200b金\u00adは\ufeff十\0円", "料金は十円"),
        ("👨\u200d👩", "👨\u200d👩"),  # the joiner holds an emoji together
        ("a\u00a0b\u3000c\n", "a\u00a0b\u3000c\n"),
    ],
)
def test_visible_drops_what_nobody_sees(raw, seen):
    assert visible(raw) == seen


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        ("  甲 \t\r\n\f 乙  ", "甲 乙"),
        (f"甲 {LINE_BREAK} 乙", "甲\n乙"),
        (f"甲{LINE_BREAK}\n{LINE_BREAK}乙", "甲\n乙"),
        (f"{LINE_BREAK}甲{LINE_BREAK}", "甲"),
        ("\u3000甲\u00a0乙\u2028丙", "\u3000甲\u00a0乙\u2028丙"),  # no blanks of HTML
        (" \n\t", ""),
    ],
)
def test_fold(raw, folded):
    assert fold(raw) == folded


def test_strip_drops_every_white_space():
    assert strip(" 甲\u3000乙\u00a0丙\n\t丁\u2028 ") == "甲乙丙丁"


@given(st.text())
def test_fold_changes_nothing_but_white_space(raw):
    assert strip(fold(raw)) == strip(raw)


def test_text_is_brought_to_nfc():
    # か and the combining voicing mark are が; half-width kana is another character and stays.
    assert visible("か\u3099 e\u0301 ｶ") == "が é ｶ"
