"""Measures of a question read off its curve, and their means."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import sem
from sklearn.metrics import ndcg_score

from chunkgrid.measures import by_cell, mean_and_error, metric_table, question_table
from chunkgrid.naming import measure_names
from chunkgrid.tables import CEILINGS, COVERAGE, QUERIES, table

# Two gold spans of 300 and 250 characters that share 50. Of six hits the second is of the gold article and holds
# the first span; the fourth holds it all, and 50 characters that the second has too.
GOLD = {"gold_characters": 500, "reference_characters": 550, "touching": 3}
CURVE = {
    "query_id": "q",
    "characters": [800, 1200, 1900, 2300, 2500, 3000],
    "size": None,
    "coverage": [0.0, 0.5, 0.5, 1.0, 1.0, 1.0],
    "span_coverage": [0.0, 0.6, 0.6, 1.0, 1.0, 1.0],
    "gain": [0.0, 0.5, 0.0, 1.0, 0.0, 0.0],
    "ideal_gain": [1.0, 0.5, 0.25],
    "article_rank": 2,
    "relevant_rank": 4,
    "united": [800, 1200, 1900, 2250, 2450, 2950],
    "covered": [0, 300, 300, 500, 500, 500],
    "missed": [550, 200, 200, 0, 0, 0],
    **GOLD,
    "precision_omega": 0.4,
    "chroma_precision_omega": 0.3,
}
SIZE = [300, 500, 900, 1000, 1100, 1300]  # of the same hits in tokens
RANGES = ("united", "covered", "missed", *GOLD, "precision_omega", "chroma_precision_omega")
NO_OFFSETS = dict.fromkeys(("span_coverage", *RANGES))
NOTHING = {
    "query_id": "q",
    **{name: [] for name in ("characters", "coverage", "span_coverage", "gain", "united", "covered", "missed")},
    "size": None,
    "ideal_gain": [0.5],
    "article_rank": None,
    "relevant_rank": None,
    **GOLD,
    "precision_omega": 0.0,
    "chroma_precision_omega": 0.0,
}
TOKENS = "tokens-o200k_base"


def of_hits(**curves):
    """A curve of as many hits as the given ones have, which hand over nothing else."""
    (hits,) = {len(values) for values in curves.values()}
    zeros = {name: [0] * hits for name, value in NOTHING.items() if value == []}
    return {**NOTHING, **zeros, "missed": [550] * hits, **curves}


def all_measured(curves, best, ks, budgets):
    """Measures of questions by name, from curves of different questions in one cell; `best` by budget."""
    unit = "characters" if curves[0]["size"] is None else TOKENS
    ids = [curve["query_id"] for curve in curves]
    queries = table(({"query_id": name, "doc_id": "d", "questions_from": "faq"} for name in ids), QUERIES)
    ceilings = table(
        ({"query_id": name, "budget": budget, "best": best[budget]} for name in ids for budget in budgets), CEILINGS
    )
    cell = ("split", "retriever")
    found = question_table(queries, [(cell, table(curves, COVERAGE))], {"split": ceilings}, ks, budgets, unit)
    return found.select(measure_names(ks, budgets, unit)).to_pylist()


def measured(curve, best=0.0, k=5, budget=2000):
    (found,) = all_measured([curve], {budget: best}, [k], [budget])
    return found


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
        "precision@5": 500 / 2450,
        "iou@5": 500 / 2450,
        "chroma_recall@5": 500 / 550,
        "chroma_precision@5": 500 / 2500,
        "chroma_iou@5": 500 / 2500,
        "mrr@100": 0.25,
        "precision_omega": 0.4,
        "chroma_precision_omega": 0.3,
        "chroma_recall@-1": 300 / 550,  # of three hits, since three chunks touch the gold
        "chroma_precision@-1": 300 / 1900,
        "chroma_iou@-1": 300 / (1900 + 200),
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
        ("precision", 3, 300 / 1900),
        ("iou", 3, 300 / (1900 + 500 - 300)),
        ("iou", 4, 500 / 2250),
        ("chroma_recall", 1, 0.0),
        ("chroma_recall", 3, 300 / 550),
        ("chroma_precision", 4, 500 / 2300),
        ("chroma_iou", 3, 300 / (1900 + 200)),
        ("precision", 50, 500 / 2950),
        ("chroma_precision", 50, 500 / 3000),
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
    characters = np.cumsum(lengths, dtype=np.int64).tolist()
    curve = of_hits(characters=characters, coverage=[rank / 9 for rank in range(1, len(lengths) + 1)])
    found = measured(curve, budget=budget)
    assert found[f"budget_recall@{budget}"] == taken / 9
    assert found[f"budget_chars@{budget}"] == sum(lengths[:taken])
    assert found[f"over_budget@{budget}"] == over_budget
    assert f"budget_tokens@{budget}" not in found
    # The same lengths in tokens, of texts that have three characters a token.
    of_tokens = measured({**curve, "size": characters, "characters": [3 * size for size in characters]}, budget=budget)
    assert of_tokens[f"budget_tokens@{budget}"] == sum(lengths[:taken])
    assert of_tokens[f"budget_chars@{budget}"] == 3 * sum(lengths[:taken])
    assert of_tokens[f"over_budget@{budget}"] == over_budget


@pytest.mark.parametrize(
    ("budget", "recall", "span_recall", "tokens", "chars", "over_budget"),
    [
        (1000, 1.0, 1.0, 1000, 2300, 0.0),  # four hits; of characters it would be one
        (999, 0.5, 0.6, 900, 1900, 0.0),
        (300, 0.0, 0.0, 300, 800, 0.0),
        (299, 0.0, 0.0, 300, 800, 1.0),
        (500, 0.5, 0.6, 500, 1200, 0.0),
        (9000, 1.0, 1.0, 1300, 3000, 0.0),
    ],
)
def test_a_budget_in_tokens_by_hand(budget, recall, span_recall, tokens, chars, over_budget):
    found = measured({**CURVE, "size": SIZE}, 0.75, budget=budget)
    names = ("budget_recall", "budget_span_recall", "budget_tokens", "budget_chars", "over_budget")
    assert [found[f"{name}@{budget}"] for name in names] == [recall, span_recall, tokens, chars, over_budget]
    in_article = budget >= 500  # the second hit is within it
    assert found[f"loss_article@{budget}"] == (0 if in_article else 0.75)
    assert found[f"loss_place@{budget}"] == (max(0.75, recall) - recall if in_article else 0)


def test_nothing_retrieved_is_zero_and_the_articles_fault():
    found = measured(NOTHING, 0.75)
    assert {name: value for name, value in found.items() if value} == {
        "loss_split@2000": 0.25,
        "loss_article@2000": 0.75,
    }
    assert None not in found.values()
    of_tokens = measured({**NOTHING, "size": []}, 0.75)
    assert of_tokens == {**found, "budget_tokens@2000": 0.0}


OF_RANGES = [
    *("precision@5", "iou@5", "chroma_recall@5", "chroma_precision@5", "chroma_iou@5"),
    *("precision_omega", "chroma_precision_omega"),
    *("chroma_recall@-1", "chroma_precision@-1", "chroma_iou@-1"),
]


def test_without_offsets_measures_of_spans_and_ranges_are_null_and_no_others():
    with_offsets, without = measured(CURVE), measured({**CURVE, **NO_OFFSETS})
    lacking = {name for name in with_offsets if without[name] is None}
    assert lacking == {"span_recall@5", "budget_span_recall@2000", *OF_RANGES}
    assert all(without[name] == value for name, value in with_offsets.items() if name not in lacking)


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
    curve = {**CURVE, "coverage": [0.0, 0.0, 0.0, 0.5, 0.5, 0.5], "article_rank": 4}
    found = measured(curve, 0.75)
    assert (found["loss_article@2000"], found["loss_place@2000"]) == (0.75, 0.0)
    found = measured(curve, 0.75, budget=2300)
    assert (found["loss_article@2300"], found["loss_place@2300"]) == (0.0, 0.25)


@st.composite
def curves(draw):
    """Curves that can be: coverage rises, and only from the gold article's first hit on."""
    hits = draw(st.integers(0, 12))
    lengths, tokens = (draw(st.lists(st.integers(1, 3000), min_size=hits, max_size=hits)) for _ in range(2))
    gains = draw(st.lists(st.floats(0, 1), min_size=hits, max_size=hits))
    rank = draw(st.none() | st.integers(1, hits)) if hits else None
    gains = [gain if rank and number >= rank else 0.0 for number, gain in enumerate(gains, 1)]
    coverage = np.maximum.accumulate(gains).tolist() if hits else []
    characters, size = (np.cumsum(counts, dtype=np.int64).tolist() for counts in (lengths, tokens))
    curve = of_hits(characters=characters, size=size, coverage=coverage, span_coverage=coverage, gain=gains)
    held = [round(500 * share) for share in coverage]
    curve |= {"united": characters, "covered": held, "missed": [550 - count for count in held]}
    ideal = sorted((gain for gain in gains if gain), reverse=True)
    return {**curve, "article_rank": rank, "ideal_gain": [*ideal, *draw(st.sampled_from([[], [0.01]]))]}


