"""Every case of reading under tests/cases, those below 067: a page, and what has to come out of it."""

import html
import json
from collections import Counter
from pathlib import Path

import pytest

from chunkgrid.articles import Reading, read_article
from chunkgrid.questions import found_in, judge, reading_rows
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.sections import headings
from chunkgrid.text import strip

CASES = sorted(
    path.parent for path in Path(__file__).parents[1].glob("cases/*/expected.json") if path.parent.name < "067"
)
EXCLUDE = ["nav", "footer", "aside.sources", ".mermaid"]
EXCLUDE_OF = {"040-mermaid-block": []}  # the case is about what remains of a diagram that is kept
NOTES = {
    "note",  # says which of several readings are accepted
    "cell_join",  # says how `cells` are compared: see `_grid`
    "normalise",  # `visible_text_squashed_any_of` asks it of the program itself
}


def _offsets_slice(article):
    assert all(article.text[b["start"] : b["end"]] == b["text"] for b in article.blocks)


def _starts_strictly_increasing(article):
    starts = [b["start"] for b in article.blocks]
    assert starts == sorted(set(starts))


def _encodes_to_utf8(article):
    assert article.text.encode("utf-8").decode("utf-8") == article.text


INVARIANTS = {
    "offsets_slice": _offsets_slice,
    "starts_strictly_increasing": _starts_strictly_increasing,
    "encodes_to_utf8": _encodes_to_utf8,
}


def _item(line):
    return line.removeprefix("- ")


def _squashed(text):
    return strip(text).replace("|", "")


def _blocks(article, expected, _):
    assert len(article.blocks) == len(expected), [(b["kind"], b["text"]) for b in article.blocks]
    for block, want in zip(article.blocks, expected, strict=True):
        known = {"kind", "text", "text_any_of", "rows", "lines", "compare"}
        assert set(want) <= known, f"not understood: {set(want) - known}"
        kinds = [want["kind"]] if isinstance(want["kind"], str) else want["kind"]
        assert block["kind"] in kinds
        same = {None: str, "squash": _squashed}[want.get("compare")]
        texts = want.get("text_any_of", [want[key] for key in ("text",) if key in want])
        if texts:
            assert same(block["text"]) in [same(text) for text in texts]
        lines = block["text"].split("\n")
        assert want.get("rows", lines) == lines
        assert want.get("lines", [_item(line) for line in lines]) == [_item(line) for line in lines]
        assert texts or "rows" in want or "lines" in want


def _order(article, expected, _):
    at = -1
    for text in expected:
        at = article.text.find(text, at + 1)
        assert at >= 0, text


def _occurs_once(article, expected, _):
    assert {text: article.text.count(text) for text in expected} == dict.fromkeys(expected, 1)


def _must_contain(article, expected, _):
    assert [text for text in expected if text not in article.text] == []


def _must_not_contain(article, expected, _):
    assert [text for text in expected if text in article.text] == []


def _lines_include(article, expected, _):
    lines = {_item(line) for line in article.text.split("\n")}
    assert [line for line in expected if line not in lines] == []


def _kinds_present(article, expected, _):
    assert set(expected) <= {block["kind"] for block in article.blocks}


def _grid(article):
    (table,) = [b["text"] for b in article.blocks if b["kind"] == "table"]
    return [[" ".join(cell.replace("・", " ").split()) for cell in row.split(" | ")] for row in table.split("\n")]


def _cells(article, expected, _):
    assert _grid(article) == expected


def _cells_any_of(article, expected, _):
    assert _grid(article) in expected


def _heading_paths(article, expected, _):
    paths = {block["text"]: block["headings"] for block in article.blocks}
    assert {text: paths.get(text) for text in expected} == expected


def _sections(article, expected, _):
    document = Document(article.doc_id, article.title, article.text, article.html, article.blocks)
    assert [len(list(headings(document, level))) for level in (2, 3)] == [expected, expected]


def _visible_text_squashed_any_of(article, expected, _):
    assert strip(article.text) in expected


def _length_code_points(article, expected, _):
    assert len(article.text) == expected


def _clusters(article, expected, _):
    astral = [place for place, char in enumerate(article.text) if ord(char) > 0xFFFF or char == "\u200d"]
    assert astral == [place for start, end in expected for place in range(start, end)]


def _invariants(article, expected, _):
    for name in expected:
        INVARIANTS[name](article)


def _must_not_raise(article, expected, _):
    assert expected is True
    assert article.error is None
    assert article.text


