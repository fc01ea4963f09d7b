"""Gold is placed where it stands, and what cannot be placed is told."""

from __future__ import annotations

import csv
import io
import json
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgrid.errors import InputError
from chunkgrid.placing import BY_TEXT, SEVERAL, Placed, Text, occurrences, place, resolver, seek
from chunkgrid.question_files import Asked, Gold, read_questions
from chunkgrid.text import strip, visible

ROOT = Path(__file__).resolve().parents[2]
CHROMA = ROOT / "../shared/corpora/chroma"

NFC, NFD = "ガイド", unicodedata.normalize("NFD", "ガイド")
BLANKS = " \n\t\u3000\u00a0"


@pytest.mark.parametrize(
    ("name", "doc_id"),
    [
        ("guide/a.md", "guide/a.md"),
        ("guide/a", "guide/a.md"),
        ("b.html", "guide/b.html"),
        ("b", "guide/b.html"),
        ("Title of C", "c.v2.txt"),
        ("c.v2", "c.v2.txt"),
        ("d", "d"),  # before d.md, which it is without its suffix
        ("https://example.com/e", "https://example.com/e.html"),
        (NFC, f"{NFD}.md"),
    ],
)
def test_names_of_documents(name, doc_id):
    titles = dict.fromkeys(["guide/a.md", "guide/b.html", "d", "d.md", "https://example.com/e.html", f"{NFD}.md"], "")
    resolve = resolver({**titles, "c.v2.txt": " Title of C\n", "t.md": "b"})
    assert resolve(name) == doc_id


def test_a_name_that_is_spelt_the_same_goes_before_one_of_the_same_characters():
    assert [resolver({NFC: "", NFD: ""})(name) for name in (NFC, NFD)] == [NFC, NFD]
    assert resolver({f"{NFC}.md": "", f"{NFD}.md": ""})(NFD) == f"{NFD}.md"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("z", "no document is named 'z'"),
        ("c", "no document is named 'c'"),
        ("x.md", "'x.md' fits 2 documents: a/x.md, b/x.md"),
        ("x", "'x' fits 2 documents: a/x.md, b/x.md"),
        ("題", "'題' fits 4 documents: a/x.md, b/x.md, c.d.md, …"),
    ],
)
def test_names_that_fit_none_or_several(name, error):
    resolve = resolver(dict.fromkeys(["a/x.md", "b/x.md", "c.d.md", "e"], "題"))
    with pytest.raises(InputError) as raised:
        resolve(name)
    assert str(raised.value) == error


def test_a_name_that_fits_three_documents_names_them_all():
    with pytest.raises(InputError, match=r"fits 3 documents: a/x, b/x, c/x$"):
        resolver(dict.fromkeys(["a/x", "b/x", "c/x"], ""))("x")


@pytest.mark.parametrize(
    ("text", "wanted", "spans"),
    [
        ("猫と犬と猫", "猫", [(0, 1), (4, 5)]),
        ("aaaaa", "aa", [(0, 2), (2, 4)]),
        ("a b\n\nab", "ab", [(5, 7)]),  # literally here, so not at 0
        ("xa b\n cya　bc", "abc", [(1, 7), (8, 12)]),
        ("xabcy", " a b\nc ", [(1, 4)]),
        ("a b", " b", [(1, 3)]),
        ("これはがく", "か\u3099\u200bく", [(3, 5)]),
        ("これはが\nく", "か\u3099\u200bく", [(3, 6)]),
        ("か\u3099", "か\u3099", [(0, 2)]),
        ("\ud800b", "b", [(1, 2)]),
        ("a b", " \n", []),
        ("a b", "\u200b", []),
        ("a b", "", []),
        ("", "a", []),
        ("   ", "a", []),
        ("ab", "abc", []),
    ],
)
def test_occurrences(text, wanted, spans):
    assert occurrences(Text(text), wanted) == spans


def test_seeking_begins_where_it_is_told():
    text = Text("ab a b ab")
    assert list(seek(text, "ab", 1)) == [(7, 9)]
    assert list(seek(text, "a\nb", 1)) == [(3, 6), (7, 9)]
    assert list(seek(text, "a\nb", 4)) == [(7, 9)]
    assert list(seek(text, "a\nb", 8)) == []


