"""Whatever comes in: slices, order, no loss, and no exception that is not ours."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.articles import Reading, read_article, read_file
from chunkgrid.errors import InputError
from chunkgrid.text import strip

TAGS = ["p", "div", "h2", "h3", "ul", "li", "table", "tr", "td", "th", "pre", "b", "span", "br", "a", "dl", "dt", "dd"]
TAGS += ["details", "summary", "section", "blockquote", "thead", "tbody", "caption", "x-card", "button", "option"]
scraps = st.one_of(
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(["<tr><td colspan=0 rowspan=99999>", "<!-- x -->", "<![CDATA[y]]>", "&amp;", "&#0;"]),
    st.sampled_from(["&#xD800;", "&zzz;", "&#11;", "\x01", "\x0b", "\x0c", "\x85", "\uffff"]),
    st.sampled_from(["Q. 何ですか。", "A. 答えです。", "\n", " ", "\t", "<", ">", '"', "\0", "\u200b", "か\u3099"]),
    st.integers(0, 10**6).map(lambda n: f"語{n}終"),
)  # fmt: skip


def holds(article) -> None:
    end = 0
    for block in article.blocks:
        assert end <= block["start"] < block["end"]
        assert article.text[block["start"] : block["end"]] == block["text"]
        end = block["end"]
    article.text.encode("utf-8")
    for question in article.questions:
        for span in question["gold"]:
            assert article.text[span["start"] : span["end"]].strip()


@settings(max_examples=300, deadline=None)
@given(st.lists(scraps, max_size=40))
def test_broken_html_keeps_every_word_once_and_in_order(parts: list[str]) -> None:
    page = "".join(parts)
    words = re.findall(r"語\d+終", page)
    try:
        article = read_article(page.encode("utf-8", "replace"), "a", "a.html")
    except InputError:
        assert not words or "Q." in page
        return
    holds(article)
    asked = "".join(question["question"] for question in article.questions)
    found = re.findall(r"語\d+終", strip(article.text) + asked)
    assert sorted(found) == sorted(words)
    if not article.questions and "<t" not in page and "caption" not in page:
        assert found == words


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["a.html", "a.md", "a.txt", "a.jsonl", "a.csv", "a.parquet"]))
def test_any_bytes_are_read_or_told(data: bytes, source: str) -> None:
    for article in read_file(data, source, source, Reading(["nav"])):
        if article.error is None:
            holds(article)
        else:
            assert "\n" not in article.error


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_file_keeps_its_visible_characters(text: str) -> None:
    # By their Unicode categories: format, control and unassigned characters that the text's form drops.
    control = {c for c in text if unicodedata.category(c) == "Cc" and not c.isspace()}
    dropped = control | set("\u200b\ufeff\u00ad\ufffe\uffff")
    seen = unicodedata.normalize("NFC", "".join(c for c in text if c not in dropped))
    try:
        article = read_article(text.encode("utf-8"), "a", "a.txt")
    except InputError:
        assert not strip(seen)
        return
    holds(article)
    if not article.questions:
        assert strip(article.text) == strip(seen)
