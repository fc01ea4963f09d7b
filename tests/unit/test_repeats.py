"""Questions that stand in an article once more: where they leave with the question, and where they stay."""

import html
import re
from urllib.parse import unquote

import pytest
from lxml import html as lxml_html

from chunkgrid.articles import Reading, read_article
from chunkgrid.repeats import core
from chunkgrid.text import strip

LONG = "商品の返品はいつまでできますか？"
SHORT = "成長が遅い"
FAQ = f"<h3>Q1: {LONG}</h3><p>十四日以内なら。</p><h3>Q2: {SHORT}</h3><p>寒いと遅い。</p>"
ANSWERS = "十四日以内なら。\n\n寒いと遅い。"


def read(page, name="a.html", questions="faq"):
    return read_article(page.encode(), name, name, Reading([], questions))


def gold(article):
    return {q["question"]: [article.text[s["start"] : s["end"]] for s in q["gold"]] for q in article.questions}


def before(page):
    """The document text of what stands before the FAQ; the FAQ itself must be read as ever."""
    article = read(f"{page}<hr>{FAQ}")
    assert gold(article) == {LONG: ["十四日以内なら。"], SHORT: ["寒いと遅い。"]}
    assert article.text.endswith(ANSWERS)
    return article.text.removesuffix(ANSWERS).rstrip("\n")


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        ("商品の 返品は\nできますか？", "商品の返品はできますか"),
        ("できますか。", "できますか"),
        ("いつですか？！", "いつですか"),
        ("何か？", "何か？"),  # too short to be looked for without its mark
        ("？", "？"),
        ("Is it?", "Isit?"),
    ],
)
def test_core(question, looked_for):
    assert core(question) == looked_for


@pytest.mark.parametrize("question", [LONG, SHORT])
@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<ul><li>{}</li><li>他</li></ul>", "他"),
        ('<ol><li><a href="#q1">1. {}</a></li><li><a href="#x">2. 他</a></li></ol>', "2. 他"),
        ("<p>{}</p><p>他</p>", "他"),
        ("<p>・{}<br>・他</p>", "・他"),
        ("<h2>他</h2><h4>■ {}</h4>", "他"),
        ("<table><tr><th>{}</th><td>他</td></tr><tr><td>これ<td>それ</table>", " | 他\nこれ | それ"),
        ("<pre>他\n  {}\n これ</pre>", "他\n\n これ"),
        ("<p>「{}」</p><p>他</p>", "他"),
        ("<p>Q{}</p><p>他</p>", "他"),
        ("<p>質問 12 {} …… 34</p><p>他</p>", "他"),
        ("<p><b>Q</b> <a>{}</a> <i>＋</i></p><p>他</p>", "他"),
        ("<select><option>{}<option>他</select>", "他"),
        ("<p>他<br><br>{}</p>", "他"),
    ],
)
def test_a_line_that_is_the_question_alone_leaves_whole(page, text, question):
    assert before(page.format(question)) == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>よく「{}」と聞かれます。</p>", "よくと聞かれます。"),
        ("<p>よく『{}』と聞かれます。</p>", "よくと聞かれます。"),
        ("<p>では、{}　次に。</p>", "では、　次に。"),
        ("<p>では、商品の<b>返品</b>は\nいつまで<i>できますか</i>を見ます。</p>", "では、を見ます。"),
        ("<table><tr><td>{} はい</td></tr></table>", "はい"),
        ("<pre>// {} と聞く\nx = 1</pre>", "//  と聞く\nx = 1"),
        ("<ul><li>{}（二分）</li><li>{}{}</li></ul>", "（二分）"),
        ("<h2>{} の前に</h2>", "の前に"),
        ("<p>よく「商品の返品はいつまでできますか\n<i>？」と</i>聞かれます。</p>", "よくと聞かれます。"),
    ],
)
def test_a_sentence_leaves_from_within_other_text(page, text):
    assert before(page.replace("{}", LONG)) == text


@pytest.mark.parametrize(
    "page",
    [
        "<p>成長が遅いのは寒いから。</p>",
        "<ul><li>「成長が遅い」とき</li></ul>",
        "<h2>成長が遅い場合</h2>",
        "<table><tr><td>成長が遅い木</td></tr></table>",
        "<pre>a = '成長が遅い' # A</pre>",
    ],
)
def test_a_phrase_stays_within_other_text(page):
    assert before(page) == re.sub("<[^>]*>", "", page)


def test_an_answer_that_begins_with_its_question():
    article = read(f"<p>Q. {LONG}</p><p>A. {LONG} 十四日以内なら。</p>")
    assert article.text == "A. 十四日以内なら。"
    assert gold(article) == {LONG: ["十四日以内なら。"]}


def test_an_answer_that_is_its_question():
    article = read(f"<p>Q. {LONG}</p><p>A. {LONG}</p><p>Q. 他は？</p><p>他は？</p><p>他</p>")
    assert article.text == "A.\n\n他"
    assert gold(article) == {LONG: [], "他は？": ["他"]}


def test_questions_within_questions():
    short, long = "送料は何円ですか？", "北海道への送料は何円ですか？"
    article = read(
        f"<ul><li>{long}</li><li>{short}</li></ul><p>Q. {short}</p><p>A. {long}とは別で百円。</p>"
        f"<p>Q. {long}</p><p>A. 二百円。沖縄への送料は何円ですか？</p>"
    )
    assert article.text == "A. とは別で百円。\n\nA. 二百円。沖縄への"
    assert gold(article) == {short: ["とは別で百円。"], long: ["二百円。沖縄への"]}


