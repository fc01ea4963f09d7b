"""Pages to blocks: worked by hand, and any tree of tags and words."""

import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.articles import Reading, read_article
from chunkgrid.blocks import KINDS, read_blocks
from chunkgrid.errors import InputError
from chunkgrid.html import parse
from chunkgrid.text import strip

PAGES = {
    "headings and paragraphs": (
        "<h1>題</h1><p>前 <b>太</b>字。</p><h6>小</h6><blockquote>引用</blockquote>",
        [("h1", "題"), ("paragraph", "前 太字。"), ("h6", "小"), ("paragraph", "引用")],
    ),
    "a heading over several elements": (
        "<h2><span>一</span><br><a>二</a></h2><h3><div>三</div><div>四</div></h3>",
        [("h2", "一\n二"), ("h3", "三 四")],
    ),
    "loose text": (
        "頭<p>中</p>間<div>甲<p>乙</p>丙</div>尾",
        [("paragraph", word) for word in ("頭", "中", "間", "甲", "乙", "丙", "尾")],
    ),
    "line breaks": ("<p>一<br>二 <br/>\n<br>三</p>", [("paragraph", "一\n二\n三")]),
    "blank elements leave nothing": (
        "<p> </p><h2></h2><ul><li> </li></ul><pre>\n</pre><table></table>甲",
        [("paragraph", "甲")],
    ),
    "verbatim pre": (
        "<pre>\n\n  a\t= 1\n\n<b>b</b> &lt; 2 \n</pre>",
        [("pre", "\n  a\t= 1\n\nb < 2 ")],
    ),
    "pre with br and highlighting": (
        '<pre><code><span class="k">def</span> <span>f</span>():<br>    <span>return</span> 1</code></pre>',
        [("pre", "def f():\n    return 1")],
    ),
    "a flat list": ("<ul><li>甲</li><li>乙<br>丙</li><li><p>丁</p><p>戊</p></li></ul>", [("list", "甲\n乙 丙\n丁 戊")]),
    "nested lists": (
        "<ul><li>甲<ol><li>子<ul><li>孫</li></ul>後</li></ol></li><li>乙</li></ul>",
        [("list", "甲\n子\n孫\n後\n乙")],
    ),
    "two lists": ("<ul><li>甲</li></ul><ul><li>乙</li></ul>", [("list", "甲"), ("list", "乙")]),
    "a list of definitions": ("<dl><dt>語<dd>一<dd>二<dt>句<dd>三</dl>", [("list", "語\n一\n二\n句\n三")]),
    "a heading inside a list": (
        "<ol><li>甲</li><li><h3>見出し</h3>乙</li><li>丙</li></ol>",
        [("list", "甲"), ("h3", "見出し"), ("list", "乙\n丙")],
    ),
    "pre and table inside a list": (
        "<ul><li>甲<pre>x\n y</pre>乙</li><li><table><tr><td>丙</table></li></ul>",
        [("list", "甲"), ("pre", "x\n y"), ("list", "乙"), ("table", "丙")],
    ),
    "caption, thead, tfoot": (
        "<table><caption>題</caption><thead><tr><th>月<th>数</thead><tfoot><tr><td>計<td>3</tfoot>"
        "<tbody><tr><td>一月<td>3</tbody></table>",
        [("table", "題\n月 | 数\n計 | 3\n一月 | 3")],
    ),
    "rowspan and colspan": (
        "<table><tr><td rowspan=2>北<td>札幌<td>10<tr><td>旭川<td>4<tr><td colspan=2>計<td>14</table>",
        [("table", "北 | 札幌 | 10\n | 旭川 | 4\n計 |  | 14")],
    ),
    "rowspan and colspan in one cell, and at the end": (
        "<table><tr><td rowspan=2 colspan=2>甲<td>a<td rowspan=2>z<tr><td>b<tr><td>c<td>d<td>e<td>f</table>",
        [("table", "甲 |  | a | z\n |  | b | \nc | d | e | f")],
    ),
    "nonsense spans": ("<table><tr><td rowspan=x>a<td colspan=-2>b<tr><td>c<td>d</table>", [("table", "a | b\nc | d")]),
    "empty cells stay, empty rows do not": (
        "<table><tr><td><td>a<td></tr><tr><td> <td></tr><tr><td>b</table>",
        [("table", " | a | \nb")],
    ),
    "a table in a cell": (
        "<table><tr><td>左<table><tr><td>一<td>二</tr><tr><td>三</table><td>右</table>後",
        [("table", "左 一 二 三 | 右"), ("paragraph", "後")],
    ),
    "blocks in a cell": (
        "<table><tr><td>a<br>b<td><p>c</p><p>d</p><td><ul><li>e<li>f</ul></table>",
        [("table", "a b | c d | e f")],
    ),
    "custom element with bare text": ("前<x-card>中</x-card>後", [("paragraph", "前中後")]),
    "custom element alone": (
        "<p>前</p><x-card>中</x-card><p>後</p>",
        [("paragraph", "前"), ("component", "中"), ("paragraph", "後")],
    ),
    "custom element with blocks": (
        "前<x-card><h3>題</h3><p>文</p>裸<ul><li>項</ul></x-card>後",
        [
            ("paragraph", "前"),
            ("h3", "題"),
            ("component", "文"),
            ("component", "裸"),
            ("list", "項"),
            ("paragraph", "後"),
        ],
    ),
    "custom element within a sentence": ("<p>前 <x-tip>中</x-tip> 後</p>", [("paragraph", "前 中 後")]),
    "what no browser shows": (
        "<p>甲</p><script>x</script><style>x</style><template>x</template><p hidden>x</p><!-- x -->乙",
        [("paragraph", "甲"), ("paragraph", "乙")],
    ),
    "a span never reaches over a group of rows": (
        "<table><thead><tr><th rowspan=2>a<th>b</thead><tbody><tr><td>c<td>d</tbody></table>",
        [("table", "a | b\nc | d")],
    ),
    "a span reaches over a row without cells": (
        "<table><tr><td rowspan=2>a<td>b</tr><tr></tr><tr><td>c<td>d</table>",
        [("table", "a | b\nc | d")],
    ),
    "lines of a pre that are elements": ("<pre><div>a</div><div>b</div></pre>", [("pre", "a\nb")]),
}


