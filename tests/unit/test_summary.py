"""What is said at the end of a run, and what is not claimed."""

from __future__ import annotations

import pytest

from chunkgrid import tables
from chunkgrid.naming import measure_names
from chunkgrid.summary import reading_totals, summary

SHOW = ["recall@1", "table_cut"]


def cell(split: str, recall: float, retriever: str = "r", **fields: object) -> dict:
    figures = {"budget_recall@9": recall, "budget_recall@9_se": 0.01, "budget_chars@9": 8.0, "over_budget@9": 0.0}
    row = {"split": split, "retriever": retriever, "questions_from": "faq", "questions": 20, "answered": 20}
    row |= {"chunks": 9, "unplaced": 0}
    return row | figures | {"recall@1": recall, "table_cut": None} | fields


def against_best(split: str, *shown: bool | None) -> list[dict]:
    row = {"measure": "budget_recall@9", "split": split, "retriever": "r", "other_split": "a", "other_retriever": "r"}
    return [{**row, "shown": value} for value in shown]


def article(doc_id: str, **fields: object) -> dict:
    """A row of reading.csv as it is read back: all of it text."""
    row = {"doc_id": doc_id, "status": "read", "characters": 1000, "excluded": 7, "questions_from": "faq"}
    row |= {
        "questions": 3,
        "used": 2,
        "unanswered": 1,
        "repeated": 0,
        "short": 0,
        "elsewhere": 0,
        "unsampled": 0,
        "unplaced": 0,
    }
    return {name: str(value) for name, value in (row | {"warnings": "", "error": ""} | fields).items()}


MANY = [article(str(n)) for n in range(10)]


def said(
    metrics: list, intervals: list, reading: list = MANY, show: list[str] = SHOW, unit: str = "characters"
) -> list[str]:
    return summary(metrics, intervals, reading, show, 9, unit).splitlines()


def test_the_whole_answer_by_hand() -> None:
    metrics = [
        cell("fixed/size=400", 0.123, **{"budget_recall@9_se": None, "over_budget@9": 1.0, "recall@1": 0.0}),
        cell("a", 0.4567, **{"budget_recall@9_se": 0.0345, "budget_chars@9": 1863.6, "table_cut": 0.367}),
        cell("b", 0.4, "lsa/default", **{"budget_chars@9": 987.0, "table_cut": 1.0}),
    ]
    intervals = [*against_best("fixed/size=400", True, True), *against_best("b", True, False)]
    intervals[-1]["retriever"] = intervals[-2]["retriever"] = "lsa/default"
    assert summary(metrics, intervals, MANY, SHOW, 9).split("\n") == [
        "10 articles, 10,000 characters (70 excluded); 30 questions found, 20 used (10 unanswered)",
        "",
        "   split           retriever    budget_recall@9    ±  chars@9  over@9  recall@1  table_cut",
        "*  a               r                       45.7  3.5    1,864     0.0      45.7       36.7",
        "=  b               lsa/default             40.0  1.0      987     0.0      40.0      100.0",
        "   fixed/size=400  r                       12.3    -        8   100.0       0.0          -",
        "",
        "Shares in percent; ± is the standard error of budget_recall; chars: handed over within the budget.",
        "*  best at 9 characters: a with r, 45.7 %",
        "=  no difference from it shown: 1 cell (a 95 % interval by question or by article holds 0)",
        "",
    ]


def test_the_best_is_starred_and_a_cell_is_tied_unless_both_intervals_exclude_zero() -> None:
    intervals = [*against_best("b", True, False), *against_best("c", True, True)]
    lines = said([cell("c", 0.1), cell("a", 0.5), cell("b", 0.4)], intervals)
    assert [(line[0], line.split()[-8]) for line in lines if line.endswith("-")] == [("*", "a"), ("=", "b"), (" ", "c")]
    assert "*  best at 9 characters: a with r, 50.0 %" in lines
    assert any(line.startswith("=  no difference from it shown: 1 cell ") for line in lines)


