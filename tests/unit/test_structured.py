"""What pages declare for search engines: which questions, where their answers stand, what leaves."""

import json

import pytest
from lxml import html as lxml_html

from chunkgrid.articles import Reading, read_article
from chunkgrid.structured import from_json_ld, from_microdata

Q, A = "商品の返品はいつまでできますか？", "到着から十四日以内なら、会員画面から申し込めます。"


def read(page, selectors=()):
    return read_article(page.encode("utf-8"), "a", "a.html", Reading(selectors))


def pairs(article):
    return [(q["question"], [article.text[s["start"] : s["end"]] for s in q["gold"]]) for q in article.questions]


def entry(name=Q, text=A, **other):
    return {"@type": "Question", "name": name, "acceptedAnswer": {"@type": "Answer", "text": text}, **other}


def script(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f'<script type="application/ld+json">{text}</script>'


def page(body, *entries):
    head = script({"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": list(entries) or [entry()]})
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"@type": "FAQPage", "mainEntity": [entry(), entry("甲？", "一")]}, [(Q, A), ("甲？", "一")]),
        ({"@type": "FAQPage", "mainEntity": entry()}, [(Q, A)]),
        ({"@context": "x", "@graph": [{"@type": "WebPage"}, {"@type": "FAQPage", "mainEntity": [entry()]}]}, [(Q, A)]),
        ([[{"a": {"b": [entry()]}}]], [(Q, A)]),
        ({**entry(), "@type": ["Thing", "Question"], "acceptedAnswer": [{"text": A}, {"text": "他"}]}, [(Q, A)]),
        (
            entry("<b>甲</b>&amp;&lt;乙&gt;？", "<p>一<br>二</p><ul><li>三 &lt; 四</li></ul>"),
            [("甲&<乙>？", "一二三 < 四")],
        ),
        (entry("か\u3099？\u200b", "は\u00adい\u0007"), [("が？", "はい")]),
        (entry("甲？", "a < b & c"), [("甲？", "a < b & c")]),
        (entry("甲？", '<?xml version="1.0" encoding="x"?>一'), [("甲？", "一")]),
        (entry("甲？", ""), [("甲？", "")]),
        (entry("甲？", None), [("甲？", "")]),
        ({"@type": "Question", "name": "甲？"}, [("甲？", "")]),
        ({"@type": "Question", "name": "甲？", "acceptedAnswer": "一"}, [("甲？", "")]),
        ({"@type": "Question", "name": "甲？", "acceptedAnswer": [[], 1, None]}, [("甲？", "")]),
        ([{"@type": "Question", "name": name} for name in ("", " ", None, 5, ["甲"], {})], []),
        ([{"@type": {"@id": "Question"}, "name": "甲"}, {"name": "乙"}, None, 1, True, "Question"], []),
        ("", []),
        ("{", []),
        ('{"@type":"Question","name":"甲",}', []),
        ("[" * 100_000, []),
        ("9" * 10_000, []),
        ("[NaN, 1e999, -0]", []),
        ('{"@id":"#a","mainEntity":{"@id":"#a","mainEntity":{"@id":"#a"}}}', []),
        (
            '{"@type":"Question","name":"甲\\ud800？","acceptedAnswer":{"text":"<b>\\udfff</b>"}}',
            [("甲\ufffd？", "\ufffd")],
        ),
    ],
)
def test_json_ld(value, found):
    assert list(from_json_ld([value if isinstance(value, str) else json.dumps(value)])) == found


def test_one_broken_script_does_not_hide_the_others():
    assert list(from_json_ld(["{", json.dumps(entry()), "]"])) == [(Q, A)]


def test_an_answer_nested_deep():
    deep = "<div>" * 5000 + A + "</div>" * 5000
    assert pairs(read(page(f"<h3>{Q}</h3><p>{A}</p><p>他</p>", entry(text=deep)))) in (
        [(Q, [A])],
        [(Q, [A, "他"])],  # the parser may give up on it; then what follows is the answer
    )


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        (
            "<h3 itemprop=name>甲？</h3><div itemprop=acceptedAnswer><p itemprop=text>一<b>二</b></p></div>",
            ("甲？", "一二"),
        ),
        (
            '<meta itemprop=name content="甲？"><p itemprop="x acceptedAnswer"><meta itemprop=text content="一"></p>',
            ("甲？", "一"),
        ),
        (
            "<b itemprop='name headline'>甲？</b><i itemprop=text>問い</i><p itemprop=suggestedAnswer>二</p>",
            ("甲？", ""),
        ),
        ("<b itemprop=name> </b>", None),
        ("<b itemprop=named>甲？</b>", None),
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_microdata(markup, found, scheme):
    item = f'<div itemscope itemtype="{scheme}://schema.org/Question">{markup}</div>'
    body = lxml_html.document_fromstring(f"<body>{item}</body>").find("body")
    assert [(name, text) for name, text, _ in from_microdata(body)] == ([found] if found else [])
    assert [scope.get("itemtype")[-8:] for _, _, scope in from_microdata(body)] == ["Question"] * bool(found)


