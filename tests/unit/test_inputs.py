"""Markdown, plain text and exports become the same blocks as HTML."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkgrid import articles
from chunkgrid.articles import Reading, read_article, read_batch, read_file
from chunkgrid.batching import batch_of
from chunkgrid.errors import InputError
from chunkgrid.kinds import kind_of
from chunkgrid.tree import text_of

MARKDOWN = """---
title: 送料の表
tags: [a, 二]
date: 2026-01-02
---
# 送料

本文は **太字** と `code` です。
次の行。

| 地域 | 円 |
| --- | --- |
| 北 | 800 |

```python
x  = 1
```

- 一
  - 二

## よくある質問

### Q1: 返品できますか。

できます。到着から十四日以内に、会員画面から申し込んでください。送料は当社が負担します。

<aside class="sources">出典</aside>
"""


def blocks(article):
    return [(block["kind"], block["text"]) for block in article.blocks]


def articles_of(data: bytes, source: str):
    return list(read_file(data, source, source, Reading(["aside.sources"])))


def test_markdown_with_front_matter() -> None:
    article = read_article(MARKDOWN.encode(), "a.md", "a.md", Reading(["aside.sources"]))
    answer = "できます。到着から十四日以内に、会員画面から申し込んでください。送料は当社が負担します。"
    assert blocks(article) == [
        ("h1", "送料"),
        ("paragraph", "本文は 太字 と code です。 次の行。"),
        ("table", "地域 | 円\n北 | 800"),
        ("pre", "x  = 1"),
        ("list", "一\n二"),
        ("h2", "よくある質問"),
        ("paragraph", answer),
    ]
    assert article.blocks[2]["header"] == "地域 | 円"
    assert json.loads(article.metadata) == {"title": "送料の表", "tags": ["a", "二"], "date": "2026-01-02"}
    assert [question["question"] for question in article.questions] == ["返品できますか。"]
    assert article.blocks[-1]["breaks"] == 3
    assert article.excluded == 2


def test_the_title_of_front_matter_stands_in_for_a_missing_h1() -> None:
    assert read_article(b"---\ntitle: T\n---\ntext", "a.md", "a.md").title == "T"
    assert read_article(b"---\ntitle: T\n---\n# H\n\ntext", "a.md", "a.md").title == "H"


@pytest.mark.parametrize("text", ["---\n: [\n---\n本文", "---\nただの文\n---\n本文"])
def test_what_is_no_front_matter_stays_and_is_warned_of(text: str) -> None:
    article = read_article(text.encode(), "a.md", "a.md")
    assert "本文" in article.text
    assert text.split("\n")[1] in article.text
    assert article.warnings == ["begins with '---' but not with front matter; read as text"]


def test_plain_text_keeps_lines_and_markup_that_it_shows() -> None:
    article = read_article("一行目 <b>\r\n二行目\r\n \r\n次の段落 & 終\n".encode(), "a.txt", "a.txt")
    assert blocks(article) == [("paragraph", "一行目 <b>\n二行目"), ("paragraph", "次の段落 & 終")]
    assert article.title == "a"


ROWS = [
    {"id": "x/1", "title": "題一", "html": "<p>本文一</p>", "markdown": None, "text": None},
    {"id": "2", "title": None, "html": None, "markdown": "# 見出し\n\n本文二", "text": None},
    {"id": "3", "title": "題三", "html": " ", "markdown": None, "text": "本文三\n続き"},
]


def as_jsonl(rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def as_csv(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def as_parquet(rows):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


NEEDS = "needs the columns id and one of html, markdown or text"
EXPORTS = {"a.jsonl": as_jsonl, "a.csv": as_csv, "a.parquet": as_parquet}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_has_a_row_an_article(name: str) -> None:
    found = articles_of(EXPORTS[name](ROWS), name)
    assert [(a.doc_id, a.title, a.text, a.error) for a in found] == [
        ("x/1", "題一", "本文一", None),
        ("2", "見出し", "見出し\n\n本文二", None),
        ("3", "題三", "本文三\n続き", None),
    ]


@pytest.mark.parametrize("name", EXPORTS)
def test_rows_without_id_or_content_are_named_and_the_others_read(name: str) -> None:
    rows = [{**ROWS[0], "id": None}, {**ROWS[0], "id": "b", "html": None}, ROWS[1]]
    found = articles_of(EXPORTS[name](rows), name)
    assert [(a.doc_id, a.error) for a in found] == [
        (f"{name}: row 1", "has no id"),
        ("b", "row 2 holds nothing in html, markdown or text"),
        ("2", None),
    ]


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.csv", b"name,body\n1,2\n", NEEDS + "; it has name, body"),
        ("a.csv", b"", NEEDS + "; it has none"),
        ("a.parquet", as_parquet([{"id": 1, "body": "x"}]), NEEDS + "; it has id, body"),
        ("a.parquet", b"PAR1", "cannot be read as Parquet"),
        ("a.parquet", b"", "cannot be read as Parquet"),
        ("a.html", b"", "holds no text"),
        ("a.html", b"<script>x</script>", "holds no text"),
        ("a.html", b"<aside class=sources>ab c</aside>", "holds no text besides 3 characters excluded"),
        ("a.html", b"\xff\x80\x80", "cannot be decoded as utf-8, euc_jp, euc_jis_2004, cp932"),
        ("a.md", b"---\nt: 1\n---\n", "holds no text"),
        ("a.txt", b" \n\n ", "holds no text"),
    ],
)  # fmt: skip
def test_a_file_that_is_nothing_is_one_sentence(name: str, data: bytes, error: str) -> None:
    (found,) = articles_of(data, name)
    assert found.doc_id == name
    assert found.error is not None
    assert found.error.startswith(error)
    assert "\n" not in found.error


def test_broken_lines_of_jsonl_are_named_by_their_number() -> None:
    found = articles_of(b'{"id": 1, "text": "a"}\n\n{"id": \n[1]\n{"id": 2, "text": "\\ud800b"}', "a.jsonl")
    assert [a.doc_id for a in found] == ["1", "a.jsonl: row 3", "a.jsonl: row 4", "2"]
    assert found[1].error.startswith("is no JSON: ")
    assert found[2].error == "is no JSON object"
    assert found[3].text == "\ufffdb"
    assert found[3].warnings == ["1 characters are not known (U+FFFD)"]


def test_the_lie_of_a_declaration_is_told() -> None:
    article = read_article('<meta charset="Shift_JIS"><p>髙橋</p>'.encode(), "a", "a.html")
    assert (article.encoding, article.warnings) == ("utf-8", ["declares 'Shift_JIS', is utf-8"])
    true = read_article('<meta charset="Shift_JIS"><p>髙橋</p>'.encode("cp932"), "a", "a.html")
    assert (true.encoding, true.warnings) == ("cp932", [])


def test_nesting_beyond_the_parsers_depth_loses_no_text() -> None:
    deep = "<div><b>" * 5000 + "底" + "</b></div>" * 5000
    article = read_article(f"<h2>前</h2>{deep}<p>後</p>".encode(), "a", "a.html")
    assert blocks(article) == [("h2", "前"), ("paragraph", "底"), ("paragraph", "後")]
    assert article.warnings == ["nested deeper than 2,048 elements: read as plain paragraphs"]
    with pytest.raises(InputError, match="is nested deeper than 2,048 elements"):
        read_article(("<x-a>" * 5000 + "底").encode(), "a", "a.html")


def test_a_second_article_of_one_id_is_named_not_taken(tmp_path) -> None:
    (tmp_path / "a.jsonl").write_bytes(as_jsonl([ROWS[1], ROWS[1]]))
    (tmp_path / "2").write_text("<p>ファイル</p>", encoding="utf-8")
    files = [
        ("2", str(tmp_path / "2"), "html"),
        ("a.jsonl", str(tmp_path / "a.jsonl"), "rows"),
        ("gone", str(tmp_path / "gone"), "html"),
    ]
    found = list(read_batch(files, Reading(), "00", 1))
    assert [(a.doc_id, a.error) for a in found] == [
        ("2", None),
        ("2", f"has the same id as one in {tmp_path / '2'}"),
        ("2", f"has the same id as one in {tmp_path / '2'}"),
        ("gone", "No such file or directory"),
    ]


def test_every_row_of_an_export_is_in_exactly_one_batch(tmp_path) -> None:
    rows = [{"id": str(n), "text": f"本文{n}"} for n in range(40)] + [{"id": None, "text": "x"}]
    (tmp_path / "a.jsonl").write_bytes(as_jsonl(rows))
    read = {
        f"{n:02}": list(read_batch([("a.jsonl", str(tmp_path / "a.jsonl"), "rows")], Reading(), f"{n:02}", 5))
        for n in range(5)
    }
    ids = [a.doc_id for found in read.values() for a in found]
    assert sorted(ids) == sorted([*(str(n) for n in range(40)), "a.jsonl: row 41"])
    assert all(batch_of(a.doc_id, 5) == batch for batch, found in read.items() for a in found)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.HTML", "html"), ("b/a.htm", "html"), ("a.xhtml", "html"), ("a.md", "markdown"), ("a.txt", "text")]
    + [("a.ndjson", "rows"), ("a.csv", "rows"), ("a.png", None), ("README", None), (".html", None)],
)
def test_kinds_go_by_the_end_of_the_name(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_a_question_that_stands_elsewhere_leaves_there_too() -> None:
    page = "<ul><li>何ですか、これは。</li></ul><p>Q. 何ですか、これは。</p><p>A. 答え。</p><p>Q. 他は。</p>"
    article = read_article(page.encode(), "a", "a.html")
    assert (article.text, article.warnings) == ("A. 答え。", [])
    assert [question["question"] for question in article.questions] == ["何ですか、これは。", "他は。"]


def test_an_article_of_questions_only_says_so() -> None:
    (found,) = articles_of("<ul><li>甲は何か。</li></ul><p>Q. 甲は何か。</p><p>Q. 乙は。</p>".encode(), "a.html")
    assert found.error == "holds no text besides 2 questions without an answer"


FORMS_OF_MARKDOWN = """# 店