@given(curves(), st.booleans(), st.floats(0, 1), st.integers(1, 9000))
@settings(max_examples=300, deadline=None)
def test_losses_add_up_to_what_is_not_covered(curve, in_tokens, best, budget):
    found = measured(curve if in_tokens else {**curve, "size": None}, best, budget=budget)
    losses = [found[f"loss_{of}@{budget}"] for of in ("split", "article", "place")]
    assert sum(losses) == pytest.approx(1 - found[f"budget_recall@{budget}"])
    assert min(losses) >= 0
    assert 0 in losses[1:]


@given(curves(), st.floats(0, 1), st.integers(1, 9000))
@settings(deadline=None)
def test_a_budget_in_tokens_is_of_tokens_alone(curve, best, budget):
    """Hits of as many tokens as characters, and then of half as many."""
    characters = measured({**curve, "size": None}, best, budget=budget)
    handed = characters[f"budget_chars@{budget}"]
    in_tokens = {**curve, "size": curve["characters"]}
    assert measured(in_tokens, best, budget=budget) == characters | {f"budget_tokens@{budget}": handed}
    longer = measured({**in_tokens, "characters": [2 * count for count in curve["characters"]]}, best, budget=budget)
    assert longer[f"budget_tokens@{budget}"] == handed
    assert longer[f"budget_chars@{budget}"] == 2 * handed
    for name in ("budget_recall", "over_budget", "loss_split", "loss_article", "loss_place"):
        assert longer[f"{name}@{budget}"] == characters[f"{name}@{budget}"]


