"""What the report advises, by hand."""

from __future__ import annotations

import pytest

from chunkgrid.report.decision import best_of_each, decide, frontier

M = "budget_recall@9"
B = 9


def cell(split: str, recall: float, index_chars: int = 100, over: float = 0.0) -> dict:
    row = {"split": split, "retriever": "r", M: recall, "index_chars": index_chars, "questions": 50}
    return {**row, "over_budget@9": over}


def against(split: str, low: float, high: float, resample: str = "query", other: str = "a") -> dict:
    row = {"measure": M, "split": split, "retriever": "r", "other_split": other, "other_retriever": "r"}
    shown = low > 0 or high < 0
    return {**row, "resample": resample, "low": low, "high": high, "difference": (low + high) / 2, "shown": shown}


def test_of_those_not_distinguishable_the_one_with_the_fewest_indexed_characters() -> None:
    metrics = [cell("a", 0.5, 300), cell("b", 0.48, 200), cell("c", 0.47, 250), cell("d", 0.2, 50)]
    rows = [
        *(against("b", -0.05, 0.01), against("b", -0.06, 0.02, "article")),
        *(against("c", -0.06, -0.01), against("c", -0.07, 0.01, "article")),  # by article it holds 0
        *(against("d", -0.4, -0.2), against("d", -0.5, -0.1, "article")),  # the cheapest, and worse
    ]
    found = decide(metrics, rows, B)
    assert (found.best, found.recommended) == (("a", "r"), ("b", "r"))
    assert found.tied == [("b", "r"), ("c", "r")]
    assert found.against == rows[:2]


def test_hardly_more_characters_are_no_more_and_one_over_the_budget_is_not_taken() -> None:
    metrics = [cell("a", 0.5, 300), cell("b", 0.48, 204), cell("c", 0.47, 200), cell("d", 0.46, 100, over=0.06)]
    rows = [against(split, -0.05, 0.01) for split in "bcd"]
    assert decide(metrics, rows, B).recommended == ("b", "r")
    assert decide([cell("a", 0.5, 300, over=1.0), cell("d", 0.46, 100, over=1.0)], rows, B).recommended == ("a", "r")


def test_where_the_best_is_the_cheapest_it_is_taken_and_compared_with_the_next() -> None:
    metrics = [cell("a", 0.5, 100), cell("b", 0.48, 100), cell("d", 0.2, 50)]
    rows = [against("b", -0.05, 0.01), against("b", -0.06, 0.02, "article"), against("d", -0.4, -0.2)]
    rows.append(against("d", -0.4, -0.2, "article"))
    found = decide(metrics, rows, B)
    assert found.recommended == found.best == ("a", "r")
    assert found.against == rows[:2]


def test_the_smallest_difference_is_by_the_median_error_of_the_wider_intervals() -> None:
    metrics = [cell("a", 0.5), cell("b", 0.4), cell("c", 0.4), cell("d", 0.4)]
    rows = [
        *(against("b", -0.1, 0.1), against("b", -0.2, 0.2, "article")),
        *(against("c", -0.3, 0.1), against("c", -0.1, 0.1, "article")),
        *(against("d", -0.05, 0.05), against("d", -0.05, 0.05, "article")),
    ]
    found = decide(metrics, rows, B)
    error = 0.2 / 1.96  # of b and c; d has less
    assert found.smallest == pytest.approx(2.8016 * error, rel=1e-3)  # 1.96 + 0.8416: shown in 8 of 10
    assert found.needed(found.smallest) == 50
    assert found.needed(found.smallest / 2) == 200


def test_one_cell_has_nothing_to_compare_with() -> None:
    found = decide([cell("a", 0.5)], [], B)
    assert (found.recommended, found.against, found.smallest, found.needed(0.01)) == (("a", "r"), [], None, None)


def test_without_intervals_none_is_tied() -> None:
    null = {**against("b", 0.0, 0.0), "low": None, "high": None, "shown": None}
    one_article = [against("b", -0.05, -0.01), {**null, "resample": "article"}]
    found = decide([cell("a", 0.5, 300), cell("b", 0.48, 200)], one_article, B)
    assert (found.recommended, found.tied) == (("b", "r"), [("b", "r")])  # by article nothing is shown
    found = decide([cell("a", 0.5, 300), cell("b", 0.48, 200)], [null], B)
    assert (found.recommended, found.tied, found.smallest) == (("a", "r"), [], None)


def test_the_best_of_each_name() -> None:
    cells = [("x", "r"), ("y", "r"), ("x", "s"), ("y", "s")]
    assert best_of_each(cells, [0.1, 0.3, 0.2, 0.2], ["r", "r", "s", "s"]) == {"r": ("y", "r"), "s": ("x", "s")}


def test_no_point_is_cheaper_and_better_than_those_of_the_frontier() -> None:
    costs, values = [1.0, 1.0, 2.0, 3.0, 2.5], [0.2, 0.3, 0.3, 0.6, 0.5]
    assert frontier(costs, values) == [1, 4, 3]
    assert frontier([], []) == []
