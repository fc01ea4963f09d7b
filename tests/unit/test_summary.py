"""What is said at the end of a run, and what is not claimed."""

from __future__ import annotations

from chunkgrid.summary import reading_totals, summary


def cell(split: str, recall: float) -> dict:
    figures = {"budget_recall@9": recall, "budget_recall@9_se": 0.01, "budget_chars@9": 8.0, "over_budget@9": 0.0}
    return {"split": split, "retriever": "r", **figures, "recall@1": recall, "table_cut": None}


def against_best(split: str, *shown: bool | None) -> list[dict]:
    row = {"measure": "budget_recall@9", "split": split, "retriever": "r", "other_split": "a", "other_retriever": "r"}
    return [{**row, "shown": value} for value in shown]


def article(doc_id: str, **fields: object) -> dict:
    row = {"doc_id": doc_id, "status": "read", "characters": 1000, "excluded": 7, "questions": 3, "used": 2}
    return row | {"unanswered": 1, "repeated": 0, "short": 0, "unsampled": 0, "warnings": "", "error": ""} | fields


MANY = [article(str(n)) for n in range(10)]


def said(metrics: list, intervals: list, reading: list = MANY) -> list[str]:
    return summary(metrics, intervals, reading, 1, 9).splitlines()


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


def test_few_articles_are_said() -> None:
    lines = said([cell("a", 0.5), cell("b", 0.4)], against_best("b", True, True), MANY[:2])
    assert lines[-1] == "   Only 2 articles have questions that are asked: intervals by article are rough."


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