1. [甲は何ですか？](#甲は何ですか)
2. [乙について](#乙について)

## よくある質問

### 甲は*何*ですか？

一。
二。

### 乙について

三

## 他

Q. 丙は何ですか？
A. 四

**Q2. 丁は何ですか？**

A2. 五

<details>
<summary>戊は何ですか？</summary>

六

- 七

</details>

- Q. 己は何ですか？
- A. 八
"""


def test_questions_in_markdown() -> None:
    article = read_article(FORMS_OF_MARKDOWN.encode(), "a.md", "a.md")
    gold = {q["question"]: [article.text[s["start"] : s["end"]] for s in q["gold"]] for q in article.questions}
    assert gold == {
        "甲は何ですか？": ["一。 二。"],
        "丙は何ですか？": ["四"],
        "丁は何ですか？": ["五"],
        "戊は何ですか？": ["六", "七"],
    }
    assert blocks(article) == [
        *(("h1", "店"), ("list", "乙について"), ("h2", "よくある質問"), ("paragraph", "一。 二。")),
        *(("h3", "乙について"), ("paragraph", "三"), ("h2", "他"), ("paragraph", "A. 四")),
        *(("paragraph", "A2. 五"), ("paragraph", "六"), ("list", "七"), ("list", "Q. 己は何ですか？\nA. 八")),
    ]


def test_a_row_that_is_named_by_its_question_is_not() -> None:
    rows = [{"id": "b", "title": "返品できますか？ | 店", "html": "<p>Q. 返品できますか？</p><p>A. はい。</p>"}]
    (article,) = articles_of(as_jsonl(rows), "a.jsonl")
    assert (article.title, article.text) == ("b", "A. はい。")


@pytest.mark.parametrize(
    "page",
    [
        "<!doctype html><title>題</title><main><p>一</p></main><footer>二</footer>",
        "<style>p {}</style><section>一</section><p>二</p>",
        "<script>1</script><details><summary>一</summary></details><p>二</p>",
        "<html><body><p>一</p></body><footer>二</footer></html>",
        "<p>一</p></body></html><p>二</p>",
    ],
)
def test_pages_without_tags_of_the_body_and_text_behind_it(page: str) -> None:
    assert [text for _, text in blocks(read_article(page.encode(), "a", "a.html"))] == ["一", "二"]


def test_a_fault_of_ours_costs_one_article(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"<p>{name}</p>")
    real = articles.read_blocks

    def faulty(body):
        if text_of(body) == "a.html":
            raise KeyError("a\nfault")
        return real(body)

    monkeypatch.setattr(articles, "read_blocks", faulty)
    found = list(
        read_batch([(name, str(tmp_path / name), "html") for name in ("a.html", "b.html")], Reading(), "00", 1)
    )
    assert [(a.doc_id, a.error) for a in found] == [
        ("a.html", "could not be read: KeyError: 'a\\nfault'"),
        ("b.html", None),
    ]


def test_a_row_of_csv_with_more_fields_than_the_header_is_named() -> None:
    found = articles_of("id,text\n1,本文\n2,本,文\n".encode(), "a.csv")
    assert [(a.doc_id, a.error) for a in found] == [
        ("1", None),
        ("a.csv: row 2", "has more fields than the header"),
    ]