def test_the_places_of_a_text_without_white_space_hold_for_every_character_there_is():
    text = Text("".join(map(chr, range(sys.maxunicode + 1))))
    assert text.places.tolist() == [code for code in range(sys.maxunicode + 1) if not chr(code).isspace()]
    assert text.bare == strip(text.text)
    assert len(text.bare) == len(text.places)


def naive(text, wanted):
    """The same in the slowest way: every start, and every end for it."""
    for form in (wanted, visible(wanted)):
        for same in (lambda a, b: a == b, lambda a, b: strip(a) == strip(b) and a == a.strip()):
            spans, start = [], 0
            while strip(form) and start < len(text):
                end = next((e for e in range(start + 1, len(text) + 1) if same(text[start:e], form)), None)
                if end is not None:
                    spans.append((start, end))
                start = end or start + 1
            if spans:
                return spans
    return []


SMALL = st.text("ab \nか\u3099が\u200b", max_size=14)


@given(SMALL, st.one_of(st.text("ab \nか\u3099が\u200b", max_size=4), st.sampled_from(["ab", "a b", "か\u3099"])))
def test_occurrences_agree_with_the_naive_way(text, wanted):
    assert occurrences(Text(text), wanted) == naive(text, wanted)


words = st.text("あいうabc。", min_size=1, max_size=3)
spaces = st.text(BLANKS, max_size=2)


@given(st.lists(st.tuples(words, spaces), min_size=1, max_size=12), st.data())
def test_a_text_with_other_white_space_is_placed_where_it_came_from(parts, data):
    """It is cut out between two marks, which make it the only such text; without them it may stand elsewhere too."""
    first = data.draw(st.integers(0, len(parts) - 1))
    last = data.draw(st.integers(first, len(parts) - 1))
    before, cut, after = (
        "".join(word + space for word, space in part)
        for part in (parts[:first], parts[first : last + 1], parts[last + 1 :])
    )
    altered = "".join(word + data.draw(spaces) for word, _ in parts[first : last + 1])
    assert occurrences(Text(f"{before}《{cut}》{after}"), f"《{altered}》") == [(len(before), len(before + cut) + 2)]
    text = before + cut + after
    found = occurrences(Text(text), altered)
    assert found
    assert all(strip(text[start:end]) == strip(altered) for start, end in found)


TEXT = "猫は鳴く。\n犬は吠える。\n猫は眠る。"  # 猫 at 0 and 13, 犬 at 6
DOCUMENTS = {"a.md": ("甲", TEXT), "b.md": ("乙", "　\n鳥は飛ぶ。")}


def placed(*golds, several="error", document="a"):
    (found,) = place([Asked("row 1", "何?", document, golds)], DOCUMENTS, several)
    return found


def test_positions_of_the_text():
    assert (TEXT.index("犬"), TEXT.rindex("猫"), len(TEXT)) == (6, 13, 18)


@pytest.mark.parametrize(
    ("gold", "spans", "notes"),
    [
        (Gold(None, 6, 12), [(6, 12)], ()),
        (Gold(None, 0, 18), [(0, 18)], ()),
        (Gold("犬は吠える。", 6, 12), [(6, 12)], ()),
        (Gold("犬は 吠える。\n猫", 6, 14), [(6, 14)], ()),
        (Gold("犬は\n吠える。", 6, 13), [(6, 13)], ()),  # the newline at its end is white space too
        (Gold("猫は眠る。", 13, 18), [(13, 18)], ()),
        (Gold("猫", 13, 14), [(13, 14)], ()),  # offsets say which
        (Gold("犬は吠える。", 7, 13), [(6, 12)], (BY_TEXT,)),
        (Gold("猫は眠る。\n", 13, 19), [(13, 18)], (BY_TEXT,)),  # beyond the end
        (Gold("犬は吠える。"), [(6, 12)], ()),
        (Gold("犬　は吠\nえる。"), [(6, 12)], ()),
    ],
)
def test_gold_of_one_place(gold, spans, notes):
    for several in ("all", "error"):
        assert placed(gold, several=several) == Placed("a.md", tuple(spans), None, notes)