def test_where_all_differ_it_says_so() -> None:
    lines = said([cell("a", 0.5), cell("c", 0.1)], against_best("c", True, True))
    assert "=  none: every other cell is shown to differ, by question and by article" in lines


def test_without_intervals_no_tie_is_claimed() -> None:
    lines = said([cell("a", 0.5), cell("b", 0.4)], against_best("b", None, None))
    assert "=  cannot be told: an interval takes two questions of two articles at least" in lines
    assert not any(line.startswith("=  no") for line in lines)


def test_where_nothing_is_found_nothing_is_best() -> None:
    lines = said([cell("a", 0.0), cell("b", 0.0)], against_best("b", False, False))
    assert lines[-1] == "No cell hands over any of an answer within 9 characters, so none is best."


def test_a_best_cell_that_does_not_keep_to_the_budget_is_doubted() -> None:
    metrics = [cell("a", 0.5, **{"over_budget@9": 0.06}), cell("b", 0.4, **{"over_budget@9": 1.0})]
    told = [line for line in said(metrics, []) if "exceeds that" in line]
    assert told == [
        "   but its first chunk alone exceeds that for 6.0 % of the questions: see what the report recommends"
    ]
    assert not any("exceeds that" in line for line in said([cell("a", 0.5, **{"over_budget@9": 0.05})], []))


def test_chunks_without_a_place_are_said_where_others_have_one() -> None:
    metrics = [cell("a", 0.5), cell("b", 0.4, unplaced=2), cell("c", 0.3, unplaced=9)]  # c rewrites all text
    lines = said(metrics, [])
    told = [line for line in lines if "no place" in line]
    assert told == ["b: 2 of 9 chunks have no place in their document, so that there are no measures on spans."]


def test_few_articles_are_said() -> None:
    lines = said([cell("a", 0.5), cell("b", 0.4)], against_best("b", True, True), MANY[:2])
    assert lines[-1] == "   Only 2 articles have questions that are asked: intervals by article are rough."
    without = article("w", used=0, unanswered=3)
    assert said([cell("a", 0.5)], [], [*MANY[:2], without])[-1] == lines[-1]


def column(name: str, value: float | None) -> tuple[str, str]:
    """The last column, its header and what stands in the row of the only cell."""
    lines = said([cell("a", 0.5, **{name: value})], [], show=[name])
    header, row = lines[2:4]
    return header.split()[-1], row.split()[-1]


@pytest.mark.parametrize("name", ["retrieved_chars@5", "budget_chars@500", "budget_tokens@500", "index_chunks"])
def test_counts_are_shown_as_numbers(name: str) -> None:
    assert column(name, 1234.5) == (name, "1,234")
    assert column(name, 0.75) == (name, "1")
    assert column(name, None) == (name, "-")


COUNTS = ["retrieved_chars@5", "budget_chars@500", "budget_tokens@500", "chunks", "index_chunks", "index_chars"]
COUNTS += ["index_tokens", "chars_mean", "chars_median", "chars_p95", "chars_max", "overlap_mean", "overlap_max"]
COUNTS += ["vectors", "dimensions", "vector_bytes", "embedded_tokens", "over_window"]
MONEY = ["embedding_cost", "embedding_cost_ratio", "vector_bytes_ratio"]


def test_every_other_measure_is_a_share_in_percent() -> None:
    names = tables.shown(measure_names([5], [500], "tokens-cl100k_base"))
    assert {name for name in names if column(name, 0.2551) == (name, "0")} == set(COUNTS)
    assert {name for name in names if column(name, 0.2551) == (name, "25.5")} == {*names} - {*COUNTS, *MONEY}
    assert {name for name in names if column(name, 0.2551) == (name, "0.2551")} == set(MONEY)


