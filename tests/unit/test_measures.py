"""Measures of a question read off its curve, and their means."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import sem
from sklearn.metrics import ndcg_score

from chunkgrid.measures import (
    by_cell,
    mean_and_error,
    measure_names,
    metric_table,
    ndcg,
    question_measures,
    question_table,
    taken_within,
)
from chunkgrid.tables import CEILINGS, COVERAGE, QUERIES, table

# Six hits; the second is of the gold article, the fourth holds it all.
CURVE = {
    "query_id": "q",
    "characters": [800, 1200, 1900, 2300, 2500, 3000],
    "coverage": [0.0, 0.5, 0.5, 1.0, 1.0, 1.0],
    "span_coverage": [0.0, 0.6, 0.6, 1.0, 1.0, 1.0],
    "gain": [0.0, 0.5, 0.0, 1.0, 0.0, 0.0],
    "ideal_gain": [1.0, 0.5, 0.25],
    "article_rank": 2,
    "relevant_rank": 4,
}
NOTHING = {
    "query_id": "q",
    **{name: [] for name in ("characters", "coverage", "span_coverage", "gain")},
    "ideal_gain": [0.5],
    "article_rank": None,
    "relevant_rank": None,
}


def measured(curve, best=0.0, k=5, budget=2000):
    return question_measures(curve, {budget: best}, [k], [budget])


def test_every_measure_by_hand():
    assert measured(CURVE, 0.75) == {
        "recall@5": 1.0,
        "span_recall@5": 1.0,
        "complete@5": 1.0,
        "article_hit@5": 1.0,
        "hit@5": 1.0,
        # 0.5 / log2 3 + 1 / log2 5 over 1 + 0.5 / log2 3 + 0.25 / log2 4
        "ndcg@5": pytest.approx((0.3154648768 + 0.4306765581) / (1 + 0.3154648768 + 0.125)),
        "retrieved_chars@5": 2500.0,
        "mrr@100": 0.25,
        "budget_recall@2000": 0.5,  # three hits of 1,900 characters
        "budget_span_recall@2000": 0.6,
        "budget_chars@2000": 1900.0,
        "over_budget@2000": 0.0,
        "loss_split@2000": 0.25,
        "loss_article@2000": 0.0,
        "loss_place@2000": 0.25,
    }


@pytest.mark.parametrize(
    ("name", "k", "value"),
    [
        ("recall", 1, 0.0),
        ("recall", 3, 0.5),
        ("span_recall", 3, 0.6),
        ("complete", 3, 0.0),
        ("complete", 4, 1.0),
        ("article_hit", 1, 0.0),
        ("article_hit", 2, 1.0),
        ("hit", 3, 0.0),
        ("hit", 4, 1.0),
        ("ndcg", 1, 0.0),
        ("ndcg", 2, 0.3154648768 / 1.3154648768),
        ("retrieved_chars", 2, 1200.0),
        ("retrieved_chars", 50, 3000.0),  # fewer hits than k: all of them
        ("recall", 50, 1.0),
    ],
)
def test_measures_at_k_by_hand(name, k, value):
    assert measured(CURVE, k=k)[f"{name}@{k}"] == pytest.approx(value)


@pytest.mark.parametrize(("coverage", "complete"), [(0.9499999, 0.0), (0.95, 1.0)])
def test_complete_is_a_coverage_of_0_95(coverage, complete):
    assert measured({**CURVE, "coverage": [coverage] * 6})["complete@5"] == complete


@pytest.mark.parametrize(("rank", "value"), [(1, 1.0), (3, 1 / 3), (100, 0.01), (101, 0.0), (None, 0.0)])
def test_mrr_looks_at_the_first_100(rank, value):
    assert measured({**CURVE, "relevant_rank": rank})["mrr@100"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("lengths", "budget", "taken", "over_budget"),
    [
        ([1600] * 5, 2000, 1, 0.0),
        ([2500] * 5, 2000, 1, 1.0),  # the first is always taken
        ([1000] * 5, 2000, 2, 0.0),  # up to the budget, itself included
        ([1000, 1001], 2000, 1, 0.0),
        ([400, 1700, 100], 2000, 1, 0.0),  # stops at the first that does not fit
        ([2000, 1], 2000, 1, 0.0),
        ([2001, 1], 2000, 1, 1.0),
        ([300, 300], 2000, 2, 0.0),
        ([], 2000, 0, 0.0),
    ],
)
def test_the_budget_rule_by_hand(lengths, budget, taken, over_budget):
    characters = np.cumsum(lengths).tolist()
    assert taken_within(characters, budget) == taken
    curve = {**NOTHING, "characters": characters}
    curve |= dict.fromkeys(("coverage", "span_coverage", "gain"), [0.0] * len(lengths))
    found = measured(curve, budget=budget)
    assert found[f"budget_chars@{budget}"] == sum(lengths[:taken])
    assert found[f"over_budget@{budget}"] == over_budget


def test_nothing_retrieved_is_zero_and_the_articles_fault():
    found = measured(NOTHING, 0.75)
    assert {name: value for name, value in found.items() if value} == {
        "loss_split@2000": 0.25,
        "loss_article@2000": 0.75,
    }
    assert None not in found.values()


def test_without_offsets_span_measures_are_null_and_no_others():
    found = measured({**CURVE, "span_coverage": None})
    assert [name for name, value in found.items() if value is None] == ["span_recall@5", "budget_span_recall@2000"]


@pytest.mark.parametrize(
    ("article_rank", "best", "losses"),
    [
        (2, 0.75, (0.25, 0.0, 0.25)),
        (2, 0.25, (0.5, 0.0, 0.0)),  # reached more than the greedy ceiling: that is the ceiling
        (2, 0.5, (0.5, 0.0, 0.0)),
    ],
)
def test_losses_by_hand(article_rank, best, losses):
    found = measured({**CURVE, "article_rank": article_rank}, best)
    assert tuple(found[f"loss_{of}@2000"] for of in ("split", "article", "place")) == pytest.approx(losses)


def test_an_article_that_comes_after_the_budget_is_missed():
    curve = {**CURVE, "coverage": [0, 0, 0, 0.5, 0.5, 0.5], "article_rank": 4}
    found = measured(curve, 0.75)
    assert (found["loss_article@2000"], found["loss_place@2000"]) == (0.75, 0.0)
    found = measured(curve, 0.75, budget=2300)
    assert (found["loss_article@2300"], found["loss_place@2300"]) == (0.0, 0.25)


@st.composite
def curves(draw):
    """Curves that can be: coverage rises, and only from the gold article's first hit on."""
    hits = draw(st.integers(0, 12))
    lengths = draw(st.lists(st.integers(1, 3000), min_size=hits, max_size=hits))
    gains = draw(st.lists(st.floats(0, 1), min_size=hits, max_size=hits))
    rank = draw(st.none() | st.integers(1, hits)) if hits else None
    gains = [gain if rank and number >= rank else 0.0 for number, gain in enumerate(gains, 1)]
    coverage = np.maximum.accumulate(gains).tolist() if hits else []
    shared = {"characters": np.cumsum(lengths).tolist(), "coverage": coverage, "span_coverage": coverage}
    return {**NOTHING, **shared, "gain": gains, "article_rank": rank}