@pytest.mark.parametrize(("page", "expected"), PAGES.values(), ids=PAGES)
def test_blocks(page, expected):
    assert [(block.kind, block.text) for block in read_blocks(parse(page)[0])] == expected


@pytest.mark.parametrize(
    ("page", "header"),
    [
        ("<table><thead><tr><td>a<td>b</thead><tr><td>c<td>d</table>", "a | b"),
        ("<table><caption>題</caption><tr><th>a<th>b<tr><td>c<td>d</table>", "a | b"),
        ("<table><tr><th>a<td>b<tr><th>c<td>d</table>", None),
        ("<table><tr><td>a<td>b<tr><th>c<th>d</table>", None),
        ("<table><thead><tr><th>a<tr><th>b</thead><tr><td>c</table>", "a"),
        ("<p>a</p>", None),
    ],
)
def test_header_row(page, header):
    (block,) = read_blocks(parse(page)[0])
    assert block.header == header


def test_text_between_the_cells_of_a_row_is_kept():
    (block,) = read_blocks(parse("<table><tr>緩<td>a</td>間<td>b</td></tr></table>")[0])
    assert sorted(strip(block.text).replace("|", "")) == sorted("緩a間b")


def test_title_and_heading_paths():
    page = "<title>頁</title><h1>題</h1><h3>三</h3><p>甲</p><h2>二</h2><p>乙</p><h1>他</h1><p>丙</p>"
    article = read_article(page.encode(), "a/b.html", "b.html")
    assert article.title == "題"
    assert [block["headings"] for block in article.blocks] == [
        *(["題"], ["題", "三"], ["題", "三"]),
        *(["題", "二"], ["題", "二"], ["他"], ["他"]),
    ]
    assert [block["block"] for block in article.blocks] == list(range(7))
    assert {block["breaks"] for block in article.blocks} == {None}