def _answers(article):
    golds = [[article.text[span["start"] : span["end"]] for span in q["gold"]] for q in article.questions]
    return [(q["question"], "\n\n".join(gold)) for q, gold in zip(article.questions, golds, strict=True)]


def _pairs(article, expected, _):
    assert [pair for pair in _answers(article) if pair[1]] == [(pair["q"], pair["a"]) for pair in expected]


def _pairs_all(article, expected, _):
    assert [(q, a, len(a)) for q, a in _answers(article)] == [(p["q"], p["a"], p["a_len"]) for p in expected]


def _unanswered(article, expected, _):
    assert [question for question, answer in _answers(article) if not answer] == expected
    assert [row["query"] for row in _judged(article) if row["status"] == "unanswered"] == expected


def _gold_slice_equals_answer(article, expected, expect):
    assert expected is True
    for question, pair in zip(article.questions, expect["pairs"], strict=True):
        (span,) = question["gold"]
        assert article.text[span["start"] : span["end"]] == pair["a"]


def _indexed(article):
    headings = [heading for block in article.blocks for heading in block["headings"]]
    return "\n".join([article.title, article.text, *headings, article.html, html.unescape(article.html)])


def _indexed_must_contain(article, expected, _):
    assert [text for text in expected if text not in article.text] == []
    assert [text for text in expected if text not in html.unescape(article.html)] == []


def _indexed_must_not_contain(article, expected, _):
    assert [text for text in expected if text in _indexed(article)] == []


def _no_empty_blocks(article, expected, _):
    assert expected is True
    assert all(block["text"].strip() for block in article.blocks)


def _judged(article):
    articles = [article.row()]
    return judge(found_in(articles, "faq"), articles, sample=800, seed=0)


def _query_ids_unique(article, expected, _):
    assert expected is True
    ids = [row["query_id"] for row in _judged(article)]
    assert len(set(ids)) == len(ids) == len(article.questions)


def _if_min_len_40(article, expected, _):
    judged = _judged(article)
    assert [row["query"] for row in judged if row["status"] == "used"] == expected["kept"]
    assert Counter(row["status"] for row in judged)["short"] == expected["dropped_counted"]
    assert [row["short"] for row in reading_rows([article.row()], judged, "faq")] == [expected["dropped_counted"]]


def _no_nan(article, expected, _):
    assert expected is True
    golds = [row["gold_text"] for row in _judged(article) if row["status"] == "used"]
    assert golds, "a case without a usable question says nothing"
    assert all(strip("".join(gold)) for gold in golds)  # the denominator of coverage


CHECKS = {
    "blocks": _blocks,
    "cells": _cells,
    "cells_any_of": _cells_any_of,
    "clusters": _clusters,
    "gold_slice_equals_answer": _gold_slice_equals_answer,
    "heading_paths": _heading_paths,
    "if_min_len_40": _if_min_len_40,
    "indexed_must_contain": _indexed_must_contain,
    "indexed_must_not_contain": _indexed_must_not_contain,
    "invariants": _invariants,
    "kinds_present": _kinds_present,
    "length_code_points": _length_code_points,
    "lines_include": _lines_include,
    "must_contain": _must_contain,
    "must_not_contain": _must_not_contain,
    "must_not_contain_after_normalise": _must_not_contain,
    "must_not_raise": _must_not_raise,
    "no_empty_blocks": _no_empty_blocks,
    "no_nan": _no_nan,
    "occurs_once": _occurs_once,
    "order": _order,
    "pairs": _pairs,
    "pairs_all": _pairs_all,
    "query_ids_unique": _query_ids_unique,
    "sections": _sections,
    "unanswered": _unanswered,
    "visible_text_squashed_any_of": _visible_text_squashed_any_of,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    expect = json.loads((case / "expected.json").read_text("utf-8"))["expect"]
    data = (case / "input.html").read_bytes()
    article = read_article(data, "input.html", "input.html", Reading(EXCLUDE_OF.get(case.name, EXCLUDE)))
    _offsets_slice(article)
    for key, value in expect.items():
        if key not in NOTES:
            CHECKS[key](article, value, expect)


def test_every_key_is_checked():
    keys = {key for case in CASES for key in json.loads((case / "expected.json").read_text("utf-8"))["expect"]}
    assert keys - set(CHECKS) == NOTES
    assert set(EXCLUDE_OF) <= {case.name for case in CASES}
    assert len(CASES) == 44
