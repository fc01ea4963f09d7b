"""`markdown` and `adaptive`: blocks packed within sections, as `structure` does, but otherwise."""

from itertools import pairwise
from pathlib import Path

import pytest

from chunkgrid.articles import read_article
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.sections import adaptive, markdown, structure
from chunkgrid.text import strip

SAMPLE = sorted((Path(__file__).parents[2] / "corpus" / "sample").glob("*.html"))


def read(page, name="a.md"):
    article = read_article(page.encode(), name, name)
    return Document(name, article.title, article.text, article.html, article.blocks)


def cut(document, splitter, *given, **named):
    return [(document.text[p.start : p.end], p.index_text) for p in splitter(document, *given, **named)]


PAGE = """# 題

初め。

## 章

本文の一。

#### 項

本文の二。

```
aaaaaaaaaa
bbbbbbbbbb
```

終わり。
"""


def test_every_heading_begins_a_chunk_and_code_stays_whole():
    code = "aaaaaaaaaa\nbbbbbbbbbb"
    assert cut(read(PAGE), markdown, 15) == [
        ("題\n\n初め。", "題\n題\n\n初め。"),
        ("章\n\n本文の一。", "題 ＞ 章\n章\n\n本文の一。"),
        ("項\n\n本文の二。", "題 ＞ 章 ＞ 項\n項\n\n本文の二。"),
        (code, f"題 ＞ 章 ＞ 項\n{code}"),  # 21 characters
        ("終わり。", "題 ＞ 章 ＞ 項\n終わり。"),
    ]


def test_headings_below_the_level_begin_none():
    texts = [text for text, _ in cut(read(PAGE), markdown, 100, level=2)]
    assert texts == ["題\n\n初め。", "章\n\n本文の一。\n\n項\n\n本文の二。\n\naaaaaaaaaa\nbbbbbbbbbb\n\n終わり。"]


def test_what_is_no_code_is_cut_to_the_size():
    page = "# 題\n\n" + "長い文。" * 10 + "\n\n| 名 | 値 |\n| - | - |\n| 甲 | 一 |\n| 乙 | 二 |\n"
    found = cut(read(page), markdown, 12)
    assert [text for text, _ in found[1:5]] == ["長い文。長い文。長い文。"] * 3 + ["長い文。"]
    assert found[5:] == [
        ("名 | 値\n甲 | 一", "題\n名 | 値\n甲 | 一"),
        ("乙 | 二", "題\n名 | 値\n乙 | 二"),  # its header row in front
    ]


def test_the_size_grows_with_code_and_tables():
    prose = "## 文\n\n" + "\n\n".join(["一二三四五六七八。"] * 4)  # 1 + 4 * 9 characters
    code = "## 符\n\n" + "\n\n".join("```\n一二三四五六七八。\n```" for _ in range(4))  # of which 36 in 37 are code
    document = read(f"{prose}\n\n{code}\n")
    once, twice = "一二三四五六七八。", "一二三四五六七八。\n\n一二三四五六七八。"
    plain = [f"文\n\n{once}", once, once, once, f"符\n\n{once}", once, once, once]
    assert [text for text, _ in cut(document, structure, 12)] == plain
    # 12 * (1 + 36 / 37) = 24 for code, of which 1 + 2 + 9 + 2 + 9 are 23
    assert [text for text, _ in cut(document, adaptive, 12)] == [*plain[:4], f"符\n\n{twice}", twice]
    # 12 * (1 + 0.8 * 36 / 37) = 21
    assert [text for text, _ in cut(document, adaptive, 12, code=1.8)][4:] == [f"符\n\n{once}", twice, once]


def test_a_table_may_stay_whole_where_the_size_grows():
    document = read("## 表\n\n| 名 | 値 |\n| - | - |\n| 甲 | 一 |\n| 乙 | 二 |\n")
    assert [text for text, _ in cut(document, adaptive, 12, table=1)] == ["表", "名 | 値\n甲 | 一", "乙 | 二"]
    assert [text for text, _ in cut(document, adaptive, 12, table=3)] == ["表\n\n名 | 値\n甲 | 一\n乙 | 二"]


@pytest.mark.parametrize("size", [100, 400])
def test_factors_of_1_are_structure(size):
    for path in SAMPLE:
        document = read(path.read_text(encoding="utf-8"), path.name)
        assert cut(document, adaptive, size, code=1, table=1) == cut(document, structure, size)


@pytest.mark.parametrize(("splitter", "named"), [(markdown, {}), (markdown, {"level": 2}), (adaptive, {"code": 3.5})])
@pytest.mark.parametrize("size", [1, 60, 400])
def test_every_visible_character_is_kept_in_order(splitter, named, size):
    for path in SAMPLE[:6]:
        document = read(path.read_text(encoding="utf-8"), path.name)
        pieces = list(splitter(document, size, **named))
        assert strip("".join(document.text[p.start : p.end] for p in pieces)) == strip(document.text)
        assert all(before.end <= after.start for before, after in pairwise(pieces))