@pytest.mark.parametrize(("gold", "notes"), [(Gold("猫は"), (SEVERAL,)), (Gold("猫は", 5, 7), (BY_TEXT, SEVERAL))])
def test_gold_of_several_places(gold, notes):
    assert placed(gold, several="all") == Placed("a.md", ((0, 2), (13, 15)), None, notes)
    assert placed(gold) == Placed("a.md", (), "'猫は' stands in 2 places of a.md")


@pytest.mark.parametrize(
    ("gold", "fault"),
    [
        (Gold(None, 6, 19), "[6, 19) lies outside of the 18 characters of a.md"),
        (Gold(None, 18, 19), "[18, 19) lies outside of the 18 characters of a.md"),
        (Gold(None, 6, 6), "[6, 6) lies outside of the 18 characters of a.md"),
        (Gold(None, -1, 6), "[-1, 6) lies outside of the 18 characters of a.md"),
        (Gold(None, 12, 13), "[12, 13) is blank in a.md"),
        (Gold("鳥"), "'鳥' is not found in a.md"),
        (Gold("鳥\n", 0, 2), "'鳥\\n' is not found in a.md"),
        (Gold("鳥" * 60), f"'{'鳥' * 60}' is not found in a.md"),
        (Gold("鳥" * 61), f"'{'鳥' * 60}…' is not found in a.md"),
    ],
)
def test_gold_that_cannot_be_placed(gold, fault):
    assert placed(gold) == Placed("a.md", (), fault)


def test_spans_are_sorted_and_merged_only_where_identical():
    golds = Gold("猫は眠る。"), Gold(None, 6, 12), Gold(None, 7, 9), Gold("犬は吠える。"), Gold(None, 6, 9)
    assert placed(*golds).gold == ((6, 9), (6, 12), (7, 9), (13, 18))


def test_every_gold_at_fault_is_told():
    found = placed(Gold("鳥"), Gold("犬"), Gold(None, 0, 99))
    fault = "'鳥' is not found in a.md; [0, 99) lies outside of the 18 characters of a.md"
    assert found == Placed("a.md", ((6, 7),), fault)


def test_a_question_without_gold_has_no_fault_but_for_its_document():
    assert placed() == Placed("a.md", ())
    assert placed(document="乙") == Placed("b.md", ())
    assert placed(document="丙") == Placed(None, (), "no document is named '丙'")


def test_a_long_answer_that_is_not_found_is_quoted_in_short():
    asked = [Asked("row 1", "何?", "a", (Gold("犬"),)), Asked("row 5", "何?", "a", (Gold("鳥" * 61),))]
    assert [one.fault for one in place(asked, DOCUMENTS, "error")] == [None, f"'{'鳥' * 60}…' is not found in a.md"]


PARAGRAPH = "駅は近い。駅の隣に 店がある。駅は古い。"  # 駅 at 0, 5 and 15


def in_context(document, text, start, context=PARAGRAPH, several="error"):
    gold = Gold(text, start, start + len(text), context)
    (found,) = place([Asked("question 1", "何?", "d", (gold,))], {"d": ("", document)}, several)
    return found


@pytest.mark.parametrize(
    ("document", "text", "start", "span"),
    [
        (f"前\n{PARAGRAPH}\n駅", "駅", 5, (7, 8)),
        (f"前\n{PARAGRAPH}\n駅", "駅", 15, (17, 18)),
        ("前\n駅は近い。\n駅の隣に店が\nある。駅は古い。", "駅", 5, (8, 9)),
        ("前\n駅は近い。\n駅の隣に店が\nある。駅は古い。", "店がある。", 10, (12, 18)),
        ("前\n駅は近い。\n駅の隣に店が\nある。駅は古い。", "隣に 店", 7, (10, 13)),
    ],
)
def test_an_answer_is_placed_within_its_context(document, text, start, span):
    assert in_context(document, text, start) == Placed("d", (span,))


def test_an_answer_that_overlaps_itself_is_placed_by_its_offset():
    assert in_context("x\naaa aa", "aa", 1, "aaaaa").gold == ((3, 5),)