@given(curves(), st.floats(0, 1), st.integers(1, 9000))
@settings(max_examples=300)
def test_losses_add_up_to_what_is_not_covered(curve, best, budget):
    found = measured(curve, best, budget=budget)
    losses = [found[f"loss_{of}@{budget}"] for of in ("split", "article", "place")]
    assert sum(losses) == pytest.approx(1 - found[f"budget_recall@{budget}"])
    assert min(losses) >= 0
    assert 0 in losses[1:]


gains = st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), min_size=2, max_size=30)


@given(gains, st.integers(1, 12))
@settings(max_examples=150)
def test_ndcg_is_sklearns(gain, k):
    ideal = sorted((value for value in gain if value), reverse=True)
    assert ndcg(gain, ideal, k) == pytest.approx(ndcg_score([gain], [range(len(gain), 0, -1)], k=k))


@pytest.mark.parametrize(
    ("gain", "ideal", "k", "value"),
    [
        ([0.5], [1.0], 5, 0.5),
        ([1.0, 0.5], [1.0, 0.5], 5, 1.0),
        ([0.0, 1.0], [1.0], 5, 0.6309297536),  # 1 / log2 3
        ([0.0, 1.0], [1.0, 1.0], 1, 0.0),  # only the k best count, found and ideal
        ([1.0, 0.0], [1.0, 1.0], 1, 1.0),
        ([0.0], [], 5, 0.0),  # nothing to be found
        ([], [1.0], 5, 0.0),
    ],
)
def test_ndcg_by_hand(gain, ideal, k, value):
    assert ndcg(gain, ideal, k) == pytest.approx(value)


