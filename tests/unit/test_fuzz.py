"""Whatever comes in: slices, order, no loss, and no exception that is not ours."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections import Counter
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from chunkgrid.articles import Reading, read_article, read_file
from chunkgrid.errors import InputError
from chunkgrid.questions import found_in, judge
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


MODES = ["faq", "headings", "none"]


def holds(article) -> None:
    end = 0
    for block in article.blocks:
        assert end <= block["start"] < block["end"]
        assert article.text[block["start"] : block["end"]] == block["text"]
        end = block["end"]
    article.text.encode("utf-8")
    for question in article.questions:
        assert question["question"].strip()
        starts = [span["start"] for span in question["gold"]]
        assert starts == sorted(set(starts))
        for span in question["gold"]:
            assert article.text[span["start"] : span["end"]].strip()
            assert any(block["start"] <= span["start"] < span["end"] <= block["end"] for block in article.blocks)


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


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["a.html", "a.md", "a.txt", "a.jsonl", "a.csv", "a.parquet"]))
def test_any_bytes_are_read_or_told(mode: str, data: bytes, source: str) -> None:
    for article in read_file(data, source, source, Reading(["nav"], mode)):
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


SENTENCES = ["商品の返品はいつまで受け付けていますか？", "北海道から商品の返品はいつまで受け付けていますか？"]
SENTENCES += ["送料は何円ですか", "荷物の追跡番号はどこで見られますか。", "What is a return?", "A&B <T> は何ですか？"]
PHRASES = ["成長が遅い", "甲"]
questions = st.sampled_from([*SENTENCES, *PHRASES])
sentences = st.sampled_from(SENTENCES)
words = st.integers(0, 10**9).map(lambda n: f"語{n}終")


@st.composite
def inline(draw: st.DrawFn) -> str:
    """Words and questions, escaped, perhaps with markup within."""
    text = draw(st.one_of(words, words, questions, questions.map("「{}」と".format), questions.map("1. {}".format)))
    cut = draw(st.integers(1, len(text)))
    markup = draw(
        st.sampled_from(["{}{}", "<b>{}</b>{}", "<a href='#x'>{}{}</a>", "{}\n<i>{}</i>", "<button>{}{}</button>"])
    )
    markup = draw(
        st.sampled_from([markup, markup, f"<img src=x>{markup}<br>", f"{markup}<ruby>漢<rt>かん</rt></ruby>"])
    )
    return markup.format(html.escape(text[:cut]), html.escape(text[cut:]))


@st.composite
def declaration(draw: st.DrawFn) -> str:
    """JSON-LD that may be broken."""
    entry = {
        "@type": "Question",
        "name": draw(questions),
        "acceptedAnswer": {"text": draw(st.one_of(words, questions))},
    }
    value = draw(st.sampled_from([entry, [entry], {"@graph": [{"@type": "FAQPage", "mainEntity": [entry, None, 1]}]}]))
    text = json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text[: draw(st.sampled_from([-1, None, None, None]))]}</script>'


def boxes(kids: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(kids, max_size=3).map("".join)
    asked = questions.map(html.escape)
    return st.one_of(
        several.map("<div>{}</div>".format),
        several.map("<section><article>{}</article></section>".format),
        several.map("<blockquote>{}</blockquote>".format),
        several.map("<ul><li>{}</li></ul>".format),
        several.map("<table><tr><td>{}</td></tr></table>".format),
        several.map("<x-card>{}</x-card>".format),
        st.builds("<table><tr><th>{}</th><td>{}</td></tr></table>".format, asked, several),
        st.builds("<ol><li><a href='#{0}'>{0}</a></li><li>{1}</li></ol>".format, asked, several),
        st.builds("<h2>よくある質問</h2><h3>{}</h3>{}".format, asked, several),
        st.builds("<h3>Q1: {}</h3><div>{}</div>".format, asked, several),
        st.builds("<p>Q. {}</p><p>A. {}</p>{}".format, asked, words, several),
        st.builds("<dl><dt>{}</dt><dd>{}</dd></dl>".format, sentences.map(html.escape), several),
        st.builds("<details><summary>{}</summary>{}</details>".format, asked, several),
        st.builds("<details><summary><h3>{}</h3></summary><p>{}</p></details>".format, asked, words),
        st.builds(
            '<div itemscope itemtype="https://schema.org/Question"><h4 itemprop="name">{}</h4>'
            '<div itemprop="acceptedAnswer"><div itemprop="text">{}</div></div></div>'.format,
            asked,
            several,
        ),
        st.builds("<p id='{}' title='{}' class='c'>{}</p>".format, asked, questions.map(quote), words),
    )


leaves = st.one_of(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "p", "div", "h2", "h4"]), inline()),
    st.builds("<pre>{}\n{}</pre>".format, words, questions.map(html.escape)),
    declaration(),
)
pages = st.lists(st.recursive(leaves, boxes, max_leaves=8), min_size=1, max_size=4).map("".join)


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=150, deadline=None)
@given(pages)
def test_pages_of_questions_keep_every_other_word_and_no_question(mode: str, page: str) -> None:
    shown = words_of(re.sub(r"<script.*?</script>|<[^>]*>", "", page, flags=re.S))
    try:
        article = read_article(f"<body>{page}".encode(), "a", "a.html", Reading([], mode))
    except InputError:
        assert not shown
        return
    holds(article)
    kept = words_of(article.text + "".join(question["question"] for question in article.questions))
    assert kept == shown if mode == "none" else set(kept) == set(shown)  # a repeated question leaves with its words
    assert Counter(kept) <= Counter(shown)
    assert article.text.count("Q. ") <= page.count("Q. ")  # what questions are marked with has left with them
    if mode == "none":
        assert article.questions == []
    if mode == "faq":
        assert leaks(article) == []


def words_of(text: str) -> list[str]:
    return sorted(re.findall(r"語\d+終", strip(text)))


def leaks(article) -> list[str]:
    """Questions that are left: sentences anywhere, phrases where `judge` does not say so."""
    judged = judge(found_in([article.row()], "faq"), [article.row()], sample=1000, seed=0)
    markup = html.unescape(re.sub(r"<[^>]*>", "", article.html))
    attributes = [unquote(v) for e in lxml_html.document_fromstring(article.html).iter() for v in e.attrib.values()]
    left = {row["query"] for row in judged if row["query"] in SENTENCES and row["notes"]}
    for row in judged:
        name = strip(row["query"])
        if len(name) > 1 and not row["notes"] and any(name in strip(place) for place in [markup, *attributes]):
            left.add(row["query"])
    return sorted(left)
