"""Cells against cells."""

import pyarrow as pa
import pytest
from numpy import array

from chunkgrid.bootstrap import by_article, by_question, interval, simultaneous
from chunkgrid.comparison import best_cell, intervals, pairs, tied

MEASURE = "budget_recall@2000"


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ([("a", "bm25", 0.3), ("b", "lsa", 0.4), ("c", "bm25", 0.1)], ("b", "lsa")),
        ([("b", "bm25", 0.4), ("a", "lsa", 0.4), ("a", "bm25", 0.4)], ("a", "bm25")),  # of equal ones the first by name
        ([("a", "bm25", 0.0)], ("a", "bm25")),
    ],
)
def test_the_best_cell_has_the_highest_mean(rows, best):
    metrics = [{"split": split, "retriever": retriever, MEASURE: value} for split, retriever, value in rows]
    assert best_cell(metrics, MEASURE) == best


CELLS = [("x", "bm25"), ("x", "lsa"), ("y", "bm25"), ("y", "lsa"), ("z", "bm25"), ("z", "lsa")]
AGAINST_BASELINE = [
    (("y", "bm25"), ("x", "bm25")),
    (("y", "lsa"), ("x", "lsa")),
    (("z", "bm25"), ("x", "bm25")),
    (("z", "lsa"), ("x", "lsa")),
]
AGAINST_BEST = [
    (("x", "bm25"), ("y", "lsa")),
    (("x", "lsa"), ("y", "lsa")),
    (("y", "bm25"), ("y", "lsa")),
    (("z", "bm25"), ("y", "lsa")),
    (("z", "lsa"), ("y", "lsa")),
]


@pytest.mark.parametrize(
    ("configured", "added"),
    [
        ([], []),
        ([("z", "y")], [(("z", "bm25"), ("y", "bm25"))]),  # under every retriever; z/lsa against y/lsa is there
        ([("x/bm25", "z/lsa")], [(("x", "bm25"), ("z", "lsa"))]),
        ([("y", "x"), ("y/bm25", "x/bm25")], []),  # both are there already
        ([("x", "x")], []),  # a cell is not compared with itself
    ],
)
def test_pairs_are_against_the_baseline_the_best_and_as_configured(configured, added):
    found = pairs(CELLS, "x", ("y", "lsa"), configured)
    assert found == [*AGAINST_BASELINE, *AGAINST_BEST, *added]


def test_where_the_baseline_is_the_best_a_pair_comes_once():
    assert pairs([("x", "r"), ("y", "r")], "x", ("x", "r"), []) == [(("y", "r"), ("x", "r"))]
    assert pairs([("x", "r")], "x", ("x", "r"), []) == []


# `own` goes with the split y alone.
PARTLY = [("x", "bm25"), ("y", "bm25"), ("y", "own"), ("z", "bm25")]


@pytest.mark.parametrize(
    ("baseline", "best", "configured", "wanted"),
    [
        (
            "x",
            ("y", "own"),
            [],
            [
                *((("y", "bm25"), ("x", "bm25")), (("z", "bm25"), ("x", "bm25"))),  # y/own has no x/own beside it
                *((("x", "bm25"), ("y", "own")), (("y", "bm25"), ("y", "own")), (("z", "bm25"), ("y", "own"))),
            ],
        ),
        (
            "y",
            ("x", "bm25"),
            [("x", "z"), ("x", "y"), ("y", "z"), ("y/own", "z/bm25")],  # there is neither x/own nor z/own
            [
                *((("x", "bm25"), ("y", "bm25")), (("z", "bm25"), ("y", "bm25"))),
                *((("y", "bm25"), ("x", "bm25")), (("y", "own"), ("x", "bm25")), (("z", "bm25"), ("x", "bm25"))),
                (("x", "bm25"), ("z", "bm25")),
                (("y", "bm25"), ("z", "bm25")),
                (("y", "own"), ("z", "bm25")),
            ],
        ),
    ],
)
def test_pairs_that_one_cell_is_missing_of_are_left_out(baseline, best, configured, wanted):
    assert pairs(PARTLY, baseline, best, configured) == wanted


# Six questions of two articles, out of order; b is better by 0.5 on each, c by 0.1 on some and worse on others.
ASKED = [("q5", "e"), ("q0", "d"), ("q3", "e"), ("q1", "d"), ("q4", "e"), ("q2", "d")]
VALUE = {
    "a": dict.fromkeys(["q0", "q1", "q2", "q3", "q4", "q5"], 0.25),
    "b": dict.fromkeys(["q0", "q1", "q2", "q3", "q4", "q5"], 0.75),
    "c": {"q0": 0.35, "q1": 0.15, "q2": 0.35, "q3": 0.35, "q4": 0.15, "q5": 0.25},
}


def questions(asked=ASKED):
    rows = [
        {"split": split, "retriever": "bm25", "query_id": query, "doc_id": doc_id}
        | {MEASURE: VALUE[split][query], "span": None if split == "c" else VALUE[split][query]}
        | {"questions_from": "headings"}
        for split in ("a", "c", "b")
        for query, doc_id in (asked if split != "b" else reversed(asked))
    ]
    schema = [(name, pa.string()) for name in ("split", "retriever", "query_id", "doc_id", "questions_from")]
    return pa.Table.from_pylist(rows, schema=pa.schema([*schema, (MEASURE, pa.float64()), ("span", pa.float64())]))