@pytest.mark.parametrize(
    ("page", "title"), [("<title> 頁\n名 </title>甲", "頁 名"), ("甲", "b"), ("<h2>節</h2>甲", "b")]
)
def test_title_without_h1(page, title):
    assert read_article(page.encode(), "a/b.html", "b.html").title == title


def test_excluded_elements_leave_and_what_follows_them_stays():
    page = "<nav>x</nav>甲<aside class='sources'>x</aside>乙<aside>丙</aside><pre class='a mermaid'>x</pre>丁"
    article = read_article(page.encode(), "a", "a", Reading(["nav", "aside.sources", ".mermaid", "body"]))
    assert article.text == "甲乙\n\n丙\n\n丁"
    assert article.html == "<html><body>甲乙<aside>丙</aside>丁</body></html>"


@pytest.mark.parametrize(
    ("page", "selector", "says"),
    [
        ("", "nav", "holds no text"),
        ("<nav>x</nav>", "nav", "no text besides 1 characters excluded"),
    ],
)
def test_unreadable(page, selector, says):
    with pytest.raises(InputError, match=says):
        read_article(page.encode(), "a", "a", Reading([selector]))


# Words stand in brackets, so that words that run together are still told apart. None stands directly in a
# `tr`, where HTML allows none: see test_text_between_the_cells_of_a_row_is_kept.
WORD = None
TAGS = (
    *(
        "a",
        "article",
        "b",
        "blockquote",
        "center",
        "details",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "figure",
        "h1",
        "h2",
        "h3",
    ),
    *("h4", "h5", "h6", "li", "main", "ol", "p", "pre", "section", "span", "summary", "ul", "x-card"),
)


def _element(tags, children):
    return st.tuples(tags, st.lists(children, max_size=4))


def _nodes(children):
    cells = st.lists(_element(st.sampled_from(["td", "th"]), children), max_size=3)
    rows = st.lists(st.tuples(st.just("tr"), cells), min_size=1, max_size=3)
    parts = st.one_of(rows, rows.map(lambda group: [("tbody", group)]))
    caption = st.lists(_element(st.just("caption"), st.just(WORD)), max_size=1)
    table = st.tuples(st.just("table"), st.tuples(caption, parts).map(lambda both: both[0] + both[1]))
    return _element(st.sampled_from(TAGS), children) | table | st.just(("br", []))


TREES = st.lists(st.recursive(st.just(WORD), _nodes, max_leaves=30), min_size=1, max_size=5)


def _page(node, numbers):
    if node is WORD:
        return f"〔{next(numbers)}〕"
    tag, children = node
    inner = "".join(_page(child, numbers) for child in children)
    return "<br>" if tag == "br" else f"<{tag}>{inner}</{tag}>"


@given(TREES)
@settings(max_examples=300, deadline=None)
def test_every_word_is_in_one_block_and_in_order(trees):
    numbers = count()
    page = "".join(_page(tree, numbers) for tree in [WORD, *trees])
    words = "".join(f"〔{number}〕" for number in range(next(numbers)))
    article = read_article(page.encode(), "a.html", "a.html")
    assert re.sub(r"[\s|]", "", article.text) == words
    assert re.sub(r"<[^>]*>|\s", "", article.html) == words
    assert "\n\n".join(block["text"] for block in article.blocks) == article.text
    assert [article.text[block["start"] : block["end"]] for block in article.blocks] == [
        block["text"] for block in article.blocks
    ]
    assert all(block["text"].strip() and block["kind"] in KINDS for block in article.blocks)