SHOWN = ["<h3>{}</h3>", "<p>{}</p>", "<div><button>{}</button></div>", "<h3><button>{}</button></h3>"]
SHOWN += ["<input type=checkbox id=a><label for=a>{}</label>", "<figure><figcaption>{}</figcaption></figure>"]
SHOWN += ["<h2>1. {}</h2>", "<ul><li>{}</li></ul>", "<table><tr><td>{}<td></table>", "<b>{}</b><br>", "<pre>{}</pre>"]
SHOWN += ["<p>Q. {}</p>", '<a href="#" class="toggle">{}</a><div></div>']


@pytest.mark.parametrize("shown", SHOWN)
def test_a_declared_question_leaves_whatever_shows_it(shown):
    article = read(
        page(f"<p>序</p>{shown.format(f'<span>{Q[:5]}</span> {Q[5:]}')}<p>{A[:9]}<i>{A[9:]}</i></p><p>終</p>")
    )
    assert pairs(article) == [(Q if article.questions[0]["question"] == Q else f"{Q[:5]} {Q[5:]}", [A])]
    assert "".join(article.text.split()).replace("|", "") == f"序{A}終"
    assert "返品は" not in article.html


def test_the_declared_answer_is_the_gold_where_it_stands():
    body = f"<h3>{Q}</h3><p>前。{A[:10]}</p><ul><li>{A[10:15]}</li><li> {A[15:]}</li></ul><p>終</p>"
    article = read(page(body))
    assert pairs(article) == [(Q, [A[:10], f"{A[10:15]}\n{A[15:]}"])]
    assert article.text == f"前。{A[:10]}\n\n{A[10:15]}\n{A[15:]}\n\n終"


def test_a_declared_answer_that_is_worded_otherwise():
    assert pairs(read(page(f"<h3>{Q}</h3><p>十四日。</p><p>以上。</p><h2>次</h2><p>{A[1:]}</p>"))) == [
        (Q, ["十四日。", "以上。"])
    ]


def test_a_declared_question_that_nothing_shows():
    elsewhere = page(f"<h2>返品</h2><p>文。{A}</p>")
    assert pairs(read(elsewhere)) == [(Q, [A])]
    nowhere = page("<h2>返品</h2><p>文。</p>")
    assert pairs(read(nowhere)) == [(Q, [])]
    assert read(nowhere).text == "返品\n\n文。"


def test_answers_of_the_declared_order():
    entries = [entry("甲は何か？", "一です。"), entry("乙は何か？", "二です。"), entry("丙は何か？", "三です。")]
    body = "<ul><li>乙は何か？</li><li>二です。</li><li>甲は何か？</li><li>一です。</li></ul>"
    assert pairs(read(page(body, *entries))) == [
        ("甲は何か？", ["一です。"]),
        ("乙は何か？", ["二です。"]),
        ("丙は何か？", []),
    ]


def test_a_declared_question_in_a_table_of_contents_counts_once():
    for toc in (
        f'<a href="#q">{Q}</a>',
        f'<ul><li><a href="#q">{Q}</a></li></ul>',
        f'<p><a href="#q">{Q}</a></p><p>序</p>',
    ):
        article = read(page(f'{toc}<h3 id="q">{Q}</h3><p>{A}</p><p>終</p>'))
        assert pairs(article) == [(Q, [A])]
        assert Q not in article.text


def test_what_is_declared_twice_counts_once():
    item = f'<div itemscope itemtype="https://schema.org/Question"><h3 itemprop="name">{Q}</h3>'
    item += f'<div itemprop="acceptedAnswer"><p itemprop="text">{A}</p></div></div><p>終</p>'
    assert pairs(read(page(item, entry(), entry(Q.replace("？", "?"), "他")))) == [(Q, [A])]