def test_a_table_of_contents_behind():
    article = read(f'{FAQ}<nav><a href="#q1">{LONG}</a><br><a href="#q2">{SHORT}</a></nav>')
    assert article.text == ANSWERS
    assert article.html.endswith('<nav><a href="#q1"></a><br><a href="#q2"></a></nav></body></html>')


def test_attributes_that_hold_a_question_leave():
    bare = LONG.rstrip("？")
    quoted = "".join(f"%{byte:02X}" for byte in bare.encode())
    page = (
        f'<p><a href="/x#{quoted}" class="toc">目次</a><a href="#{bare}" title="x">一</a><a href="/y">二</a>'
        f'<img alt="「{LONG}」の図" src="z.png"><i data-q="商品の 返品は いつまで できますか">三</i></p>'
        f'<meta itemprop="name" content="{LONG}"><b id="{SHORT}" lang="ja">四</b>'
        f'<h3 id="{bare}">Q. {LONG}</h3><p id="a">答え</p><p>Q. {SHORT}</p>'
    )
    assert read(page).html == (
        '<html><body><p><a class="toc">目次</a><a title="x">一</a><a href="/y">二</a><img src="z.png"><i>三</i></p>'
        '<meta itemprop="name"><b lang="ja">四</b><p id="a">答え</p></body></html>'
    )


def test_other_questions_and_other_text_are_left_alone():
    page = "<p>返品はいつまでできますか</p><p>成長が遅</p><p>商品の返品はいつまで</p>"
    assert before(page) == "返品はいつまでできますか\n\n成長が遅\n\n商品の返品はいつまで"


def test_no_question_no_repeat():
    page = f"<ul><li id='{LONG}'>{LONG}</li></ul><p>{LONG}</p>"
    assert read(page).text == f"{LONG}\n\n{LONG}"
    assert read(page, questions="headings").html == read(page).html
    assert read(page + FAQ, questions="none").text.count(LONG) == 3


@pytest.mark.parametrize("name", ["a.html", "a.md"])
def test_nothing_is_left_of_a_question(name):
    """In the text, the headings, the title, the markup, its attributes, white space aside."""
    page = (
        f"<title>{LONG} | 店</title>\n\n# {LONG}\n\n- [{LONG}](#{strip(LONG)})\n- 他\n\n"
        f"## よくある質問\n\n### {LONG}\n\n「{LONG}」は、十四日以内ならできます。\n\n## {LONG}\n\n終わり。\n"
    )
    if name == "a.html":
        page = (
            f"<title>{LONG} | 店</title><h1>{LONG}</h1><ul><li><a href='#{LONG}'>{LONG}</a></ul><h2>よくある質問</h2>"
            f"<h3>{LONG}</h3><p>「{LONG}」は、十四日以内ならできます。</p><h2>{LONG}</h2><p>終わり。</p>"
        )
    article = read(page, name)
    assert LONG in [question["question"] for question in article.questions]
    attributes = [unquote(v) for e in lxml_html.document_fromstring(article.html).iter() for v in e.attrib.values()]
    left = [article.text, article.title, html.unescape(re.sub("<[^>]*>", "", article.html)), *attributes]
    left += [heading for block in article.blocks for heading in block["headings"]]
    assert [text for text in left if strip(LONG) in strip(text)] == []
    assert "は、十四日以内ならできます。" in article.text


# page, what should be left of it
STATEMENTS = [
    ("<h2>FAQ</h2><h3>RAGとは？</h3><p>RAGとは、検索して答えること。</p>", "FAQ\n\nRAGとは、検索して答えること。"),
    ("<h2>FAQ</h2><h3>アプリとは？</h3><p>Webアプリとは別。</p>", "FAQ\n\nWebアプリとは別。"),
    ("<h3>Q1: 時間がない？</h3><p>時間がないときは。</p>", "時間がないときは。"),
    ("<h3>Q1: Automation必須？</h3><pre>Filter Automation必須\n以上</pre>", "Filter Automation必須\n以上"),
    ("<p>Q. What is Java?</p><p>A. What is JavaScript?</p>", "A. What is JavaScript?"),
    ("<p>Q. What is AI?</p><p>A. We say what AI is. What is AIDS?</p>", "A. We say what AI is. What is AIDS?"),
]


@pytest.mark.parametrize(("page", "text"), STATEMENTS)
def test_a_statement_is_no_question(page, text):
    assert read(page).text == text


def test_an_answer_in_the_same_text_that_begins_with_its_question():
    article = read(f"<p>Q. {LONG}\nA. {LONG} 十四日以内なら。</p>")
    assert gold(article) == {LONG: ["十四日以内なら。"]}
    assert LONG not in article.text


def test_the_title_white_space_aside():
    assert read(f"<title>商品の返品は いつまでできますか？ | 店</title>{FAQ}").title == "a"


def test_a_file_named_by_its_question():
    assert SHORT not in read(f"# {SHORT}\n\n本文", f"{SHORT}.md", "headings").title


@pytest.mark.parametrize("number", ["①", "Ⅳ", "(a)", "ア."])
def test_other_numbers_before_a_question_alone(number):
    assert before(f"<ul><li>{number} {SHORT}</li><li>{number} {LONG}</li><li>他</li></ul>") == "他"
