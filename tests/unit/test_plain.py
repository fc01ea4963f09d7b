"""Plain text: kept as it is where offsets may be into the file, else brought to one form around its questions."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkgrid.articles import Reading, read_article, read_file
from chunkgrid.errors import InputError
from chunkgrid.plain import end_of, parse_plain, plain_blocks
from chunkgrid.text import strip
from chunkgrid.tree import text_of

Q, A = "商品の返品はいつまでできますか？", "到着から十四日以内なら。"


def read(text: str, questions: str = "faq"):
    return read_article(text.encode("utf-8"), "a", "a.txt", Reading(["p"], questions))


def pairs(article):
    return [(q["question"], [article.text[s["start"] : s["end"]] for s in q["gold"]]) for q in article.questions]


def of_the_tree(text: str) -> str:
    """`text` but for the characters that XML has not: one for one."""
    return "".join(" " if c in "\v\f\x1c\x1d\x1e\x1f" else "\ufffd" if not in_xml(c) else c for c in text)


def in_xml(character: str) -> bool:
    """The production Char of XML 1.0."""
    n = ord(character)
    return character in "\t\n\r" or 0x20 <= n <= 0xD7FF or 0xE000 <= n <= 0xFFFD or n >= 0x10000


TEXTS = st.text(
    st.one_of(
        st.sampled_from("\n\n\n\r \t\u3000\xa0\v\f\x1c\x85\u2028\u200b\ufeff\xad\0\x7f\uffffか\u3099QA.:<&"),
        st.characters(),
    ),
    max_size=120,
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
@example("\r\n \r\nQ. 何?\r\n\r\n\r\nA. はい\t\n\n\u3000")
@example("Q. 何?\nA. はい")
@example("\ufeffか\u3099\u200b\xad<b>&amp;")
def test_where_questions_come_from_a_file_the_text_is_the_files(text: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    body = parse_plain(text, as_it_is=True)
    kept = of_the_tree(text)
    assert text_of(body) == kept
    try:
        article = read_article(b"\xef\xbb\xbf" + text.encode("utf-8"), "a", "a.txt", Reading(["p"], "none"))
    except InputError:
        assert not kept.strip()
        return
    assert article.text == kept
    assert article.questions == []
    assert [block["text"] for block in article.blocks] == paragraphs(kept)
    assert [kept[block["start"] : block["end"]] for block in article.blocks] == paragraphs(kept)
    assert all(block["kind"] == "paragraph" and block["headings"] == [] for block in article.blocks)


def paragraphs(text: str) -> list[str]:
    """What stands between two line ends or more, by another way: line by line."""
    found: list[list[str]] = [[]]
    for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text):
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["".join(lines).strip() for lines in found if lines]


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_otherwise_it_is_of_one_form_and_loses_nothing(text: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    dropped = {c for c in text if unicodedata.category(c) == "Cc" and not c.isspace()} | set(
        "\u200b\ufeff\u00ad\uffff\ufffe"
    )
    seen = unicodedata.normalize("NFC", "".join(c for c in text if c not in dropped))
    article = next(read_file(text.encode("utf-8"), "a", "a.txt", Reading(["p"])))
    if article.error:
        assert not strip(seen) or "questions without an answer" in article.error
        return
    assert "\r" not in article.text
    assert all(article.text[block["start"] : block["end"]] == block["text"] for block in article.blocks)
    if not article.questions:
        assert strip(article.text) == strip(seen)


FAQ = (
    f"\n 序  文 \r\n\r\n\r\n\tQ. {Q}\r\nA. 十四日以内なら。\r\n   できます。\r\n \r\n"
    "Q2. 他は?\n\nA2. いいえ。\n\n\n終わり\r"
)


def test_questions_leave_and_white_space_stays() -> None:
    article = read(FAQ)
    assert pairs(article) == [(Q, ["十四日以内なら。\n   できます。"]), ("他は?", ["いいえ。", "終わり"])]
    assert article.text == ("\n 序  文 \n\n\n\tA. 十四日以内なら。\n   できます。\n\nA2. いいえ。\n\n\n終わり\n")


def test_the_same_file_for_offsets() -> None:
    article = read(FAQ, "none")
    assert article.text == FAQ
    assert [block["text"] for block in article.blocks] == [
        "序  文",
        f"Q. {Q}\r\nA. 十四日以内なら。\r\n   できます。",
        "Q2. 他は?",
        "A2. いいえ。",
        "終わり",
    ]


def test_several_pairs_in_a_paragraph() -> None:
    article = read("Q. 甲?\nA. 一\nQ. 乙?\nA. 二\n続き\n\nQ. 丙?\nA. 三")
    assert pairs(article) == [("甲?", ["一"]), ("乙?", ["二\n続き"]), ("丙?", ["三"])]
    assert article.text == "A. 一\nA. 二\n続き\n\nA. 三"


def test_lines_that_are_a_question_alone_leave_and_others_stay() -> None:
    text = (
        f"目次\n1. {Q}\n  2. 他は?\n3. それ以外\n\n「{Q}」と聞かれます。\n\nQ. {Q}\n\nA. {A}\n\nQ. 他は?\n\nA. いいえ。"
    )
    article = read(text)
    assert pairs(article) == [(Q, [A]), ("他は?", ["いいえ。"])]
    assert re.sub(r"\n+", "\n", article.text) == f"目次\n3. それ以外\nと聞かれます。\nA. {A}\nA. いいえ。"


def test_headings_there_are_none() -> None:
    article = read("題\n====\n\n# 節\n\n本文", "headings")
    assert (article.questions, article.text) == ([], "題\n====\n\n# 節\n\n本文")
    assert {block["kind"] for block in article.blocks} == {"paragraph"}


def test_markup_is_text() -> None:
    text = "<h2>FAQ</h2>\n<h3>何ですか？</h3>\n&amp; <!-- x --> <script>1</script> <dl><dt>何ですか？</dt></dl>"
    for questions in ("faq", "headings", "none"):
        assert (read(text, questions).text, read(text, questions).questions) == (text, [])


def as_csv(text: str) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows([["id", "text"], ["b", text]])
    return file.getvalue().encode("utf-8")


@pytest.mark.parametrize("text", [FAQ, "一\r\n\r\n二\r三\v\n か\u3099 \ufeff", "\n一\n"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_column_of_text_is_kept_as_a_file_is(text: str, name: str) -> None:
    data = as_csv(text) if name == "a.csv" else json.dumps({"id": "b", "text": text}).encode()
    (kept,) = read_file(data, name, name, Reading([], "none"))
    assert (kept.doc_id, kept.error, kept.text) == ("b", None, of_the_tree(text))
    (formed,) = read_file(data, name, name, Reading([], "faq"))
    assert formed.text == read(text).text


def test_characters_that_no_tree_can_hold() -> None:
    data = json.dumps({"id": "b", "text": "a\0b\ud800c\uffffd\x0be\x1ff\x85g\x7fh"}).encode()
    (kept,) = read_file(data, "a.jsonl", "a.jsonl", Reading([], "none"))
    assert kept.text == "a\ufffdb\ufffdc\ufffdd e f\x85g\x7fh"
    assert kept.warnings == ["3 characters are not known (U+FFFD)"]


@pytest.mark.parametrize("text", ["", "\n\n", " \u3000\x85\v"])
@pytest.mark.parametrize("as_it_is", [True, False])
def test_nothing_but_white_space(text: str, as_it_is: bool) -> None:
    body = parse_plain(text, as_it_is)
    assert plain_blocks(body) == []
    assert end_of(body) == text_of(body)


def test_an_indent_of_japanese_paragraphs() -> None:
    article = read(f"\u3000Q. {Q}\n\u3000A. {A}\n\n\u3000次の段落。")
    assert pairs(article) == [(Q, [A, "次の段落。"])]


def test_an_answer_without_a_mark_in_the_next_line() -> None:
    assert pairs(read(f"Q. {Q}\n{A}\n\n続き")) == [(Q, [A, "続き"])]


def test_an_answer_in_the_same_paragraph_that_repeats_its_question() -> None:
    assert Q not in read(f"Q. {Q}\nA. 「{Q}」は、よくあるご質問です。").text