def test_answers_in_microdata_do_not_reach_out_of_their_item():
    item = '<div itemscope itemtype="https://schema.org/Question"><h3 itemprop="name">{}</h3><p>{}</p></div><p>間</p>'
    article = read("<h1>店</h1>" + item.format("Q. 甲は何か", "一") + item.format("乙は何か", "二<br>三"))
    assert pairs(article) == [("甲は何か", ["一"]), ("乙は何か", ["二\n三"])]
    assert article.text == "店\n\n一\n\n間\n\n二\n三\n\n間"


def test_microdata_that_nobody_sees_leaves():
    item = '<div itemscope itemtype="https://schema.org/Question"><meta itemprop="name" content="{0}"><h4>{0}</h4>'
    article = read(item.format(Q) + f'<p itemprop="acceptedAnswer"><b itemprop="text">{A}</b>他</p></div>')
    assert pairs(article) == [(Q, [A])]
    assert "返品は" not in article.html


def test_excluded_questions_stay_declared_without_an_answer():
    article = read(page(f"<nav><h3>{Q}</h3><p>{A}</p></nav><p>文</p>"), ["nav"])
    assert (pairs(article), article.text) == ([(Q, [])], "文")


def test_where_questions_come_from_elsewhere_declarations_say_nothing():
    body = page(f"<h3>{Q}</h3><p>{A}</p><ul><li>{Q}</li></ul>")
    assert pairs(read_article(body.encode(), "a", "a.html", Reading([], "headings"))) == [(Q, [A])]
    kept = read_article(body.encode(), "a", "a.html", Reading([], "none"))
    assert (kept.questions, kept.text) == ([], f"{Q}\n\n{A}\n\n{Q}")


def test_nothing_is_put_before_a_declared_term_that_stays():
    listed = f"<dl><dt>{Q}</dt><dd>一</dd><dt>甲</dt><dd>二</dd><dt>乙</dt><dd>三</dd></dl>"
    assert "Q. " not in read(page(f"<pre>x</pre><details><summary><pre>{Q}</pre></summary>{A}</details>{listed}")).html


def asked(number):
    """A page's questions and answers, as many as that."""
    pairs = [
        (f"商品{n}の返品はいつまで受け付けていますか？", f"{n}番は到着から十四日です。送料は当社。" * 3)
        for n in range(number)
    ]
    return pairs, [entry(question, answer) for question, answer in pairs]


@pytest.mark.parametrize("form", ["<h3>{0}</h3><p>{1}</p>", "<details><summary>{0}</summary>{1}</details>"])
def test_three_hundred_questions(form):
    faq, entries = asked(300)
    toc = "".join(f'<li><a href="#q{n}">{question}</a></li>' for n, (question, _) in enumerate(faq))
    article = read(page(f"<ul>{toc}</ul>" + "".join(form.format(*pair) for pair in faq), *entries))
    assert pairs(article) == [(question, [answer]) for question, answer in faq]
    assert article.text == "\n\n".join(answer for _, answer in faq)


def test_three_hundred_questions_in_a_list():
    faq, entries = asked(300)
    body = "".join(f"<li><button>{question}</button><div>{answer}</div></li>" for question, answer in faq)
    article = read(page(f"<ul>{body}</ul>", *entries))
    assert pairs(article) == [(question, [answer]) for question, answer in faq]


def test_a_list_of_questions_in_paragraphs_does_not_take_the_declared_answer():
    article = read(
        page(f"<p>{Q}</p><p>甲は何か？</p><h3>{Q}</h3><p>{A}</p><p>終</p>", entry(), entry("甲は何か？", ""))
    )
    assert (Q, [A]) in pairs(article)


@pytest.mark.parametrize("shown", ["<details><summary>{}</summary></details>", "<dl><dt>{}</dt></dl>"])
def test_a_declared_answer_elsewhere(shown):
    assert pairs(read(page(f"{shown.format(Q)}<h2>次</h2><p>{A}</p>"))) == [(Q, [A])]


def test_a_declared_answer_that_repeats_its_question():
    assert pairs(read(page(f"<ul><li>{Q}</li><li>{Q}{A}</li></ul>", entry(text=Q + A)))) == [(Q, [A])]


@pytest.mark.parametrize("declared", [entry(text=f"A. {A}"), entry(text=f"回答：{A}")])
def test_a_declared_answer_with_its_mark(declared):
    answer = declared["acceptedAnswer"]["text"]
    assert pairs(read(page(f"<h3>{Q}</h3><p>{answer}</p><p>終</p>", declared))) == [(Q, [A])]


def test_json_ld_with_line_breaks_in_strings():
    assert list(from_json_ld(['{"@type":"Question","name":"甲？","acceptedAnswer":{"text":"一\n\t二"}}'])) == [
        ("甲？", "一\n\t二")
    ]
