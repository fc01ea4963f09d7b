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
    "a definition list": (
        "<p>序</p><dl><dt>甲ですか？</dt><dd>一</dd><dd>二<ul><li>三</ul></dd><dt>乙</dt><dd>四</dd></dl><p>終</p>",
        [("甲ですか？", ["一", "二", "三"]), ("乙", ["四"])],
        "序\n\n一\n\n二\n\n三\n\n四\n\n終",
    ),
    "a definition list in groups": (
        "<dl><div><dt><b>Q1.</b> 甲とは？</dt><dd><p>A1. 一</p><p>二</p></dd></div>"
        "<div><dt>Q2. 乙</dt><dd>三</dd></div></dl>",
        [("甲とは？", ["一", "二"]), ("乙", ["三"])],
        "A1. 一\n\n二\n\n三",
    ),
    "two terms, one answer": (
        "<dl><dt>甲は何か？</dt><dt>乙は何ですか</dt><dd>一</dd></dl>",
        [("甲は何か？", []), ("乙は何ですか", ["一"])],
        "一",
    ),
    "details": (
        "<details><summary>甲ですか？</summary>一<p>二</p></details><p>三</p><details><summary>詳しく</summary>四</details>",
        [("甲ですか？", ["一", "二"])],
        "一\n\n二\n\n三\n\n詳しく\n\n四",
    ),
    "a heading in the summary": (
        "<h2>節</h2><details><summary><h3>甲ですか？</h3></summary><p>一</p><h4>小</h4><p>二</p></details><p>三</p>",
        [("甲ですか？", ["一", "小", "二"])],
        "節\n\n一\n\n小\n\n二\n\n三",
    ),
    "details in details": (
        "<details><summary>甲ですか？</summary>一<details><summary>乙ですか？</summary>二</details></details>三",
        [("甲ですか？", ["一"]), ("乙ですか？", ["二"])],
        "一\n\n二\n\n三",
    ),
    "details in a definition list in details": (
        "<details><summary>甲ですか？</summary>一<dl><dt>乙ですか？</dt><dd>二<details><summary>丙ですか？</summary>三</details>"
        "</dd></dl></details>四",
        [("甲ですか？", ["一"]), ("乙ですか？", ["二"]), ("丙ですか？", ["三"])],
        "一\n\n二\n\n三\n\n四",
    ),
    "details without an answer": (
        "<details><summary>甲ですか？</summary></details><p>一</p>",
        [("甲ですか？", [])],
        "一",
    ),
    "headings under よくある質問": (
        "<h2>店</h2><h3>何の店か</h3><p>一</p><h2>よくある質問（返品）</h2><h3>返品</h3><h4>できますか？</h4><p>二</p>"
        "<h4>いつまでですか。</h4><p>三</p><ul><li>四</ul><h4>例</h4><h2>次</h2><h3>何の次か</h3><p>五</p>",
        [("できますか？", ["二"]), ("いつまでですか。", ["三", "四"])],
        "店\n\n何の店か\n\n一\n\nよくある質問（返品）\n\n返品\n\n二\n\n三\n\n四\n\n例\n\n次\n\n何の次か\n\n五",
    ),
    "headings that are buttons": (
        "<h1>Q&amp;A</h1><h2><button aria-expanded=false>甲ですか？</button></h2><div><div>一</div><p>二</p></div>",
        [("甲ですか？", ["一", "二"])],
        "Q&A\n\n一\n\n二",
    ),
    "headings that are links to themselves": (
        '<h2>FAQ</h2><h3 id="a"><a href="#a">甲ですか？</a></h3><p>一</p><h3><a href="#b">乙</a></h3><p>二</p>',
        [("甲ですか？", ["一"])],
        "FAQ\n\n一\n\n乙\n\n二",
    ),
    "two FAQs": (
        "<h2>FAQ</h2><h3>甲ですか？</h3><p>一</p><h2>文</h2><p>二</p><h2>一問一答</h2><h3>乙ですか？</h3><p>三</p>",
        [("甲ですか？", ["一"]), ("乙ですか？", ["三"])],
        "FAQ\n\n一\n\n文\n\n二\n\n一問一答\n\n三",
    ),
    "English": (
        "<h2>Frequently asked questions</h2><h3>How do I return an item?</h3><p>By <em>post</em>.</p><h3>Cost</h3>No.",
        [("How do I return an item?", ["By post."])],
        "Frequently asked questions\n\nBy post.\n\nCost\n\nNo.",
    ),
    "ruby, entities and comments": (
        "<h3>Q1: <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字 &amp; &lt;T&gt; は<!-- x -->？</h3><p>一</p>",
        [("漢（かん）字 & <T> は？", ["一"])],
        "一",
    ),
    "line breaks after the marks": (
        "<p>Q1.<br>甲ですか？</p><p>A1.<br>一<br>二</p>",
        [("甲ですか？", ["一\n二"])],
        "A1.\n一\n二",
    ),
    "custom elements": (
        "<x-item><h3 slot=q>Q. 甲？</h3><p>A. 一</p></x-item><x-item>Q. 乙？<br>A. 二</x-item>",
        [("甲？", ["一"]), ("乙？", ["二"])],
        "A. 一\n\nA. 二",
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

# Nothing in them is a question: they are read as where none is looked for.
UNTOUCHED = {
    "a glossary": "<dl><dt>送料</dt><dd>運ぶ値段。</dd><dt>返品</dt><dd>返すこと。</dd></dl>",
    "fewer than half of the terms ask": "<dl><dt>何ですか？</dt><dd>一<dt>乙</dt><dd>二<dt>丙</dt><dd>三</dl>",
    "terms without text": "<dl><dt></dt><dd>一</dd><dd>二</dd></dl>",
    "a table": "<table><tr><th>Q. 返品できますか？</th><td>A. はい。</td></tr></table>",
    "a definition list in a table": "<table><tr><td><dl><dt>返品できますか？</dt><dd>はい</dd></dl></td></tr></table>",
    "a list": "<ul><li>Q. 返品できますか？</li><li>A. はい。</li></ul>",
    "an ordinary list": "<ol><li>返品できますか？</li><li>できるか。</li></ol>",
    "pre": "<pre>Q. 返品できますか？\nA. はい。</pre>",
    "a heading that asks elsewhere": "<h2>返品できますか？</h2><p>はい。</p><h3>なぜですか？</h3><p>からです。</p>",
    "beside the FAQ": "<h2>FAQ</h2><p>なし</p><h2>返品できますか？</h2><p>はい。</p><h3>なぜか</h3><p>から。</p>",
    "a paragraph that asks": "<h2>FAQ</h2><p><strong>返品できますか？</strong></p><p>はい。</p>",
    "a summary that does not": "<h2>FAQ</h2><details><summary>返品について</summary><p>はい。</p></details>",
    "details without a summary": "<details>返品できますか？<p>はい。</p></details>",
    "an answer without a question": "<p>A. 甲案</p><p>回答：乙案</p><h3>A1. 丙案</h3><p>文</p>",
    "quarters": "<h2>Q3決算</h2><p>Q3は増収。</p><p>Q4 2025: 未定</p>",
}


def read(page, name="dir/a.html", questions="faq"):
    return read_article(page.encode(), name, name, Reading(["nav"], questions))


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


@pytest.mark.parametrize("page", UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_is_no_question_stays_as_it_is(page):
    article, whole = read(page), read(page, questions="none")
    assert article.questions == []
    assert (article.text, article.html, article.blocks) == (whole.text, whole.html, whole.blocks)


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


@pytest.mark.parametrize(("page", "expected", "text"), FORMS.values(), ids=FORMS)
def test_where_questions_come_from_a_file_nothing_leaves(page, expected, text):
    article = read(page, questions="none")
    assert article.questions == []
    assert all(question.split("\n")[0] in article.text for question, _ in expected)
    assert not [block for block in article.blocks if block["breaks"]]
    assert article.html.count("<dl>") == page.count("<dl>")


def test_headings_ask_for_their_first_paragraph():
    page = (
        "<h1>題</h1><p>一</p><p>二</p><h2>節</h2><ul><li>三</ul><p>四</p><h2>空</h2><h3>小</h3><pre>五</pre>"
        "<h3>Q1: 何?</h3><p>A. 六</p><p>Q. 七?</p><p>A. 八</p><h2>節</h2><p>九</p><h4>終</h4>"
    )
    article = read(page, questions="headings")
    assert pairs(article) == [("題", ["一"]), ("節", ["四"]), ("何?", ["A. 六"]), ("節", ["九"])]
    assert [(block["text"], block["breaks"], block["headings"]) for block in article.blocks] == [
        *(("一", 1, []), ("二", None, []), ("三", 2, []), ("四", None, [])),
        *(("空", None, ["空"]), ("小", None, ["空", "小"]), ("五", None, ["空", "小"])),
        *(("A. 六", 3, ["空"]), ("Q. 七?", None, ["空"]), ("A. 八", None, ["空"]), ("九", 2, []), ("終", None, ["終"])),
    ]
    assert article.title == "a"


def test_headings_leave_as_questions_do():
    page = (
        '<title>送料の表</title><ul><li><a href="#送料の表">1. 送料の表</a></li></ul><h1 id="送料の表">送料の表</h1>'
        "<p>送料の表によれば。</p><h2>商品を返品する方法と期限</h2><p>商品を返品する方法と期限は次の通り。</p>"
    )
    article = read(page, questions="headings")
    assert article.text == "送料の表によれば。\n\nは次の通り。"
    assert pairs(article) == [("送料の表", ["送料の表によれば。"]), ("商品を返品する方法と期限", ["は次の通り。"])]
    assert article.title == "a"
    assert article.html == (
        "<html><body><ul><li><a></a></li></ul><p>送料の表によれば。</p><p>は次の通り。</p></body></html>"
    )


def test_a_table_of_contents_counts_once():
    toc = '<p><a href="#a">Q1. 甲？</a></p><p><a href="#b">Q2. 乙？</a></p><p>序文</p>'
    article = read(toc + '<h3 id="a">Q1. 甲？</h3><p>一</p><h3 id="b">Q2. 乙？</h3><p>二</p>')
    assert pairs(article) == [("甲？", ["一"]), ("乙？", ["二"])]
    assert article.text == "序文\n\n一\n\n二"


def test_a_table_of_contents_without_links_or_behind_counts_once():
    faq = "<h3>Q1. 甲？</h3><p>一</p><h3>Q2. 乙？</h3><p>二</p><h2>目次</h2>"
    article = read(f"<p>Q1. 甲？</p><p>Q2. 乙？</p>{faq}<p>Q1. 甲？</p><p>Q2. 乙？</p>")
    assert pairs(article) == [("甲？", ["一"]), ("乙？", ["二"])]
    assert article.text == "一\n\n二\n\n目次"


def test_a_question_asked_nowhere_else_stays_unanswered():
    assert pairs(read('<p><a href="#a">Q1. 甲？</a></p><h2>節</h2>')) == [("甲？", [])]


def test_a_heading_that_is_only_a_mark():
    article = read("<h3>Q1.</h3><p>返品できますか？</p>", questions="headings")
    assert article.text.endswith("返品できますか？")


# The same for pages that were met with.
FURTHER = {
    "a blank paragraph between": (
        "<p>Q. 何?</p><p>&nbsp;</p><p>A. はい。</p><p>\u3000</p><p>続き</p>",
        [("何?", ["はい。", "続き"])],
        "A. はい。\n\n続き",
    ),
    "a blank before the mark": (
        "<p>\u3000Q. 何?</p><p>\u3000A. はい。</p><p>&nbsp;Q. 他は?</p><p>&nbsp;A. いいえ。</p>",
        [("何?", ["はい。"]), ("他は?", ["いいえ。"])],
        None,
    ),
    "an answer behind a line break": (
        "<p><strong>Q. 返品できますか？</strong><br>はい、できます。</p><p>続き</p>",
        [("返品できますか？", ["はい、できます。", "続き"])],
        "はい、できます。\n\n続き",
    ),
    "Q in a block of its own, in a term": (
        "<dl><dt><div>Q</div><div>返品できますか？</div></dt><dd><div>A</div><p>はい。</p></dd></dl>",
        [("返品できますか？", ["はい。"])],
        "A\n\nはい。",
    ),
    "Q. in a block of its own, in a summary": (
        "<details><summary><div>Q.</div><div>返品できますか？</div></summary><p>はい。</p></details>",
        [("返品できますか？", ["はい。"])],
        "はい。",
    ),
    "Q in an element of its own": (
        "<h2>FAQ</h2><h3><span>Q</span>返品できますか？</h3><p>はい。</p>",
        [("返品できますか？", ["はい。"])],
        "FAQ\n\nはい。",
    ),
    "a heading with a link to itself behind": (
        '<h2>FAQ</h2><h3>返品できますか？<a class="anchor" href="#a">¶</a></h3><p>はい。</p>',
        [("返品できますか？", ["はい。"])],
        "FAQ\n\nはい。",
    ),
    "details in a glossary": (
        "<dl><dt>語</dt><dd>意味<details><summary>返品できますか？</summary>はい</details></dd></dl>",
        [],
        "語\n意味 返品できますか？ はい",
    ),
    "a definition list in a glossary": (
        "<dl><dt>語</dt><dd>意味</dd><dt>語</dt><dd><dl><dt>返品できますか？</dt><dd>はい</dd></dl></dd></dl>",
        [],
        "語\n意味\n語\n返品できますか？\nはい",
    ),
    "pre in a summary": ("<details><summary><pre>何ですか？</pre></summary>はい</details>", [], "何ですか？\n\nはい"),
    "a heading elsewhere that is the question": (
        "<h3>Q1: 返品できますか？</h3><p>一</p><h2>返品できますか？</h2><p>二</p>",
        [("返品できますか？", ["一"])],
        "一\n\n二",
    ),
    "links to themselves, and a table of contents": (
        '<p><a href="#a">Q1. 甲？</a></p><h3 id="a"><a href="#a">Q1. 甲？</a></h3><p>一</p>',
        [("甲？", ["一"])],
        "一",
    ),
    "loose text right behind a heading": (
        "<h3>Q1: 甲？</h3>Q2: 乙？<p>A2: 一</p>",
        [("甲？", []), ("乙？", ["一"])],
        "A2: 一",
    ),
    "a list in a list in a heading": (
        "<h3>題<ul><li>甲<ul><li>乙</li></ul>Q. 丙？</li></ul></h3><p>一</p>",
        [],
        "題 甲 乙 Q. 丙？\n\n一",
    ),
    "squids": (
        "<dl><dt>するめいか</dt><dd>一</dd><dt>あおりいか</dt><dd>二</dd></dl>",
        [],
        "するめいか\n一\nあおりいか\n二",
    ),
}


@pytest.mark.parametrize(("page", "expected", "text"), FURTHER.values(), ids=FURTHER)
def test_further_forms(page, expected, text):
    test_forms(page, expected, text)


def test_a_heading_that_leaves_as_a_repeat_ends_the_section():
    page = "<h2>節</h2><h3>小</h3><p>一</p><h2>甲ですか？</h2><ul><li>二</ul><h2>FAQ</h2><h3>甲ですか？</h3><p>三</p>"
    (_, _, _, block, *_) = read(page).blocks
    assert (block["text"], block["breaks"], block["headings"]) == ("二", 2, [])
