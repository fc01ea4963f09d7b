"""Whole corpora, against counts and pairs that were found in another way."""

import html
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from chunkgrid.articles import Reading, read_article
from chunkgrid.blocks import read_blocks
from chunkgrid.html import exclude, parse
from chunkgrid.questions import found_in, judge
from chunkgrid.text import strip

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = sorted(ROOT.glob("corpus/sample/*.html"))
GUIDES = ROOT / "../shared/corpora/ja-guides"
PAIRS = ROOT / "../shared/corpora/ja-guides.faq.jsonl"
EXCLUDE = ["nav", "footer", "aside.sources", ".mermaid"]


def read(path):
    return read_article(path.read_bytes(), path.name, path.name, Reading(EXCLUDE))


def gold_text(article, question):
    return "\n".join(article.text[span["start"] : span["end"]] for span in question["gold"])


def leaks(article):
    """Questions that left an article and still stand in it word for word, and in what: (question, kinds of block)."""
    markup = html.unescape(re.sub(r"<[^>]*>", "", article.html)) + html.unescape(article.html)
    for question in sorted({found["question"] for found in article.questions}):
        kinds = [block["kind"] for block in article.blocks if question in block["text"]]
        headings = [heading for block in article.blocks for heading in block["headings"] if question in heading]
        if kinds or headings or question in markup or question in article.title:
            yield question, kinds


def test_sample_has_18_articles_and_197_questions():
    assert len(SAMPLE) == 18
    assert sum(path.read_text("utf-8").count('class="q"') for path in SAMPLE) == 197


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_sample(path):
    article = read(path)
    page = path.read_text("utf-8")
    marked = re.findall(r'<p class="([qa])">[QA]\. (.*?)</p>', page)
    texts = [(kind, html.unescape(re.sub(r"<[^>]*>", "", text))) for kind, text in marked]
    assert len(article.questions) == page.count('class="q"')
    assert [question["question"] for question in article.questions] == [text for kind, text in texts if kind == "q"]
    assert [gold_text(article, question) for question in article.questions] == [
        text for kind, text in texts if kind == "a"
    ]
    assert all(len(strip(gold_text(article, question))) >= 40 for question in article.questions)
    assert article.title == html.unescape(re.sub(r"<[^>]*>", "", re.search(r"<h1>(.*?)</h1>", page)[1]))
    assert list(leaks(article)) == []


@pytest.fixture(scope="module")
def guides():
    if not (GUIDES.is_dir() and PAIRS.is_file()):
        pytest.skip("needs ../shared/corpora/ja-guides, which is under another licence and not part of the project")
    return {path.name: read(path) for path in sorted(GUIDES.glob("*.html"))}