@given(st.lists(curves(), min_size=1, max_size=5), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_measures_of_a_question_do_not_hang_on_the_others(drawn, in_tokens, with_offsets):
    """All of a cell at once, one by one, and from a table that begins within another and consists of pieces."""
    drawn = [{**curve, "query_id": f"q{number}"} for number, curve in enumerate(drawn)]
    for curve in drawn:
        curve |= {} if in_tokens else {"size": None}
        curve |= {} if with_offsets else NO_OFFSETS
    ks, budgets = [1, 3, 200], {900: 0.5, 4000: 0.75}
    apart = [all_measured([curve], budgets, ks, list(budgets))[0] for curve in drawn]
    assert all_measured(drawn, budgets, ks, list(budgets)) == apart
    unit = TOKENS if in_tokens else "characters"
    ids = [f"q{number}" for number in range(len(drawn))]
    queries = table(({"query_id": name, "doc_id": "d", "questions_from": "faq"} for name in ids), QUERIES)
    best = table(
        ({"query_id": name, "budget": budget, "best": best} for name in ids for budget, best in budgets.items()),
        CEILINGS,
    )
    whole = table([{**CURVE, "size": SIZE if in_tokens else None}, *drawn], COVERAGE)
    halves = [whole.slice(1, len(drawn) // 2), whole.slice(1 + len(drawn) // 2)]
    for coverage in (whole.slice(1), pa.concat_tables(halves)):
        found = question_table(queries, [(("s", "r"), coverage)], {"s": best}, ks, list(budgets), unit)
        assert found["query_id"].to_pylist() == ids
        assert found.select(measure_names(ks, list(budgets), unit)).to_pylist() == apart


def ndcg(gain, ideal, k):
    return measured({**of_hits(gain=gain), "ideal_gain": ideal}, k=k)[f"ndcg@{k}"]


gains = st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), min_size=2, max_size=30)


@given(gains, st.integers(1, 12))
@settings(max_examples=150, deadline=None)
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


AT_3 = [
    *("recall@3", "span_recall@3", "complete@3", "article_hit@3", "hit@3", "ndcg@3", "retrieved_chars@3"),
    *("precision@3", "iou@3", "chroma_recall@3", "chroma_precision@3", "chroma_iou@3"),
]
AT_ALL = ["mrr@100", *OF_RANGES[5:]]
AT_500 = ["budget_recall@500", "budget_span_recall@500", "budget_chars@500", "over_budget@500"]
LOST_AT_500 = ["loss_split@500", "loss_article@500", "loss_place@500"]


@pytest.mark.parametrize(
    ("unit", "tokens"),
    [("characters", []), ("tokens-cl100k_base", ["budget_tokens@500"]), (TOKENS, ["budget_tokens@500"])],
)
def test_measures_in_their_order(unit, tokens):
    assert measure_names([3], [500], unit) == [*AT_3, *AT_ALL, *AT_500, *tokens, *LOST_AT_500]


def test_measures_at_several_k_and_budgets_stand_by_k_and_by_budget():
    names = measure_names([3, 5], [500, 2000], "characters")
    at_5, lost = ([name.replace("@3", "@5") for name in AT_3], [*AT_500, *LOST_AT_500])
    assert names == [*AT_3, *at_5, *AT_ALL, *lost, *(name.replace("@500", "@2000") for name in lost)]
    (found,) = all_measured([CURVE], {2000: 0.75, 500: 0.25}, [3, 5], [500, 2000])
    apart = {**measured(CURVE, 0.25, 3, 500), **measured(CURVE, 0.75, 5, 2000)}
    assert found == apart


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


def tabled(size=None, budget=2000, unit="characters"):
    """The measures of two questions in two cells; the split `b` has no offsets, nothing is retrieved for p in `a`."""
    queries = table(
        ({"query_id": name, "doc_id": f"of {name}", "questions_from": "file"} for name in ("p", "q")), QUERIES
    )
    curve = {**CURVE, "size": size}
    blank = {**curve, **NO_OFFSETS}
    curves_of = {
        ("b", "lsa"): [{**blank, "query_id": "p"}, {**blank, "query_id": "q"}],
        ("a", "lsa"): [{**curve, "query_id": "q"}, {**NOTHING, "query_id": "p", "size": size and []}],
    }
    best = {"a": {"p": 0.75, "q": 1.0}, "b": {"p": 0.5, "q": 0.5}}
    ceilings = {
        split: table(({"query_id": q, "budget": budget, "best": value} for q, value in of.items()), CEILINGS)
        for split, of in best.items()
    }
    coverage = [(cell, table(rows, COVERAGE)) for cell, rows in curves_of.items()]
    return question_table(queries, coverage, ceilings, [3], [budget], unit)


def test_every_question_of_every_cell_is_a_row():
    rows = tabled().to_pylist()
    columns = ("split", "retriever", "query_id", "doc_id", "answered", "recall@3", "span_recall@3", "loss_split@2000")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("b", "lsa", "p", "of p", True, 0.5, None, 0.5),
        ("b", "lsa", "q", "of q", True, 0.5, None, 0.5),
        ("a", "lsa", "q", "of q", True, 0.5, 0.6, 0.0),
        ("a", "lsa", "p", "of p", False, 0.0, 0.0, 0.25),
    ]
    assert [row["precision@3"] for row in rows] == [None, None, 300 / 1900, 0.0]
    assert [row["questions_from"] for row in rows] == ["file"] * 4
    assert list(rows[0])[:6] == ["split", "retriever", "questions_from", "query_id", "doc_id", "answered"]
    assert list(rows[0])[6:] == measure_names([3], [2000], "characters")


