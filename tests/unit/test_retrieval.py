"""Scores to rankings, and rankings to what is handed over."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.bm25 import bm25_scores
from chunkgrid.handed import Handed, handed_over
from chunkgrid.naming import ranking_depth
from chunkgrid.retrieval import MARGIN, Approximate, needed, rank, significant
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


@pytest.mark.parametrize(
    ("score", "rounded"),
    [
        (1.23456789449e300, 1.23456789e300),
        (1.7976931348623157e308, 1.79769313e308),  # the largest there is
        (1.23456789449e-290, 1.23456789e-290),
        (1.23456789449e-305, 1.23456789449e-305),  # under 1e-290 as it is
        (1e-310, 1e-310),  # too small for all its bits
    ],
)
def test_rounding_of_the_largest_and_the_smallest_by_hand(score, rounded):
    assert significant(np.array([score, -score])).tolist() == pytest.approx([rounded, -rounded], rel=1e-15, abs=1e-323)


@given(st.lists(st.floats(1e-290, 1.7e308), min_size=1, max_size=20))
@settings(max_examples=300)
def test_rounding_moves_a_score_by_half_a_digit_at_most_and_past_no_other(drawn):
    scores = np.sort(np.array(drawn))
    rounded = significant(scores)
    np.testing.assert_allclose(rounded, scores, rtol=5.00001e-9, atol=0)
    assert (np.diff(rounded) >= 0).all()
    np.testing.assert_array_equal(significant(rounded), rounded)


def everything(ranking):
    """Asks for all, in that nothing is deep enough."""


def first(count):
    """Asks for so many."""
    return lambda ranking: count if len(ranking) >= count else None


def ranked(scores, needed=everything):
    chunks, rounded = rank(np.array(scores, dtype=np.float64), needed)
    return chunks.tolist(), rounded.tolist()


@pytest.mark.parametrize(
    ("scores", "chunks", "rounded"),
    [
        ([0.2, 0.5, 0.1], [1, 0, 2], [0.5, 0.2, 0.1]),
        ([0.3, 0.5, 0.1 + 0.2, 0.3], [1, 0, 2, 3], [0.5, 0.3, 0.3, 0.3]),  # a rounding error decides nothing
        ([0.3, 0.1 + 0.2], [0, 1], [0.3, 0.3]),
        ([0.0, 0.1, -0.5, -0.0, 0.2], [4, 1], [0.2, 0.1]),  # 0 or less is not retrieved
        ([0.0, -1.0], [], []),
        ([-0.5, 0.0, 1e-300, -0.0], [2], [1e-300]),
        ([], [], []),
    ],
)
def test_ranking_by_hand(scores, chunks, rounded):
    assert ranked(scores) == (chunks, rounded)


def test_equal_texts_rank_in_their_order():
    texts = ["別の話題"] * 3 + ["同じ文章です"] + ["別の話題"] * 3 + ["同じ文章です"] * 3
    (scores,) = bm25_scores(texts, ["同じ文章"])
    assert ranked(scores)[0] == [3, 7, 8, 9]


def spelt(score):
    """A score to 9 digits, as it is written; the least are left as they are."""
    return float(f"{score:.8e}") if score > 1e-290 else float(score)


def full_sort(scores):
    places = [place for place, score in enumerate(scores) if score > 0]
    return sorted(places, key=lambda place: (-spelt(scores[place]), place))


@given(st.integers(0, 2**32), st.sampled_from([2, 50, 700, 10**6]), st.integers(1, 900))
@settings(max_examples=60)
def test_a_ranking_is_the_start_of_the_full_sort(seed, levels, wanted):
    random = np.random.default_rng(seed)
    scores = random.integers(-levels // 4, levels, 1500) / levels * random.uniform(1 - 1e-13, 1 + 1e-13, 1500)
    chunks, rounded = ranked(scores, first(wanted))
    assert chunks == full_sort(scores)[:wanted]
    assert rounded == [spelt(scores[chunk]) for chunk in chunks]


PLACE = np.arange(3001)
RISING = (PLACE + 1) / 3001
LOOKED_AT = PLACE % 8 == 0  # to guess what the best reach
NEAR = {
    "all equal": np.full(3001, 0.5),
    "none but 0": np.where(PLACE % 2, 0.0, -0.0),
    "none above 0": -RISING,
    "one above 0, of those that are looked at": np.where(PLACE == 8, 0.5, -RISING),
    "one above 0, of the others": np.where(PLACE == 9, 0.5, 0.0),
    "rising": RISING,
    "falling": RISING[::-1],
    "high are those that are looked at": RISING / 2 + LOOKED_AT / 2,
    "low are those that are looked at": RISING - LOOKED_AT,
    "equal are those that are looked at": np.where(LOOKED_AT, 0.5, RISING),
    "0 are all others": RISING * LOOKED_AT,
    "in step with the looks": PLACE % 8 / 8,
    "tied by 31 looks": PLACE // (8 * 31) / 13,
    "tied by 32 looks": PLACE[::-1] // (8 * 32) / 12,
    "tied by 33 looks and one": (PLACE + 8 * 33) // (8 * 33 + 1) / 12,
}
FAR = {
    "huge": RISING * 1e300,
    "the largest beside the least": np.where(PLACE % 3, 1.7e308, RISING * 1e-290),
    "of all sizes": 10.0 ** (PLACE * 37 % 3001 / 3001 * 598 - 290),
    "too small for all their bits": 1e-310 * (PLACE % 50),
}
SIZES = [0, 1, 7, 9, 255, 256, 257, 264, 265, 1500, 3001]
WANTED = [1, 31, 32, 255, 256, 257, 900, 3001]


@pytest.mark.parametrize("scores", (NEAR | FAR).values(), ids=NEAR | FAR)
def test_a_ranking_is_the_start_of_the_full_sort_whatever_the_scores(scores):
    for size in SIZES:
        expected = full_sort(scores[:size])
        rounded = [spelt(scores[chunk]) for chunk in expected]
        for wanted in WANTED:
            chunks, found = rank(scores[:size], first(wanted))
            assert chunks.tolist() == expected[:wanted]
            np.testing.assert_allclose(found, rounded[:wanted], rtol=1e-15, atol=1e-323)


@pytest.mark.parametrize("scores", NEAR.values(), ids=NEAR)
@pytest.mark.parametrize("wanted", [1, 256, 900, 3001])
def test_ever_longer_beginnings_are_shown_until_one_is_deep_enough(scores, wanted):
    shown = []
    chunks, _ = ranked(scores, lambda ranking: shown.append(ranking.tolist()) or first(wanted)(ranking))
    expected = full_sort(scores)
    assert all(beginning == expected[: len(beginning)] for beginning in shown)
    assert sorted(shown, key=len) == shown
    assert all(len(beginning) < wanted for beginning in shown[:-1])
    assert chunks == (shown[-1][:wanted] if shown else [])


ALL = np.arange(1500)


def of_spans(same, lengths):
    """Chunks of which is only known which hand over the same span, and how long these are."""
    return Handed([], same, same, same, None, lengths, lengths, same)


@pytest.mark.parametrize(
    ("ranking", "hits", "budget", "count"),
    [
        ([0, 1], 1, 9, 1),
        ([0, 1], 1, 10, None),  # one span of 10: the budget must be exceeded
        ([0, 1], 2, 5, None),  # two chunks, one span
        ([0, 2], 2, 14, 2),
        ([0, 2], 2, 15, None),
        ([0, 2, 3], 3, 15, 3),
        ([1, 0, 2, 3], 1, 9, 1),
        ([1, 0, 2, 3], 2, 9, 3),  # the second span comes third
        ([1, 0, 2, 3], 1, 10, 3),
        ([3, 1, 2, 0], 3, 0, 3),
        ([3, 1, 2, 0], 4, 0, None),
        ([3, 1, 2, 0], 1, 20, None),
    ],
)
def test_as_many_are_needed_as_hand_over_the_hits_and_more_than_the_budget_each_span_once(ranking, hits, budget, count):
    same, lengths = np.array([0, 0, 2, 3]), np.array([10, 10, 5, 5])
    assert needed(of_spans(same, lengths), budget, hits, ALL, np.array(ranking)) == count


def plainly_needed(ranking, same, lengths, hits, budget):
    spans = {}
    for count, chunk in enumerate(ranking, 1):
        spans[same[chunk]] = lengths[same[chunk]]
        if len(spans) >= hits and sum(spans.values()) > budget:
            return count
    return None


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 12), st.integers(0, 60))
@settings(max_examples=300)
def test_as_many_are_needed_as_the_plain_count_has_it(seed, spans, hits, budget):
    random = np.random.default_rng(seed)
    drawn = random.integers(0, spans, 40) if spans < 40 else np.arange(40)
    same = np.unique(drawn, return_index=True)[1][np.unique(drawn, return_inverse=True)[1]]
    lengths, ranking = random.integers(0, 9, 40), random.permutation(40)[: random.integers(1, 41)]
    expected = plainly_needed(ranking, same, lengths, hits, budget)
    assert needed(of_spans(same, lengths), budget, hits, ALL, ranking) == expected


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
    over = of_spans(same, lengths)
    found, _ = rank(scores, partial(needed, over, budget, hits, ALL))
    in_full = full_sort(scores)
    assert found.tolist() == in_full[: plainly_needed(in_full, same, lengths, hits, budget)]  # and none is too many
    handed, every = (over.hand_over(np.array(one)).chunks for one in (found, in_full))
    assert handed[:hits].tolist() == every[:hits].tolist()
    taken = within(lengths[every], budget)
    assert handed[:taken].tolist() == every[:taken].tolist()
    assert within(lengths[handed], budget) == taken


def test_the_same_span_of_the_same_article_is_handed_over_once():
    docs = np.array([0, 0, 1, 0, 0, 0])
    starts = np.array([0, 0, 0, 0, -1, -1])
    ends = np.array([9, 9, 9, 8, -1, -1])
    assert handed_over(docs, starts, ends).tolist() == [0, 0, 2, 3, 4, 5]


some_spans = st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 7, -1]), st.integers(8, 10))


@given(st.lists(some_spans, max_size=12))
def test_each_span_is_that_of_its_first_chunk(spans):
    docs, starts, ends = (np.array([span[side] for span in spans], np.int64) for side in range(3))
    ends[starts < 0] = -1
    expected = [
        number if start < 0 else spans.index((doc, start, end)) for number, (doc, start, end) in enumerate(spans)
    ]
    assert handed_over(docs, starts, ends).tolist() == expected


@pytest.mark.parametrize(
    ("ranking", "spans"),
    [([1, 0, 2], [0, 2]), ([5, 1, 3, 0, 4, 2], [5, 0, 3, 2]), ([2], [2]), ([], [])],
)
def test_ranks_close_up_behind_a_span_handed_over_twice(ranking, spans):
    same = np.array([0, 0, 2, 3, 3, 5])
    assert of_spans(same, same).hand_over(np.array(ranking, dtype=np.int64)).chunks.tolist() == spans


def apart(docs, starts, ends):
    spans = [np.array(values, np.int64) for values in (docs, starts, ends)]
    lengths = spans[2] - spans[1]
    return Handed("de", *spans, None, lengths, lengths, handed_over(*spans), apart=True)


def test_what_overlaps_what_is_handed_over_is_passed_over():
    over = apart([0, 0, 0, 1, 0], [0, 5, 0, 0, 10], [10, 15, 20, 20, 20])
    assert over.hand_over(np.array([1, 0, 2, 3, 4])).chunks.tolist() == [1, 3]
    assert over.hand_over(np.array([0, 1, 3, 4, 2])).chunks.tolist() == [0, 3, 4]  # an edge is not shared
    assert over.hand_over(np.array([2, 0, 1, 4])).chunks.tolist() == [2]
    assert needed(over, 19, 1, ALL, np.array([0, 1, 4])) == 3
    assert needed(over, 20, 1, ALL, np.array([0, 1, 4])) is None


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 20), st.integers(1, 9)), min_size=1, max_size=12))
@settings(max_examples=150)
def test_what_is_handed_over_apart_shares_nothing_and_leaves_out_nothing_that_is_apart(drawn):
    over = apart(*zip(*[(doc, start, start + length) for doc, start, length in drawn], strict=True))
    places = [{(doc, place) for place in range(start, start + length)} for doc, start, length in drawn]
    expected, held = [], set()
    for chunk, own in enumerate(places):
        if not own & held:
            expected.append(over.same[chunk])
            held |= own
    assert over.hand_over(np.arange(len(drawn))).chunks.tolist() == expected


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
    rough = Approximate(approximated(exact, random, kind), Looked(exact))
    for ours, expected in zip(rank(rough, first(wanted)), rank(exact, everything), strict=True):
        assert ours.tolist() == expected[:wanted].tolist()


@pytest.mark.parametrize("scores", NEAR.values(), ids=NEAR)
@pytest.mark.parametrize(("kind", "part"), [(np.float64, 1 - 1e-9), (np.float32, 0.99)])
def test_scores_off_by_almost_the_margin_are_ranked_as_the_exact_ones(scores, kind, part):
    """The better ones down and the others up, the other way round, and by turns, as those that are looked at lie."""
    better = scores > np.median(scores)
    for up in (better, ~better, LOOKED_AT, ~LOOKED_AT, PLACE % 2 > 0):
        rough = (scores + np.where(up, part, -part) * MARGIN).astype(kind)
        assert (abs(rough - scores) < MARGIN).all()
        for size in (9, 257, 3001):
            expected = full_sort(scores[:size])
            for wanted in (1, 32, 256, 900):
                chunks, _ = rank(Approximate(rough[:size], Looked(scores)), first(wanted))
                assert chunks.tolist() == expected[:wanted]


@pytest.mark.parametrize("bound", [0.3, 0.37, 0.7])
def test_what_is_left_out_is_not_passed_by_what_it_is_tied_with(bound):
    """32 of those that are looked at reach the bound; one at it is better by almost the margin, and tied with one."""
    exact = np.full(1000, 1e-3)
    exact[8 : 8 * 32 : 8] = 0.9
    exact[400:402] = bound + MARGIN - 1e-10, bound + MARGIN
    rough = exact.copy()
    rough[400:402] = bound, bound + 1.5 * MARGIN
    assert (abs(rough - exact) < MARGIN).all()
    chunks, _ = rank(Approximate(rough, Looked(exact)), first(32))
    assert chunks.tolist() == [*range(8, 8 * 32, 8), 400]


@given(st.integers(0, 2**32), st.integers(0, 2000))
@settings(max_examples=60, deadline=None)
def test_what_is_nearer_to_0_than_the_margin_is_told_from_it_exactly(seed, texts):
    random = np.random.default_rng(seed)
    exact = random.choice([0.0, -0.0, 1e-12, -1e-12, MARGIN / 3, -MARGIN / 3, MARGIN * 0.999, 2e-9], texts)
    chunks, scores = rank(Approximate(approximated(exact, random), Looked(exact)), everything)
    assert sorted(chunks.tolist()) == np.flatnonzero(exact > 0).tolist()
    assert (scores > 0).all()


def test_ties_go_by_chunk_whatever_their_approximations_say():
    exact = np.full(5, 0.5)
    rough = exact + np.array([-9, 3, 9, -3, 0]) * 1e-6
    chunks, scores = rank(Approximate(rough, Looked(exact)), everything)
    assert (chunks.tolist(), scores.tolist()) == ([0, 1, 2, 3, 4], [0.5] * 5)


def test_what_is_behind_by_its_approximation_may_be_ahead():
    exact = np.array([0.3, 0.300001, 0.1, 0.0, 1e-9, -1e-9])
    rough = exact + np.array([9, -9, 0, 9, -9, 9]) * 1e-6
    chunks, scores = rank(Approximate(rough, Looked(exact)), everything)
    assert (chunks.tolist(), scores.tolist()) == ([1, 0, 2, 4], [0.300001, 0.3, 0.1, 1e-9])


def test_a_tie_across_the_depth_that_is_looked_at_is_cut_nowhere_in_between():
    """The first 200 are far ahead, 400 are tied: 256 are guessed at, and those tied are not taken till all are in."""
    exact = np.r_[np.full(400, 0.25), np.linspace(0.5, 0.9, 200)]
    rough = Approximate(approximated(exact, np.random.default_rng(0)), Looked(exact))
    best = list(range(599, 399, -1))
    for wanted in (1, 199, 200, 201, 300, 600):
        assert rank(rough, first(wanted))[0].tolist() == [*best, *range(400)][:wanted]


def test_exact_scores_are_asked_for_only_as_deep_as_is_enough():
    exact = np.linspace(0.1, 0.9, 100_000)
    for wanted, most in ((100, 255), (300, 511)):  # better than the 32nd, or 64th, best of one in 8
        looked = Looked(exact)
        chunks, _ = rank(Approximate(exact, looked), first(wanted))
        assert (len(chunks), looked.most) == (wanted, most)


@pytest.mark.parametrize("scores", [[], [0.0], [-0.5, -MARGIN]])
def test_approximate_scores_of_nothing_above_0_rank_nothing(scores):
    exact = np.array(scores, np.float64)
    chunks, found = rank(Approximate(exact, Looked(exact)), everything)
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