def bare(markdown):
    """Markdown or the text made of it, without what differs between the two: marks, links, white space."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"^```\w*$", "", text, flags=re.M)
    text = re.sub(r"^\s*(\d+\.|[-*+])\s", "", text, flags=re.M)
    text = re.sub(r"^\s*\**A\d*\s*[.:：]\**\s*", "", text)
    # Five questions hold `<T>`, unescaped in the page: a tag to any parser, so that it is not in the text.
    return re.sub(r"[\s*`#|\-_>~\\:]+|<T", "", text)


def test_guides_pairs(guides):
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    assert len(rows) == 1491
    answers = {
        (article.doc_id, bare(question["question"])): bare(gold_text(article, question))
        for article in guides.values()
        for question in article.questions
    }
    assert [row for row in rows if answers.get((row["article"], bare(row["question"]))) != bare(row["answer"])] == []


def test_guides_questions_left(guides):
    """Two short ones are also part of a sentence elsewhere in their article; no other is left anywhere."""
    assert len(guides) == 250
    assert sum(len(article.questions) for article in guides.values()) == 1929
    assert [found for article in guides.values() for found in leaks(article)] == [
        ("疲れが取れない", ["pre"]),
        ("成長が遅い", ["pre"]),
    ]


def left_anywhere(articles):
    """All questions judged, and those that stand in any article, white space aside: question to its status.

    Looked for one by one, as `judge` does not, in the texts, titles and tags. (That the markup shows the text is
    the test below.)
    """
    rows = [article.row() for article in articles]
    judged = judge(found_in(rows, "faq"), rows, sample=len(rows) * 1000, seed=0)
    places = [text for article in articles for text in (article.title, article.text)]
    for article in articles:
        tags = html.unescape("".join(re.findall(r"<[^>]*=[^>]*>", article.html)))
        places += [tags, unquote(tags)]
    everything = "\n".join(map(strip, places))
    return judged, {row["query"]: row["status"] for row in judged if strip(row["query"]) in everything}


def test_no_question_of_the_sample_is_left_in_any_article():
    judged, left = left_anywhere([read(path) for path in SAMPLE])
    assert Counter(row["status"] for row in judged) == {"used": 197}
    assert left == {}


def test_no_question_of_the_guides_that_is_asked_is_left_in_any_article(guides):
    """Four short ones are also part of sentences, lines of code and headings of this or another article."""
    judged, left = left_anywhere(list(guides.values()))
    assert Counter(row["status"] for row in judged) == {"used": 1491, "repeated": 434, "elsewhere": 4}
    assert left == {
        "時間がない": "elsewhere",
        "成長が遅い": "elsewhere",
        "CPU負荷が高い": "elsewhere",
        "疲れが取れない": "elsewhere",
    }


def test_guides_lose_nothing_but_their_questions(guides):
    """Without questions from the articles, and with: the same characters but for the questions and their marks."""
    for article in guides.values():
        whole = read_article((GUIDES / article.doc_id).read_bytes(), article.doc_id, "a.html", Reading(EXCLUDE, "none"))
        assert whole.questions == []
        assert len(strip(whole.text)) - len(strip(article.text)) == sum(
            len(strip(line)) for line in marked_lines(whole, {strip(q["question"]) for q in article.questions})
        )


def marked_lines(article, questions):
    """Blocks, or lines of them, that are one of the questions with its mark."""
    for block in article.blocks:
        if block["kind"] in ("paragraph", "h1", "h2", "h3", "h4", "h5", "h6"):
            for line in re.split(r"(?<=.)(?=\s*A\d*\s*[.:：])", block["text"]):
                if re.sub(r"^Q\d*[.:：]", "", strip(line)) in questions:
                    yield line


def holds_and_shows(article):
    assert "\n\n".join(block["text"] for block in article.blocks) == article.text
    assert all(article.text[block["start"] : block["end"]] == block["text"] for block in article.blocks)
    shown = re.sub(r"<[^>]*>|[\s|]", "", article.html)
    assert strip(html.unescape(shown)).replace("|", "") == strip(article.text).replace("|", "")


def test_sample_offsets_and_words():
    for path in SAMPLE:
        holds_and_shows(read(path))


def test_guides_offsets_and_words(guides):
    for article in guides.values():
        holds_and_shows(article)


def visible_by_soup(page):
    """The visible characters of a page by another parser and another way through its tree."""
    soup = BeautifulSoup(page, "html.parser")
    for element in [*soup.select("head, script, style, template, noscript"), *soup.select(", ".join(EXCLUDE))]:
        element.decompose()
    return strip(soup.get_text()).replace("|", "")


def visible_by_blocks(page):
    """Before any question leaves; what separates the cells of a row is ours."""
    body = parse(page)[0]
    exclude(body, EXCLUDE)
    return strip("".join(block.text for block in read_blocks(body))).replace("|", "")


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_blocks_of_the_sample_miss_nothing_and_hold_nothing_twice(path):
    page = path.read_text("utf-8")
    assert visible_by_blocks(page) == visible_by_soup(page)


def test_blocks_of_the_guides_miss_nothing_and_hold_nothing_twice():
    if not GUIDES.is_dir():
        pytest.skip("the guides are not part of the project")
    paths = sorted(GUIDES.glob("*.html"))
    differ = []
    for path in paths:
        page = path.read_bytes().decode("utf-8")
        if visible_by_blocks(page) != visible_by_soup(page):
            differ.append(path.name)
    assert len(paths) == 250
    assert differ == []