def test_names_stand_in_the_order_of_what_is_measured():
    curve = {name: value for name, value in CURVE.items() if name != "query_id"}
    found = question_measures(curve, {500: 0.5, 2000: 0.5}, [3, 5], [500, 2000])
    assert sorted(found) == sorted(measure_names([3, 5], [500, 2000]))
    assert len(found) == 2 * 7 + 1 + 2 * 7


@pytest.mark.parametrize(
    ("values", "mean", "error"),
    [
        ([0.0, 0.5, 1.0], 0.5, 0.2886751346),  # s = 0.5, / sqrt 3
        ([0.0, 1.0], 0.5, 0.5),
        ([1.0, 1.0, 1.0], 1.0, 0.0),
        ([0.25], 0.25, None),
        ([0.0, np.nan], None, None),
        ([], None, None),
    ],
)
def test_mean_and_standard_error_by_hand(values, mean, error):
    assert mean_and_error(np.array(values)) == (pytest.approx(mean), pytest.approx(error))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=50))
@settings(max_examples=50)
def test_mean_and_standard_error_are_scipys(values):
    assert mean_and_error(np.array(values)) == pytest.approx((np.mean(values), sem(values)), abs=1e-15)


def tabled():
    """The measures of two questions in two cells; the split `b` has no offsets."""
    queries = table(({"query_id": name, "doc_id": f"of {name}"} for name in ("p", "q")), QUERIES)
    blank = {**CURVE, "span_coverage": None}
    curves_of = {
        ("b", "lsa"): [{**blank, "query_id": "p"}, {**blank, "query_id": "q"}],
        ("a", "lsa"): [{**CURVE, "query_id": "q"}, {**NOTHING, "query_id": "p"}],
    }
    best = {"a": {"p": 0.75, "q": 1.0}, "b": {"p": 0.5, "q": 0.5}}
    ceilings = {
        split: table(({"query_id": q, "budget": 2000, "best": value} for q, value in of.items()), CEILINGS)
        for split, of in best.items()
    }
    coverage = [(cell, table(rows, COVERAGE)) for cell, rows in curves_of.items()]
    return question_table(queries, coverage, ceilings, [3], [2000])


def test_every_question_of_every_cell_is_a_row():
    rows = tabled().to_pylist()
    columns = ("split", "retriever", "query_id", "doc_id", "recall@3", "span_recall@3", "loss_split@2000")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("b", "lsa", "p", "of p", 0.5, None, 0.5),
        ("b", "lsa", "q", "of q", 0.5, None, 0.5),
        ("a", "lsa", "q", "of q", 0.5, 0.6, 0.0),
        ("a", "lsa", "p", "of p", 0.0, 0.0, 0.25),
    ]


def test_cells_hold_their_questions_sorted_by_id():
    cells = by_cell(tabled(), ["recall@3", "span_recall@3"])
    assert list(cells) == [("b", "lsa"), ("a", "lsa")]
    np.testing.assert_array_equal(cells["b", "lsa"], [[0.5, np.nan], [0.5, np.nan]])
    np.testing.assert_array_equal(cells["a", "lsa"], [[0.0, 0.0], [0.5, 0.6]])


def test_means_stand_beside_the_measures_of_their_split():
    splits = {"a": {"chunks": 7, "table_cut": 0.5}, "b": {"chunks": 9, "table_cut": None}}
    metrics = metric_table(tabled(), splits, [3], [2000])
    columns = ("split", "questions", "recall@3", "recall@3_se", "span_recall@3", "span_recall@3_se")
    assert [tuple(row[name] for name in columns) for row in metrics.to_pylist()] == [
        ("b", 2, 0.5, 0.0, None, None),
        ("a", 2, 0.25, pytest.approx(0.25), 0.3, pytest.approx(0.3)),
    ]
    assert metrics.select(["chunks", "table_cut"]).to_pylist() == [splits["b"], splits["a"]]
    assert metrics.schema.field("chunks").type == pa.int64()
