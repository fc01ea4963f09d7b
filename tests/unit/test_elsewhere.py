"""Phrases that stand somewhere, against looking for each in each text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import shingles
from chunkgrid.elsewhere import standing


def naive(phrases: list[str], texts: list[str]) -> set[str]:
    bare = ["".join(text.split()) for text in texts]
    return {
        phrase for phrase in ("".join(phrase.split()) for phrase in phrases) if any(phrase in text for text in bare)
    }


@pytest.mark.parametrize(
    ("phrase", "text", "stands"),
    [
        ("返品はできますか。", "よくある質問: 返品はできますか。はい。", True),
        ("返品はできますか。", "返品はできますか", False),
        ("返品はできますか。", "返品は できま\nすか。", True),  # white space in the text
        ("返品 は　できますか。\n", "返品はできますか。", True),  # or in the phrase
        ("返品は", "交換と返品は", True),  # three characters
        ("か", "返品はできます", False),
        ("abcde", "xabcde", True),
        ("abcdef", "xabcdef", True),
        ("abcdefg", "abcdef g", True),
        ("abcdefg", "abcdef abcdeg", False),
        ("abcdef", "abcde", False),  # a text shorter than the phrase, and than its beginning
        ("aaaaaaab", "aaaaaaaaaaab", True),  # not at the first place that it may begin at
        ("𠮷野家はどこですか", "問: 𠮷野家は どこですか", True),
        ("吉野家はどこですか", "問: 𠮷野家はどこですか", False),
        ("🙂🙂🙂🙂🙂🙃", "🙂🙂🙂🙂🙂🙂🙃", True),
        ("\ud800abcdef", "x\ud800abcdefg", True),  # half of a pair, which no encoding has
        ("Abcdef", "abcdef", False),
    ],
)
def test_by_hand(phrase: str, text: str, stands: bool) -> None:
    assert standing([phrase], ["", text]) == ({"".join(phrase.split())} if stands else set())


def test_phrases_come_back_without_white_space_each_once_from_whichever_text() -> None:
    phrases = ["何 ですか、これは", "何ですか、 これは", "どこですか、これは", "何ですか、それは", "なぜ", "い つ"]
    texts = iter(["何ですか、これ", "何ですか、それは、いつ", "何ですか、これは。いつ"])
    assert standing(iter(phrases), texts) == {"何ですか、これは", "何ですか、それは", "いつ"}


def test_nothing_stands_in_nothing() -> None:
    assert standing([], ["本文です。本文です。"]) == set()
    assert standing(["何ですか、これは", "なぜ"], []) == set()
    assert standing(["何ですか、これは", "なぜ"], ["", " \n"]) == set()


letters = st.sampled_from("ab𠮷\U0001f642 \n\u3000")
some_texts = st.lists(st.text(letters, max_size=60), max_size=4)


@st.composite
def sought(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Texts, and phrases of which some are cut out of them, with white space of their own."""
    texts = draw(some_texts)
    phrases = draw(st.lists(st.text(letters, min_size=1, max_size=12), max_size=4))
    for text in texts:
        start = draw(st.integers(0, len(text)))
        cut = text[start : start + draw(st.integers(1, 20))]
        at = draw(st.integers(0, len(cut)))
        phrases.append(cut[:at] + draw(st.text(" \n\u3000", max_size=2)) + cut[at:])
    return [phrase for phrase in phrases if phrase.strip()], texts


@given(sought())
@settings(max_examples=300)
def test_what_stands_is_what_is_found_by_looking_for_each(drawn: tuple[list[str], list[str]]) -> None:
    phrases, texts = drawn
    assert standing(phrases, texts) == naive(phrases, texts)


@pytest.mark.parametrize("base", [0, 1])
@given(sought())
@settings(max_examples=100)
def test_what_only_has_the_same_hash_does_not_stand(base: int, drawn: tuple[list[str], list[str]]) -> None:
    """With such a base the hash is of the last character alone, or of the characters in any order."""
    phrases, texts = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shingles, "_BASE", np.uint64(base))
        assert shingles.rolling("abcdef", 6).tolist() == shingles.rolling("badcef", 6).tolist()
        assert standing(phrases, texts) == naive(phrases, texts)