NO_COSTS: dict = {("a", "lsa"): {}, ("b", "lsa"): {}}


def test_rows_of_a_budget_in_tokens():
    questions = tabled(SIZE, 900, TOKENS)
    columns = ("split", "query_id", "budget_recall@900", "budget_tokens@900", "budget_chars@900", "loss_split@900")
    assert [tuple(row[name] for name in columns) for row in questions.to_pylist()] == [
        ("b", "p", 0.5, 900.0, 1900.0, 0.5),
        ("b", "q", 0.5, 900.0, 1900.0, 0.5),
        ("a", "q", 0.5, 900.0, 1900.0, 0.0),
        ("a", "p", 0.0, 0.0, 0.0, 0.25),
    ]
    metrics = metric_table(questions, {"a": {}, "b": {}}, NO_COSTS, [3], [900], TOKENS).to_pylist()
    assert [(row["split"], row["budget_tokens@900"], row["budget_tokens@900_se"]) for row in metrics] == [
        ("b", 900.0, 0.0),
        ("a", 450.0, pytest.approx(450)),  # 636.4 / sqrt 2
    ]


def test_cells_hold_their_questions_sorted_by_id():
    cells = by_cell(tabled(), ["recall@3", "span_recall@3"])
    assert list(cells) == [("b", "lsa"), ("a", "lsa")]
    np.testing.assert_array_equal(cells["b", "lsa"], [[0.5, np.nan], [0.5, np.nan]])
    np.testing.assert_array_equal(cells["a", "lsa"], [[0.0, 0.0], [0.5, 0.6]])