def test_an_answer_in_another_unicode_form():
    context = unicodedata.normalize("NFD", "\u200bガガはガ。ギ")
    start = context.rindex("カ")
    assert in_context("前 ガガは\nガ。ギ", context[start : start + 2], start, context) == Placed("d", ((6, 7),))


@pytest.mark.parametrize(("start", "span"), [(4, (5, 6)), (1, (0, 1)), (11, (15, 16)), (99, (15, 16))])
def test_an_answer_that_is_not_at_its_offset_is_placed_next_to_it(start, span):
    assert in_context(PARAGRAPH, "駅", start) == Placed("d", (span,), None, (BY_TEXT,))


def test_a_context_that_stands_twice_gives_both_places():
    twice = f"{PARAGRAPH}\n{PARAGRAPH}"
    second = len(PARAGRAPH) + 1
    assert in_context(twice, "駅", 5, several="all") == Placed(
        "d", ((5, 6), (second + 5, second + 6)), None, (SEVERAL,)
    )
    assert in_context(twice, "駅", 5) == Placed("d", (), "'駅' stands in 2 places of d")


def test_contexts_and_answers_that_are_not_there():
    assert in_context("駅", "駅", 0).fault == f"the context '{PARAGRAPH}' is not found in d"
    assert in_context(PARAGRAPH, "港", 0).fault == "'港' is not found in its context in d"


@given(st.lists(st.tuples(words, spaces), min_size=1, max_size=8), st.data())
def test_an_answer_is_placed_where_it_came_from_whatever_the_white_space(parts, data):
    """Both sides have white space of their own; the answer is told apart by nothing but its offset."""
    context = "".join(word + data.draw(spaces) for word, _ in parts)
    number = data.draw(st.integers(0, len(parts) - 1))
    bare = "".join(word for word, _ in parts[:number])
    start = next(at for at in range(len(context)) if strip(context[:at]) == bare and not context[at].isspace())
    document = "《" + "".join(word + space for word, space in parts) + "》"
    expected = 1 + len("".join(word + space for word, space in parts[:number]))
    assert in_context(document, parts[number][0], start, context).gold == (
        (expected, expected + len(parts[number][0])),
    )


@pytest.fixture(scope="module")
def chroma():
    """The questions, and the documents as plain text: offsets count every character of the files."""
    if not CHROMA.is_dir():
        pytest.skip("needs ../shared/corpora/chroma, which is not part of the project")
    documents = {}
    for path in sorted(CHROMA.glob("corpora/*.md")):
        with open(path, encoding="utf-8", newline="") as file:
            documents[path.name] = ("", file.read())
    return (CHROMA / "questions_df.csv").read_bytes(), documents


def test_chromas_questions_are_placed_at_their_offsets(chroma):
    data, documents = chroma
    asked = read_questions(data, "questions_df.csv")
    found = place(asked, documents, "error")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
    assert len(asked) == len(rows) == 472
    assert not any(one.fault for one in found)
    for row, one, at in zip(rows, asked, found, strict=True):
        spans = {(gold["start_index"], gold["end_index"]) for gold in json.loads(row["references"])}
        assert (one.query, at.doc_id) == (row["question"], f"{row['corpus_id']}.md")
        assert (at.gold, at.notes) == (tuple(sorted(spans)), ())


def test_chromas_questions_without_offsets_are_placed_by_text(chroma):
    data, documents = chroma
    with_offsets = read_questions(data, "questions_df.csv")
    asked = [replace(one, golds=tuple(Gold(gold.text) for gold in one.golds)) for one in with_offsets]
    everywhere, strictly = place(asked, documents, "all"), place(asked, documents, "error")
    expected = place(with_offsets, documents, "error")
    repeated = [
        sum(documents[at.doc_id][1].count(gold.text) > 1 for gold in one.golds)
        for one, at in zip(asked, expected, strict=True)
    ]
    assert (sum(len(one.golds) for one in asked), sum(repeated), sum(map(bool, repeated))) == (790, 97, 68)
    for right, many, one, times in zip(expected, everywhere, strictly, repeated, strict=True):
        assert set(right.gold) <= set(many.gold)
        assert (many.fault, many.notes) == (None, (SEVERAL,) if times else ())
        assert (one.fault or "").count(" places of ") == times
        assert times or one.gold == many.gold == right.gold
