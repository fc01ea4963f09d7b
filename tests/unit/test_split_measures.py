"""What a split does to the text, by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.handed import handed
from chunkgrid.split_measures import cuts, looked_at, split_measures
from chunkgrid.tables import BLOCKS, CHUNKS, CUTS, SPLITS, table


def over(*chunks):
    """What chunks hand over that are given as (doc_id, start, end) or (doc_id, text)."""
    rows = []
    for doc_id, *rest in chunks:
        start, end, text = (None, None, rest[0]) if len(rest) == 1 else (*rest, "あ" * (rest[1] - rest[0]))
        rows.append({"chunk": len(rows), "doc_id": doc_id, "start": start, "end": end, "text": text})
    return handed(table(rows, CHUNKS))


def measures(chunks, index_lengths=(), characters=1000, cut=(), index_tokens=None):
    lengths = np.array(index_lengths, dtype=np.int64)
    texts = {"d": "あ" * characters, "e": ""}
    if any(doc_id == "e" for doc_id, *_ in chunks):
        texts["e"] = texts["d"]
    return split_measures(over(*chunks), lengths, texts, table(cut, CUTS), index_tokens).to_pylist()[0]


def test_lengths_are_of_what_is_handed_over():
    found = measures([("d", 0, 10), ("d", 10, 39), ("d", 39, 69), ("e", 0, 100)])
    assert {name: found[name] for name in SPLITS.names[:6]} == {
        "chunks": 4,
        "chars_mean": 42.25,  # of 10, 29, 30, 100
        "chars_median": 29.5,
        "chars_p95": pytest.approx(89.5),  # 0.85 of the way from 30 to 100
        "chars_max": 100,
        "under_30": 0.5,  # 30 is not under 30
    }


def test_a_parent_counts_once_however_many_children_it_has():
    found = measures([("d", 0, 90), ("d", 0, 90), ("d", 0, 90), ("d", 80, 100)], [30, 30, 30, 20], 100)
    assert (found["chunks"], found["chars_mean"]) == (2, 55)
    assert (found["overlap_none"], found["overlap_mean"]) == (0, 10)  # of two neighbours, not of four
    assert (found["index_chunks"], found["index_chars"], found["index_ratio"]) == (4, 110, pytest.approx(1.1))


@pytest.mark.parametrize("tokens", [None, 0, 70])
def test_tokens_indexed_stand_beside_the_characters_where_they_are_counted(tokens):
    found = measures([("d", 0, 90)], [60, 50], 100, index_tokens=tokens)
    assert [found[name] for name in ("index_tokens", "index_chars", "index_chunks")] == [tokens, 110, 2]
    assert found["index_ratio"] == pytest.approx(1.1)  # of characters, whatever else is counted


@pytest.mark.parametrize(
    ("chunks", "none", "mean", "most"),
    [
        ([("d", 0, 400), ("d", 360, 760), ("d", 720, 1000)], 0.0, 40.0, 40.0),
        ([("d", 0, 10), ("d", 10, 20), ("d", 15, 30), ("d", 40, 50)], 2 / 3, 5 / 3, 5.0),  # touching shares nothing
        ([("d", 0, 10), ("e", 5, 15)], None, None, None),  # of two articles: no neighbours
        ([("d", 0, 10), ("d", 8, 20), ("e", 0, 10), ("e", 4, 20)], 0.0, 4.0, 6.0),
        ([("d", 8, 20), ("e", 0, 9), ("d", 0, 10)], 0.0, 2.0, 2.0),  # in order of place, not of the table
        ([("d", 0, 10)], None, None, None),
        ([("d", "あ" * 10), ("d", "あ" * 10)], None, None, None),  # no offsets
    ],
)
def test_overlap_is_what_neighbours_really_share(chunks, none, mean, most):
    found = measures(chunks)
    assert [found[f"overlap_{name}"] for name in ("none", "mean", "max")] == [
        value if value is None else pytest.approx(value) for value in (none, mean, most)
    ]


def test_no_chunks_have_no_lengths():
    found = measures([], [], 0)
    counts = ("chunks", "unplaced", "index_chunks", "index_chars")
    assert [found[name] for name in counts] == [0] * 4
    rest = [value for name, value in found.items() if name not in counts]
    assert rest == [None] * 15


@pytest.mark.parametrize(
    ("chunks", "share"),
    [
        ([("d", 0, 24)], 1.0),
        ([("d", 0, 10), ("d", 12, 24)], 1.0),  # white space alone is left out
        ([("d", 0, 10), ("d", 5, 10)], 0.5),  # held twice counts once
        ([("d", 1, 6)], 0.25),
        ([("e", 0, 24)], 0.0),  # of another document
        ([], 0.0),
        ([("d", "零一二三四五六七八九十甲乙丙丁戊己庚辛壬")], 1.0),
        ([("d", "零一二三四五六七八九"), ("d", "十甲乙丙丁戊己庚辛壬")], 1.0),  # a seam loses nothing
        ([("d", "零一 二三\n四五六七"), ("d", "丙丁戊己")], 0.4),  # eight in a row; four are no line
        ([("d", "一二三四五六七"), ("d", "|")], 0.0),
        ([("d", 0, 5), ("d", "十甲 乙 丙丁戊己庚辛壬")], 0.75),  # one without a place is held by its text
    ],
)
def test_kept_is_the_share_of_visible_characters_that_reach_a_chunk(chunks, share):
    texts = {"d": "零一二三四五六七八九\n\n十甲乙丙丁戊己庚辛壬 \n"}
    found = split_measures(over(*chunks), np.empty(0), texts, table([], CUTS)).to_pylist()[0]
    assert found["kept"] == pytest.approx(share)


def test_kept_counts_a_short_text_where_it_is_a_line_and_no_bars():
    texts = {"d": "概要\n\n概要は表で示す。\n値 | 名\n", "e": "概要"}
    found = split_measures(over(("d", "概要"), ("d", "| 値 | 名 |")), np.empty(0), texts, table([], CUTS))
    assert found["kept"].to_pylist() == [pytest.approx((2 + 2) / (2 + 8 + 2 + 2))]


def test_chunks_without_a_place_are_counted():
    assert measures([("d", 0, 9)])["unplaced"] == 0
    assert measures([("d", 0, 9), ("d", "書き直した"), ("d", "別の文")])["unplaced"] == 2


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=5), st.text("あ \n|", min_size=1, max_size=40)
)
def test_kept_is_the_union_of_spans(spans, text):
    spans = [(start, min(start + length, len(text))) for start, length in spans if start < len(text)]
    held = set().union(*(range(*span) for span in spans))
    seen = [place for place, character in enumerate(text) if not character.isspace()]
    found = split_measures(over(*(("d", *span) for span in spans)), np.empty(0), {"d": text}, table([], CUTS))
    assert found["kept"][0].as_py() == (pytest.approx(len(held & set(seen)) / len(seen)) if seen else None)


def test_cut_shares_are_by_kind_and_leave_out_nulls():
    rows = [("table", True, False), ("table", False, True), ("table", False, False), ("pre", None, True)]
    found = measures([], cut=[{"kind": kind, "cut": cut, "whole": whole} for kind, cut, whole in rows])
    assert [found[name] for name in SPLITS.names[-4:]] == [pytest.approx(1 / 3), pytest.approx(1 / 3), None, 1.0]
    assert list(found) == SPLITS.names


def block(kind="table", start=100, end=200, doc_id="d", text=""):
    return {"doc_id": doc_id, "block": 3, "kind": kind, "start": start, "end": end, "text": text}


@pytest.mark.parametrize(
    ("spans", "cut", "whole"),
    [
        ([(0, 100), (100, 200), (200, 300)], False, True),  # edges at its start and end are not inside
        ([(0, 150), (150, 300)], True, False),
        ([(0, 150), (90, 210), (200, 300)], True, True),  # an edge inside counts, whole elsewhere or not
        ([(0, 120), (120, 180), (180, 300)], True, False),
        ([(0, 101), (101, 300)], True, False),
        ([(0, 199), (199, 300)], True, False),
        ([(0, 99), (201, 300)], False, False),
        ([(0, 300)], False, True),
        ([], False, False),
    ],
)
@pytest.mark.parametrize("kind", ["table", "pre"])
def test_a_block_is_cut_by_an_edge_strictly_inside(spans, cut, whole, kind):
    other = [("e", 120, 180), ("e", 50, 250)]  # chunks of another article are none of its business
    found = cuts(over(*(("d", *span) for span in spans), *other), table([block(kind)], BLOCKS))
    assert found.to_pylist() == [{"doc_id": "d", "block": 3, "kind": kind, "cut": cut, "whole": whole}]


def test_only_tables_and_pres_are_looked_at():
    blocks = [block(kind) for kind in ("h2", "paragraph", "pre", "list", "component", "table")]
    assert cuts(over(("d", 0, 150)), table(blocks, BLOCKS))["kind"].to_pylist() == ["pre", "table"]


@pytest.mark.parametrize(
    ("chunk", "whole"),
    [
        ("表: 項目 値\n\n一 1 二 2 以上", True),
        ("| 項目 | 値 |\n|一|1|\n|二|2|", True),
        ("項目 値 一 1", False),
        ("項目 値 二 2 一 1", False),
    ],
)
def test_without_offsets_whole_is_judged_without_white_space_and_bars_and_cut_is_null(chunk, whole):
    blocks = table([block(text="項目 | 値\n一 | 1\n二 | 2")], BLOCKS)
    (row,) = cuts(over(("d", "前"), ("d", chunk), ("e", "項目値一1二2")), blocks).to_pylist()
    assert (row["cut"], row["whole"]) == (None, whole)


def test_without_offsets_two_chunks_do_not_make_a_whole():
    blocks = table([block(text="項目 | 値")], BLOCKS)
    assert cuts(over(("d", "項目"), ("d", "値")), blocks)["whole"].to_pylist() == [False]


def test_without_offsets_an_article_without_chunks_holds_nothing_whole():
    blocks = table([block(text="|", doc_id=doc_id) for doc_id in ("d", "e")], BLOCKS)
    assert cuts(over(("d", "項目")), blocks)["whole"].to_pylist() == [True, False]


spans = st.tuples(st.integers(0, 20), st.integers(1, 12)).map(lambda span: (span[0], sum(span)))
texts = st.text("ab| \n", min_size=1, max_size=8).filter(str.strip)
some_blocks = st.lists(
    st.builds(
        lambda kind, doc_id, span, text: block(kind, *span, doc_id, text),
        *(st.sampled_from(names) for names in (["table", "pre", "h2"], "def")),
        spans,
        texts,
    ),
    max_size=5,
)


def assert_judged(chunks, blocks, judged):
    """That tables and pres have what `judged` says of each and of the chunks of its article, looking at all of them."""
    everything = over(*chunks)
    found = cuts(everything, table(blocks, BLOCKS).select(looked_at(everything)))
    assert found.to_pylist() == [
        {name: row[name] for name in ("doc_id", "block", "kind")}
        | judged(row, [what for doc_id, *what in chunks if doc_id == row["doc_id"]])
        for row in blocks
        if row["kind"] != "h2"
    ]


@given(st.lists(st.tuples(st.sampled_from("dde"), spans), max_size=8), some_blocks)
@settings(max_examples=200)
def test_cuts_of_many_blocks_equal_their_definition(chunks, blocks):
    def judged(row, own):
        return {
            "cut": any(row["start"] < edge < row["end"] for span in own for edge in span),
            "whole": any(start <= row["start"] and row["end"] <= end for start, end in own),
        }

    assert_judged([(doc_id, *span) for doc_id, span in chunks], blocks, judged)


@given(st.lists(st.tuples(st.sampled_from("dde"), texts), min_size=1, max_size=8), some_blocks)
@settings(max_examples=200)
def test_cuts_of_many_blocks_without_offsets_equal_their_definition(chunks, blocks):
    def bare(text):
        return "".join(sign for sign in text if sign not in "| \n")

    def judged(row, own):
        return {"cut": None, "whole": any(bare(row["text"]) in bare(text) for (text,) in own)}

    assert_judged(chunks, blocks, judged)