def test_means_stand_beside_the_measures_of_their_split():
    splits = {"a": {"chunks": 7, "table_cut": 0.5}, "b": {"chunks": 9, "table_cut": None}}
    costs = {("a", "lsa"): {"vectors": 5, "embedding_cost": 0.5}, ("b", "lsa"): {"vectors": 7}}
    metrics = metric_table(tabled(), splits, costs, [3], [2000], "characters")
    columns = ("split", "questions", "answered", "recall@3", "recall@3_se", "span_recall@3", "span_recall@3_se")
    assert [tuple(row[name] for name in columns) for row in metrics.to_pylist()] == [
        ("b", 2, 2, 0.5, 0.0, None, None),
        ("a", 2, 1, 0.25, pytest.approx(0.25), 0.3, pytest.approx(0.3)),
    ]
    assert metrics["questions_from"].to_pylist() == ["file", "file"]
    assert metrics["chroma_iou@-1"].to_pylist() == [None, pytest.approx(300 / 2100 / 2)]
    assert metrics.select(["vectors", "embedding_cost"]).to_pylist() == [
        {"vectors": 7, "embedding_cost": None},
        {"vectors": 5, "embedding_cost": 0.5},
    ]
    assert metrics.select(["chunks", "table_cut"]).to_pylist() == [splits["b"], splits["a"]]
    assert metrics.schema.field("chunks").type == pa.int64()