def test_what_is_shown_are_the_columns_in_their_order() -> None:
    show = ["overlap_none", "chunks", "mrr@100"]
    lines = said([cell("a", 0.5, **dict(zip(show, (0.5, 3, 0.25), strict=True)))], [], show=show)
    assert lines[2].split() == ["split", "retriever", "budget_recall@9", "±", "chars@9", "over@9", *show]
    assert lines[3].split() == ["*", "a", "r", "50.0", "1.0", "8", "0.0", "50.0", "3", "25.0"]


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_a_budget_in_tokens_is_said_in_tokens(name: str) -> None:
    metrics = [cell("a", 0.5, **{"budget_chars@9": 2500.0, "budget_tokens@9": 1200.4})]
    lines = said(metrics, [], unit=f"tokens-{name}")
    assert lines[2].split()[4:6] == ["tokens@9", "over@9"]
    assert lines[3].split()[5] == "1,200"
    assert lines[5] == (
        "Shares in percent; ± is the standard error of budget_recall; tokens: handed over within the budget."
    )
    assert f"*  best at 9 tokens ({name}): a with r, 50.0 %" in lines
    nothing = said([cell("a", 0.0, **{"budget_tokens@9": 0.0})], [], unit=f"tokens-{name}")
    assert nothing[-1] == f"No cell hands over any of an answer within 9 tokens ({name}), so none is best."


@pytest.mark.parametrize(("origin", "times"), [("faq", 0), ("headings", 1), ("file", 0)])
def test_questions_that_are_headings_are_said_to_be_easier(origin: str, times: int) -> None:
    lines = said([cell(split, 0.5, questions_from=origin) for split in "ab"], [])
    easier = "The questions are headings of the articles: easier than questions that people ask."
    assert lines.count(easier) == times


def test_retrievers_that_find_nothing_for_some_questions_are_named_with_their_worst_cell() -> None:
    metrics = [
        cell("a", 0.5, "bm25", answered=18),
        cell("b", 0.4, "bm25", answered=13),
        cell("a", 0.3, "lsa", answered=20),
        cell("a", 0.2, "own", answered=0),
    ]
    assert [line for line in said(metrics, []) if "retrieved nothing" in line] == [
        "bm25 retrieved nothing for up to 7 of 20 questions.",
        "own retrieved nothing for up to 20 of 20 questions.",
    ]


def test_totals_count_and_name_what_was_not_read() -> None:
    failed = [article(f"f{n}", status="failed", error="is empty") for n in range(6)]
    other = article("x.png", status="left out", error="is a picture")
    warned = article("w", warnings="odd")
    assert reading_totals([*MANY, *failed, other, warned]).splitlines() == [
        "11 articles, 11,000 characters (77 excluded); 33 questions found, 22 used (11 unanswered)",
        "6 not read: f0: is empty; f1: is empty; f2: is empty; f3: is empty; f4: is empty; …",
        "1 left out: x.png: is a picture",
        "1 read with a warning: w: odd",
    ]


@pytest.mark.parametrize(
    ("origin", "found"),
    [("faq", "questions found"), ("headings", "headings taken for questions"), ("file", "questions in the file")],
)
def test_totals_say_where_questions_come_from_and_why_some_are_not_asked(origin: str, found: str) -> None:
    dropped = {"unanswered": 0, "repeated": 2, "short": 3, "elsewhere": 4, "unsampled": 5, "unplaced": 6}
    rows = [article(str(n), questions_from=origin, questions=15, used=1, **dropped) for n in range(2)]
    assert reading_totals(rows) == (
        f"2 articles, 2,000 characters (14 excluded); 30 {found}, 2 used"
        " (4 repeated, 6 short, 8 elsewhere, 10 unsampled, 12 unplaced)"
    )
    assert reading_totals([article("a", questions_from=origin, questions=2, used=2, unanswered=0)]) == (
        f"1 articles, 1,000 characters (7 excluded); 2 {found}, 2 used"
    )
