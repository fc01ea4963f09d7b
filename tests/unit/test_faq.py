"""Questions and answers in an article: which are found, where the answers stand, what leaves."""

import html

import pytest

from chunkgrid.articles import Reading, read_article

# name: page, pairs of (question, texts of its gold spans), the document text that remains
FORMS = {
    "paragraphs": (
        "<p>序</p><p>Q. 何?</p><p>A. はい。</p><p>Q. 他は?</p><p>A. いいえ。</p><h2>次</h2><p>文</p>",
        [("何?", ["はい。"]), ("他は?", ["いいえ。"])],
        "序\n\nA. はい。\n\nA. いいえ。\n\n次\n\n文",
    ),
    "full width": ("<p>Ｑ．何?</p><p>Ａ．はい。</p>", [("何?", ["はい。"])], "Ａ．はい。"),
    "full width colon": ("<p>Q：何?</p><p>A： はい。</p>", [("何?", ["はい。"])], "A： はい。"),
    "numbered": ("<p>Q12. 何?</p><p>A12. はい。</p>", [("何?", ["はい。"])], "A12. はい。"),
    "numbered in full width": ("<p>Ｑ１：何?</p><p>Ａ１：はい。</p>", [("何?", ["はい。"])], "Ａ１：はい。"),
    "words": ("<p>質問：何?</p><p>回答：はい。</p>", [("何?", ["はい。"])], "回答：はい。"),
    "numbered words": ("<p>問1. 何?</p><p>答1. はい。</p>", [("何?", ["はい。"])], "答1. はい。"),
    "nothing between mark and text": ("<p>Q.何?</p><p>A.はい。</p>", [("何?", ["はい。"])], "A.はい。"),
    "a number behind the mark": ("<p>Q. 3とは?</p><p>A. 3です。</p>", [("3とは?", ["3です。"])], "A. 3です。"),
    "an answer without mark": ("<p>Q. 何?</p><p>はい。</p>", [("何?", ["はい。"])], "はい。"),
    "a mark alone": ("<p>Q. 何?</p><p>A.</p><p>はい。</p>", [("何?", ["はい。"])], "A.\n\nはい。"),
    "only the first mark": ("<p>Q. 何?</p><p>A. 一</p><p>A. 二</p>", [("何?", ["一", "A. 二"])], "A. 一\n\nA. 二"),
    "an answer of several kinds": (
        "<p>Q. 何?</p><ul><li>A. 甲</li><li>乙</li></ul><pre>c\n d</pre><table><tr><td>丙</table>",
        [("何?", ["甲\n乙", "c\n d", "丙"])],
        "A. 甲\n乙\n\nc\n d\n\n丙",
    ),
    "headings": (
        "<h2>節</h2><h3>Q1: 何?</h3><p>一</p><ul><li>二</ul><h4>小</h4><p>三</p><h3>Q2: 他は?</h3>四<h3>次</h3>五",
        [("何?", ["一", "二", "小", "三"]), ("他は?", ["四"])],
        "節\n\n一\n\n二\n\n小\n\n三\n\n四\n\n次\n\n五",
    ),
    "a higher heading ends an answer": (
        "<h3>Q1: 何?</h3><p>一</p><h2>次</h2><p>二</p>",
        [("何?", ["一"])],
        "一\n\n次\n\n二",
    ),
    "any heading ends the answer to a paragraph": (
        "<p>Q. 何?</p><p>A. 一</p><h6>次</h6><p>二</p>",
        [("何?", ["一"])],
        "A. 一\n\n次\n\n二",
    ),
    "markup within the question": (
        '<h3><a href="#q"><em>Q1</em>: <code>f(x)</code></a>とは?</h3><p>はい。</p>',
        [("f(x)とは?", ["はい。"])],
        "はい。",
    ),
    "one paragraph": (
        "<p><strong>Q: 何?</strong>\nA: はい。<b>太</b>い。</p><p><b>Q: 他は?</b> A: いいえ。</p>",
        [("何?", ["はい。太い。"]), ("他は?", ["いいえ。"])],
        "A: はい。太い。\n\nA: いいえ。",
    ),
    "one paragraph, then more": (
        "<p><strong>Q: 何?</strong>\nA: はい。</p><ul><li>続き</li></ul>",
        [("何?", ["はい。", "続き"])],
        "A: はい。\n\n続き",
    ),
    "a line break between": ("<p>Q. 何?<br>A. はい。</p>", [("何?", ["はい。"])], "A. はい。"),
    "accordion": (
        "<details><summary>Q. 何?</summary><p>A. はい。</p></details><p>Q. 他は?</p>",
        [("何?", ["はい。"]), ("他は?", [])],
        "A. はい。",
    ),
    "loose text": ("<p>序</p>Q. 何?<div>A. はい。</div>", [("何?", ["はい。"])], "序\n\nA. はい。"),
    "unanswered": (
        "<p>Q. 甲?</p><p>Q. 乙?</p><p>A. はい。</p><h2>節</h2><p>Q. 丙?</p><h2>次</h2><p>A. 別。</p><p>Q. 丁?</p>",
        [("甲?", []), ("乙?", ["はい。"]), ("丙?", []), ("丁?", [])],
        "A. はい。\n\n節\n\n次\n\nA. 別。",
    ),
    "asked twice": (
        "<p>Q. 何?</p><p>A. 一</p><p>Q. 何?</p><p>A. 二</p>",
        [("何?", ["一"]), ("何?", ["二"])],
        "A. 一\n\nA. 二",
    ),
    "one paragraph without markup": ("<p>序</p><p>Q: 何?\nA: はい。</p>", [("何?", ["はい。"])], "序\n\nA: はい。"),
    "several pairs in one paragraph": (
        "<p>Q. 何?<br>A. はい。<br>Q. 他は?<br>A. いいえ。</p>",
        [("何?", ["はい。"]), ("他は?", ["いいえ。"])],
        None,
    ),
}

