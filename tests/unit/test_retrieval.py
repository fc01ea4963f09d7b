"""Scores to rankings, and rankings to what is handed over."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.bm25 import bm25_scores
from chunkgrid.measures import ranking_depth
from chunkgrid.retrieval import MARGIN, Approximate, close_up, deep_enough, handed_over, rank, significant
from chunkgrid.scoring import rank_and_cover
from chunkgrid.tables import CHUNKS, QUERIES, table

# Never the middle between two roundings, where the decimal and the binary nearest differ.
digits = st.tuples(st.integers(10**8 + 1, 10**9 - 1), st.floats(-0.49, 0.49), st.integers(-20, -3))


@given(st.lists(digits, min_size=1, max_size=20))
@settings(max_examples=300)
def test_scores_are_rounded_to_9_significant_digits(drawn):
    scores = np.array([(whole + part) * 10.0**exponent for whole, part, exponent in drawn])
    rounded = significant(np.concatenate([scores, -scores, [0.0]])).tolist()
    expected = [float(f"{score:.8e}") for score in scores]
    assert expected == [float(f"{whole}e{exponent}") for whole, _, exponent in drawn]
    assert rounded == [*expected, *(-score for score in expected), 0.0]


@pytest.mark.parametrize(
    ("score", "rounded"),
    [
        (0.1 + 0.2, 0.3),
        (1.23456789449, 1.23456789),
        (123456789.4, 123456789.0),
        (1234567894.0, 1234567890.0),
        (9.9999999996, 10.0),
        (0.00099999999999, 0.001),
        (0.001, 0.001),
        (1000.0, 1000.0),
        (0.0, 0.0),
    ],
)
def test_rounding_by_hand(score, rounded):
    assert significant(np.array([score])).tolist() == [rounded]


def ranked(scores, enough=lambda ranking: True):
    chunks, rounded = rank(np.array(scores, dtype=np.float64), enough)
    return chunks.tolist(), rounded.tolist()


@pytest.mark.parametrize(
    ("scores", "chunks", "rounded"),
    [
        ([0.2, 0.5, 0.1], [1, 0, 2], [0.5, 0.2, 0.1]),
        ([0.3, 0.5, 0.1 + 0.2, 0.3], [1, 0, 2, 3], [0.5, 0.3, 0.3, 0.3]),  # a rounding error decides nothing
        ([0.3, 0.1 + 0.2], [0, 1], [0.3, 0.3]),
        ([0.0, 0.1, -0.5, -0.0, 0.2], [4, 1], [0.2, 0.1]),  # 0 or less is not retrieved
        ([0.0, -1.0], [], []),
        ([], [], []),
    ],
)
def test_ranking_by_hand(scores, chunks, rounded):
    assert ranked(scores) == (chunks, rounded)


def test_equal_texts_rank_in_their_order():
    texts = ["別の話題"] * 3 + ["同じ文章です"] + ["別の話題"] * 3 + ["同じ文章です"] * 3
    (scores,) = bm25_scores(texts, ["同じ文章"])
    assert ranked(scores)[0] == [3, 7, 8, 9]


def full_sort(scores):
    places = [place for place, score in enumerate(scores) if score > 0]
    return sorted(places, key=lambda place: (-float(f"{scores[place]:.8e}"), place))


@given(st.integers(0, 2**32), st.sampled_from([2, 50, 700, 10**6]), st.integers(1, 900))
@settings(max_examples=60)
def test_a_ranking_is_the_start_of_the_full_sort(seed, levels, wanted):
    random = np.random.default_rng(seed)
    scores = random.integers(-levels // 4, levels, 1500) / levels * random.uniform(1 - 1e-13, 1 + 1e-13, 1500)
    chunks, rounded = ranked(scores, lambda ranking: len(ranking) >= wanted)
    expected = full_sort(scores)
    assert chunks == expected[: len(chunks)]
    assert len(chunks) >= min(wanted, len(expected))
    assert rounded == [float(f"{scores[chunk]:.8e}") for chunk in chunks]


@pytest.mark.parametrize(
    ("ranking", "hits", "budget", "enough"),
    [
        ([0, 1], 1, 9, True),
        ([0, 1], 1, 10, False),  # one span of 10: the budget must be exceeded
        ([0, 1], 2, 5, False),  # two chunks, one span
        ([0, 2], 2, 14, True),
        ([0, 2], 2, 15, False),
        ([0, 2, 3], 3, 15, True),
    ],
)
def test_deep_enough_counts_each_span_once(ranking, hits, budget, enough):
    same, lengths = np.array([0, 0, 2, 3]), np.array([10, 10, 5, 5])
    assert deep_enough(same, lengths, hits, budget)(np.array(ranking)) is enough


@pytest.mark.parametrize(
    ("ks", "budgets", "hits", "budget"),
    [([5], [2000], 100, 8000), ([1, 5, 100], [8000, 500], 100, 8000), ([5, 250], [2000, 9000], 250, 9000)],
)
@pytest.mark.parametrize("unit", ["characters", "tokens-cl100k_base"])
def test_a_ranking_goes_to_the_deepest_k_and_budget_and_to_100_and_8000_at_least(ks, budgets, hits, budget, unit):
    assert ranking_depth(ks, budgets, unit) == {"hits": hits, "budget": budget, "unit": unit}


def within(lengths, budget):
    """How many are handed over: the first, and further ones while they fit."""
    return max(int((np.cumsum(lengths) <= budget).sum()), min(1, len(lengths)))


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 150), st.integers(1, 9000))
@settings(max_examples=60)
def test_neither_k_nor_budget_is_cut_short(seed, children, hits, budget):
    random = np.random.default_rng(seed)
    chunks = 1500
    parents = np.arange(chunks) // children
    same, lengths = parents * children, (parents % 7 + 1) * 30
    scores = random.integers(-20, 200, chunks) / 200
    found, _ = rank(scores, deep_enough(same, lengths, hits, budget))
    handed, everything = close_up(found, same), close_up(np.array(full_sort(scores)), same)
    assert handed[:hits].tolist() == everything[:hits].tolist()
    taken = within(lengths[everything], budget)
    assert handed[:taken].tolist() == everything[:taken].tolist()
    assert within(lengths[handed], budget) == taken


def test_the_same_span_of_the_same_article_is_handed_over_once():
    docs = np.array([0, 0, 1, 0, 0, 0])
    starts = np.array([0, 0, 0, 0, np.nan, np.nan])
    ends = np.array([9, 9, 9, 8, np.nan, np.nan])
    assert handed_over(docs, starts, ends).tolist() == [0, 0, 2, 3, 4, 5]


some_spans = st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 7, np.nan]), st.integers(8, 10))


@given(st.lists(some_spans, max_size=12))
def test_each_span_is_that_of_its_first_chunk(spans):
    docs, starts, ends = (np.array([span[side] for span in spans], float) for side in range(3))
    ends[np.isnan(starts)] = np.nan
    expected = [
        number if start != start else spans.index((doc, start, end)) for number, (doc, start, end) in enumerate(spans)
    ]
    assert handed_over(docs.astype(np.int64), starts, ends).tolist() == expected


@pytest.mark.parametrize(
    ("ranking", "spans"),
    [([1, 0, 2], [0, 2]), ([5, 1, 3, 0, 4, 2], [5, 0, 3, 2]), ([2], [2]), ([], [])],
)
def test_ranks_close_up_behind_a_span_handed_over_twice(ranking, spans):
    same = np.array([0, 0, 2, 3, 3, 5])
    assert close_up(np.array(ranking, dtype=np.int64), same).tolist() == spans


def test_rankings_are_tabled_by_question_with_what_they_cover():
    gold = "一二三四五六七八九十"
    chunks = table(
        [
            {"chunk": n, "doc_id": "d", "start": 10 * n, "end": 10 * n + 10, "text": text, "index_text": text}
            for n, text in enumerate(["あ" * 10, gold, "い" * 10])
        ],
        CHUNKS,
    )
    queries = table(
        [
            {"questions_from": "faq", "query_id": name, "doc_id": "d", "query": ""}
            | {"gold": [{"start": 10, "end": 20}], "gold_text": [gold]}
            for name in ("p", "q", "r")
        ],
        QUERIES,
    )
    scores = [np.array(row) for row in ([0.5, 0.25, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.75])]
    rankings, coverage = rank_and_cover(chunks, queries, scores, 100, 2000)
    assert [tuple(row.values()) for row in rankings.to_pylist()] == [
        ("p", 1, 0, 0.5),
        ("p", 2, 1, 0.25),
        ("r", 1, 2, 0.75),
        ("r", 2, 0, 0.5),
        ("r", 3, 1, 0.5),
    ]
    assert coverage["query_id"].to_pylist() == ["p", "q", "r"]
    assert coverage["coverage"].to_pylist() == [[0, 1], [], [0, 0, 1]]
    assert coverage["characters"].to_pylist() == [[10, 20], [], [10, 20, 30]]
    assert coverage["united"].to_pylist() == [[10, 20], [], [10, 20, 30]]
    assert coverage["covered"].to_pylist() == [[0, 10], [], [0, 0, 10]]


# Approximate scores


class Looked:
    """Gives exact scores of some, and knows how many were asked for at most."""

    def __init__(self, scores):
        self.scores, self.most = scores, 0

    def __call__(self, some):
        self.most = max(self.most, len(some))
        return self.scores[some]


def approximated(scores, random, kind=np.float64):
    """Scores off by less than the margin, all the ways there are: down, up, not at all, and as drawn."""
    off = random.choice([-0.99, 0.99, 0.0, random.uniform(-0.99, 0.99)], len(scores)) * MARGIN
    rough = (scores + off).astype(kind)
    assert (abs(rough - scores) < MARGIN).all()
    return rough


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@given(
    seed=st.integers(0, 2**32),
    texts=st.sampled_from([0, 1, 255, 256, 257, 1500]),
    levels=st.sampled_from([1, 3, 40, 10**6]),
    scale=st.sampled_from([1.0, 100 * MARGIN, 3 * MARGIN, MARGIN / 2]),
    wanted=st.sampled_from([0, 1, 100, 256, 600]),
)
@settings(max_examples=150, deadline=None)
def test_ranking_approximate_scores_is_ranking_the_exact_ones(kind, seed, texts, levels, scale, wanted):
    """With few levels most scores are tied; on the smallest scales none is told from another, or from 0, roughly."""
    random = np.random.default_rng(seed)
    exact = random.integers(-levels // 3, levels + 1, texts) / levels * scale
    given_up = rank(exact, lambda ranking: False)  # goes through all
    chunks, scores = rank(Approximate(approximated(exact, random, kind), Looked(exact)), lambda r: len(r) >= wanted)
    assert chunks.tolist() == given_up[0][: len(chunks)].tolist()
    assert scores.tolist() == given_up[1][: len(chunks)].tolist()
    assert len(chunks) >= min(wanted, len(given_up[0]))


@given(st.integers(0, 2**32), st.integers(0, 2000))
@settings(max_examples=60, deadline=None)
def test_what_is_nearer_to_0_than_the_margin_is_told_from_it_exactly(seed, texts):
    random = np.random.default_rng(seed)
    exact = random.choice([0.0, -0.0, 1e-12, -1e-12, MARGIN / 3, -MARGIN / 3, MARGIN * 0.999, 2e-9], texts)
    chunks, scores = rank(Approximate(approximated(exact, random), Looked(exact)), lambda ranking: False)
    assert sorted(chunks.tolist()) == np.flatnonzero(exact > 0).tolist()
    assert (scores > 0).all()


def test_ties_go_by_chunk_whatever_their_approximations_say():
    exact = np.full(5, 0.5)
    rough = exact + np.array([-9, 3, 9, -3, 0]) * 1e-6
    chunks, scores = rank(Approximate(rough, Looked(exact)), lambda ranking: True)
    assert (chunks.tolist(), scores.tolist()) == ([0, 1, 2, 3, 4], [0.5] * 5)


def test_what_is_behind_by_its_approximation_may_be_ahead():
    exact = np.array([0.3, 0.300001, 0.1, 0.0, 1e-9, -1e-9])
    rough = exact + np.array([9, -9, 0, 9, -9, 9]) * 1e-6
    chunks, scores = rank(Approximate(rough, Looked(exact)), lambda ranking: True)
    assert (chunks.tolist(), scores.tolist()) == ([1, 0, 2, 4], [0.300001, 0.3, 0.1, 1e-9])


def test_a_tie_across_the_depth_that_is_looked_at_is_cut_nowhere_in_between():
    """The first 200 are far ahead, 400 are tied: 256 are looked at, and those tied are not taken till all are in."""
    exact = np.r_[np.full(400, 0.25), np.linspace(0.5, 0.9, 200)]
    random = np.random.default_rng(0)
    first, _ = rank(Approximate(approximated(exact, random), Looked(exact)), lambda ranking: len(ranking) >= 200)
    assert first.tolist() == list(range(599, 399, -1))
    more, _ = rank(Approximate(approximated(exact, random), Looked(exact)), lambda ranking: len(ranking) >= 201)
    assert more.tolist() == [*range(599, 399, -1), *range(400)]


def test_exact_scores_are_asked_for_only_as_deep_as_is_enough():
    exact = np.linspace(0.1, 0.9, 100_000)
    looked = Looked(exact)
    chunks, _ = rank(Approximate(exact, looked), lambda ranking: len(ranking) >= 100)
    assert 100 <= len(chunks) <= looked.most == 256
    chunks, _ = rank(Approximate(exact, looked), lambda ranking: len(ranking) >= 300)
    assert 300 <= len(chunks) <= looked.most == 512


@pytest.mark.parametrize("scores", [[], [0.0], [-0.5, -MARGIN]])
def test_approximate_scores_of_nothing_above_0_rank_nothing(scores):
    exact = np.array(scores, np.float64)
    chunks, found = rank(Approximate(exact, Looked(exact)), lambda ranking: True)
    assert (chunks.tolist(), found.tolist()) == ([], [])


def test_approximate_scores_are_tabled_as_the_exact_ones_are():
    texts = [letter * 10 for letter in "abcdefghi"]
    rows = ({"chunk": n, "doc_id": "d", "text": text, "index_text": text} for n, text in enumerate(texts))
    chunks = table(rows, CHUNKS)
    about = {"questions_from": "faq", "doc_id": "d", "query": "", "gold": [{"start": 0, "end": 10}]}
    queries = table(({"query_id": name, **about, "gold_text": [texts[3]]} for name in "pq"), QUERIES)
    random = np.random.default_rng(0)
    exact = random.integers(-2, 5, (2, 9)) * MARGIN / 4
    approximate = [Approximate(approximated(row, random, np.float32), Looked(row)) for row in exact]
    for one, other in zip(
        rank_and_cover(chunks, queries, exact, 100, 2000),
        rank_and_cover(chunks, queries, approximate, 100, 2000),
        strict=True,
    ):
        assert one.equals(other)