A, B, C = (("a", "bm25"), ("b", "bm25"), ("c", "bm25"))


def test_intervals_of_a_small_table_by_hand():
    rows = intervals(questions(), [(B, A), (C, A)], [MEASURE], 500, 3).to_pylist()
    names = {"measure": MEASURE, "retriever": "bm25", "other_split": "a", "other_retriever": "bm25"}
    names["questions_from"] = "headings"
    assert all(row[name] == value for row in rows for name, value in names.items())
    assert [(row["split"], row["resample"], row["shown"]) for row in rows] == [
        ("b", "query", True),
        ("b", "article", True),
        ("c", "query", False),
        ("c", "article", False),
    ]
    assert [row["difference"] for row in rows] == pytest.approx([0.5, 0.5, 0.1 / 6, 0.1 / 6])
    assert [rows[0]["low"], rows[0]["high"], rows[1]["low"], rows[1]["high"]] == pytest.approx([0.5] * 4)
    of_c = array([[0.1], [-0.1], [0.1], [0.1], [-0.1], [0.0]])  # by id
    for row, (low, high) in (
        (rows[2], interval(by_question(of_c, 500, 3))),
        (rows[3], interval(by_article(of_c, list("dddeee"), 500, 3))),
    ):
        assert [row["low"], row["high"]] == pytest.approx([low[0], high[0]])
    assert rows[2]["low"] < 0 < rows[2]["high"]
    # b is certain, so that c alone is its family.
    resampled = by_question(of_c, 500, 3)
    low, high = simultaneous(resampled, of_c.mean(axis=0), array([0]))
    assert [rows[2]["low_all"], rows[2]["high_all"]] == pytest.approx([low[0], high[0]])
    assert [rows[0]["low_all"], rows[0]["high_all"]] == pytest.approx([0.5, 0.5])


def test_the_other_way_round_the_interval_is_mirrored():
    there, back = (intervals(questions(), [pair], [MEASURE], 500, 0).to_pylist() for pair in ((C, B), (B, C)))
    for row, mirrored in zip(there, back, strict=True):
        assert [row["difference"], row["low"], row["high"]] == pytest.approx(
            [-mirrored["difference"], -mirrored["high"], -mirrored["low"]]
        )
        assert row["shown"] is mirrored["shown"] is True
        assert row["high"] < 0


def test_rows_go_by_pair_then_measure_then_what_is_drawn():
    rows = intervals(questions(), [(B, A), (C, A)], [MEASURE, "span"], 100, 0).to_pylist()
    assert [(row["split"], row["measure"], row["resample"]) for row in rows] == [
        (split, measure, resample)
        for split in "bc"
        for measure in (MEASURE, "span")
        for resample in ("query", "article")
    ]


def test_a_measure_that_one_cell_lacks_has_no_difference_and_spoils_no_other():
    rows = intervals(questions(), [(C, A), (B, A)], ["span", MEASURE], 100, 0).to_pylist()
    lacking = [row for row in rows if row["split"] == "c" and row["measure"] == "span"]
    assert len(lacking) == 2
    assert all(
        row[name] is None for row in lacking for name in ("difference", "low", "high", "shown", "low_all", "high_all")
    )
    assert all(row["low"] is not None for row in rows if row not in lacking)


@pytest.mark.parametrize(
    ("asked", "shown"), [([("q0", "d"), ("q1", "d")], [True, None]), ([("q0", "d")], [None, None])]
)
def test_below_two_questions_or_articles_the_interval_is_null(asked, shown):
    rows = intervals(questions(asked), [(B, A)], [MEASURE], 100, 0).to_pylist()
    assert [row["shown"] for row in rows] == shown
    assert [row["low"] is None and row["high"] is None for row in rows] == [one is None for one in shown]
    assert [row["difference"] for row in rows] == [0.5, 0.5]


def test_a_grid_of_one_cell_has_no_intervals():
    assert intervals(questions(), [], [MEASURE], 100, 0).num_rows == 0


def test_cells_are_tied_unless_both_intervals_exclude_0():
    shown = {"both": (True, True), "query": (True, False), "article": (False, True), "none": (False, False)}
    shown["one article"] = (True, None)
    against_best = {"other_split": "best", "other_retriever": "r"}
    rows = [
        {"measure": MEASURE, "split": split, "retriever": "r", "shown": one, **against_best}
        for split, both in shown.items()
        for one in both
    ]
    elsewhere = {"split": "elsewhere", "retriever": "r", "shown": False}
    rows.append({**elsewhere, "measure": "recall@5", **against_best})
    rows.append({**elsewhere, "measure": MEASURE, "other_split": "baseline", "other_retriever": "r"})
    rows.append({**elsewhere, "measure": MEASURE, "other_split": "best", "other_retriever": "lsa"})
    expected = {(split, "r") for split in ("query", "article", "none", "one article")}
    assert tied(rows, ("best", "r"), MEASURE) == expected