NO_QUESTIONS = [
    *(
        "Q3決算の説明です。",
        "Q.E.D.",
        "証明の終わりに Q.E.D. と書く。",
        "Q8.8形式で持つ。",
        "Q1.5とは別。",
        "Qは十七番目。",
    ),
    *(
        "Q&A の使い方",
        "QA: 検査",
        "FAQ: 一覧",
        "q. 小文字",
        "質問があれば：窓口へ",
        "A4用紙に印刷。",
        "A. 甲案",
        "Q.",
        "Q1:",
    ),
]


def read(page, name="dir/a.html"):
    return read_article(page.encode(), name, name, Reading(["nav"]))


def pairs(article):
    return [
        (question["question"], [article.text[span["start"] : span["end"]] for span in question["gold"]])
        for question in article.questions
    ]


@pytest.mark.parametrize(("page", "expected", "text"), FORMS.values(), ids=FORMS)
def test_forms(page, expected, text):
    article = read(page)
    assert pairs(article) == expected
    assert text in (None, article.text)
    for question, _ in expected:
        assert question not in article.text
        assert question not in article.title
        assert question not in html.unescape(article.html)
        assert not [block for block in article.blocks if question in "\n".join(block["headings"])]


@pytest.mark.parametrize("text", NO_QUESTIONS)
@pytest.mark.parametrize("tag", ["p", "h3"])
def test_false_positives(text, tag):
    article = read(f"<{tag}>{html.escape(text)}</{tag}><p>文。</p>")
    assert article.questions == []
    assert article.text == f"{text}\n\n文。"


def test_what_follows_a_false_positive_is_no_answer():
    assert pairs(read("<p>Q. 何?</p><p>A. 一</p><h2>Q3決算</h2><p>A. 二</p>")) == [("何?", ["一"])]


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        (
            "<h1>題</h1><h2>節</h2><p>甲</p><h2>Q1: 何?</h2><p>乙</p><p>丙</p><h3>小</h3><p>丁</p>",
            [
                *(("題", None, ["題"]), ("節", None, ["題", "節"]), ("甲", None, ["題", "節"])),
                *(("乙", 2, ["題"]), ("丙", None, ["題"]), ("小", None, ["題", "小"]), ("丁", None, ["題", "小"])),
            ],
        ),
        (
            "<h2>節</h2><h3>小</h3><h3>Q1: 何?</h3><p>甲</p><h2>次</h2><p>乙</p>",
            [
                *(("節", None, ["節"]), ("小", None, ["節", "小"]), ("甲", 3, ["節"])),
                *(("次", None, ["次"]), ("乙", None, ["次"])),
            ],
        ),
        (  # nothing stands between two questions: the higher level counts
            "<h2>節</h2><h2>Q1: 何?</h2><h4>Q2: 他は?</h4><h3>次</h3>",
            [("節", None, ["節"]), ("次", 2, ["次"])],
        ),
        (  # a paragraph ends no section
            "<h2>節</h2><p>Q. 何?</p><p>A. 甲</p>",
            [("節", None, ["節"]), ("A. 甲", None, ["節"])],
        ),
    ],
)
def test_a_heading_that_leaves_ends_the_section(page, rows):
    assert [(block["text"], block["breaks"], block["headings"]) for block in read(page).blocks] == rows


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>頁</title><h1>Q. 何?</h1><p>A. はい。</p>", "頁"),
        ("<title>Q. 何? - 店</title><h1>Q. 何?</h1><p>A. はい。</p>", "a"),
        ("<title>頁</title><h1>題</h1><p>Q. 題?</p><p>A. はい。</p>", "題"),
    ],
)
def test_title_holds_no_question(page, title):
    assert read(page).title == title


def test_html_keeps_everything_but_the_question():
    left = '<div id="a">{}<p class="a">A. は<i>い</i>。</p></div><img src="x.png">{}尾'
    page = left.format('<p class="q">Q. <b>何</b>?</p>', "<h3>Q2: 他は?</h3>")
    assert read(page).html == f"<html><body>{left.format('', '')}</body></html>"


def test_excluded_questions_are_none():
    article = read("<nav><p>Q. 何?</p></nav><p>A. はい。</p>")
    assert (article.questions, article.text) == ([], "A. はい。")


def test_pairs_that_follow_each_other_within_one_line():
    page = "<p><b>Q. 一つ目は何。</b>A. 一つ目の答え。<b>Q. 二つ目は何。</b>A. 二つ目の答え。</p>"
    article = read_article(page.encode(), "a", "a.html")
    gold = [[article.text[span["start"] : span["end"]] for span in q["gold"]] for q in article.questions]
    assert [q["question"] for q in article.questions] == ["一つ目は何。", "二つ目は何。"]
    assert gold == [["一つ目の答え。"], ["二つ目の答え。"]]
    assert article.text == "A. 一つ目の答え。\n\nA. 二つ目の答え。"
