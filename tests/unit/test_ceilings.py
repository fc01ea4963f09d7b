"""The best that a split could do for a question."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.ceilings import EXACT, best_within, ceilings
from chunkgrid.evidence import Evidence
from chunkgrid.ranges import Gold, Spans


def held(rows, width):
    """Which shingles each chunk holds, from sets of their numbers."""
    return np.array([[column in row for column in range(width)] for row in rows], bool).reshape(len(rows), width)


@st.composite
def chunks(draw, least, most):
    """Sets of shingles, how many shingles there are, the length of each chunk."""
    width = draw(st.integers(1, 20))
    rows = draw(st.lists(st.sets(st.integers(0, width - 1), max_size=6), min_size=least, max_size=most))
    return rows, width, draw(st.lists(st.integers(1, 60), min_size=len(rows), max_size=len(rows)))


def by_trying_all(rows, lengths, budget, width):
    """Every combination that fits, and every chunk alone, since the first is always taken."""
    best = 0
    for size in range(1, len(rows) + 1):
        for some in combinations(range(len(rows)), size):
            if size == 1 or sum(lengths[chunk] for chunk in some) <= budget:
                best = max(best, len(set().union(*(rows[chunk] for chunk in some))))
    return best / width


def by_greed(rows, lengths, budget, width):
    """The fitting chunk with most new shingles, the first of equal ones, until none adds any."""
    union, room = set(), budget
    while True:
        fitting = [chunk for chunk in range(len(rows)) if lengths[chunk] <= room and rows[chunk] - union]
        if not fitting:
            return max(len(union), *map(len, rows)) / width
        best = max(fitting, key=lambda chunk: (len(rows[chunk] - union), -chunk))
        union, room = union | rows[best], room - lengths[best]


@given(chunks(0, 7), st.integers(1, 150))
@settings(max_examples=150)
def test_up_to_12_chunks_the_best_of_all_combinations_is_found(drawn, budget):
    rows, width, lengths = drawn
    best = best_within(held(rows, width), np.array(lengths, dtype=np.int64), budget)
    assert best == pytest.approx(by_trying_all(rows, lengths, budget, width))


@pytest.mark.parametrize("seed", range(3))
def test_12_chunks_that_hold_any_are_still_tried_out(seed):
    random = np.random.default_rng(seed)
    rows = [set(random.integers(0, 30, 5).tolist()) for _ in range(EXACT)]
    lengths = random.integers(20, 60, EXACT)
    covered = held([*rows, *[set()] * 5], 30)  # chunks that hold none do not count
    best = best_within(covered, np.concatenate([lengths, [1] * 5]), 150)
    assert best == pytest.approx(by_trying_all(rows, lengths.tolist(), 150, 30))


@given(chunks(EXACT + 1, EXACT + 6), st.integers(1, 200))
@settings(max_examples=150)
def test_of_more_than_12_chunks_the_greedy_rule_takes(drawn, budget):
    rows, width, lengths = drawn
    rows = [row or {0} for row in rows]
    best = best_within(held(rows, width), np.array(lengths), budget)
    assert best == pytest.approx(by_greed(rows, lengths, budget, width))
    assert best >= max(map(len, rows)) / width


def test_the_greedy_rule_by_hand():
    # One chunk of 100 characters holds 6 shingles, small ones of 10 characters hold one each.
    small = [{6 + number} for number in range(12)]
    covered, lengths = held([set(range(6)), *small], 18), np.array([100] + [10] * 12)
    assert best_within(covered[:12], lengths[:12], 100) == pytest.approx(10 / 18)  # 12 chunks: ten small ones
    assert best_within(covered, lengths, 100) == pytest.approx(6 / 18)  # 13: the large one first, then no room
    assert best_within(covered, lengths, 115) == pytest.approx(7 / 18)  # what does not fit is passed over
    assert best_within(covered, lengths, 99) == pytest.approx(9 / 18)


@pytest.mark.parametrize(("lengths", "best"), [([90, 10, 20], 2 / 15), ([10, 90, 20], 3 / 15)])
def test_the_greedy_rule_takes_the_first_of_equal_chunks(lengths, best):
    rows = [{0, 1}, {2, 3}, {4}, *[{5 + number} for number in range(10)]]
    assert best_within(held(rows, 15), np.array(lengths + [1000] * 10), 99) == pytest.approx(best)


@pytest.mark.parametrize("chunks", [2, 14])
def test_one_chunk_over_the_budget_may_stand_alone(chunks):
    rows = [set(range(9)), *[{9 + number} for number in range(chunks - 1)]]
    lengths = np.array([2500] + [900] * (chunks - 1))
    assert best_within(held(rows, 25), lengths, 2000) == pytest.approx(9 / 25)


@pytest.mark.parametrize(("budget", "best"), [(1999, 0.5), (2000, 1.0)])
def test_lengths_may_add_up_to_the_budget_exactly(budget, best):
    assert best_within(held([{0}, {1}], 2), np.array([1000, 1000]), budget) == best


NOWHERE = np.empty(0, np.int64)


def evidence_of(asked):
    """Evidence of questions that are given as what they are called, how many shingles they have, and a mapping.

    The mapping is of the chunks that hold any to the shingles that each holds. Where gold stands is no matter here.
    """
    pairs = [(number, chunk) for number, (_, _, rows) in enumerate(asked) for chunk in sorted(rows)]
    shingles = [sorted(asked[number][2][chunk]) for number, chunk in pairs]
    question, chunk = np.array(pairs, np.int64).reshape(-1, 2).T
    return Evidence(
        [name for name, _, _ in asked],
        np.zeros(len(asked), np.int64),
        Gold(Spans(NOWHERE, NOWHERE, NOWHERE), NOWHERE, len(asked)),
        np.array([width for _, width, _ in asked], np.int64),
        question,
        chunk,
        np.repeat(np.arange(len(pairs)), list(map(len, shingles))),
        np.array([shingle for held_by_one in shingles for shingle in held_by_one], np.int64),
    )


def test_ceilings_are_by_question_and_budget():
    asked = [("p", 4, {3: {0, 1}, 5: {2}}), ("q", 4, {}), ("r", 2, {5: {1}, 0: {0, 1}})]
    sizes = np.array([100, 1, 1, 60, 1, 40])  # of all chunks: no question minds those that hold none of its gold
    assert [tuple(row.values()) for row in ceilings(evidence_of(asked), sizes, [100, 99]).to_pylist()] == [
        ("p", 100, 0.75),
        ("p", 99, 0.5),
        ("q", 100, 0.0),
        ("q", 99, 0.0),
        ("r", 100, 1.0),
        ("r", 99, 1.0),  # alone a chunk may be longer
    ]


def test_ceilings_of_no_question_are_none():
    assert ceilings(evidence_of([]), np.array([1]), [100, 99]).num_rows == 0


@st.composite
def questions(draw):
    """Questions about the same chunks, of which some hold nothing, and the length of each chunk."""
    lengths = draw(st.lists(st.integers(1, 60), min_size=4, max_size=7))
    asked = []
    for number in range(draw(st.integers(2, 3))):
        width = draw(st.integers(3, 9))
        shingles = st.just(set()) | st.sets(st.integers(0, width - 1), max_size=4)
        rows = {chunk: held_by_one for chunk in range(len(lengths)) if (held_by_one := draw(shingles))}
        asked.append((f"q{number}", width, rows))
    return asked, lengths


@given(questions(), st.lists(st.integers(1, 150), min_size=1, max_size=3))
@settings(max_examples=100)
def test_ceilings_of_questions_at_once_are_the_best_of_each(drawn, budgets):
    asked, lengths = drawn
    found = ceilings(evidence_of(asked), np.array(lengths), budgets).to_pylist()
    assert found == [
        row for one in asked for row in ceilings(evidence_of([one]), np.array(lengths), budgets).to_pylist()
    ]
    assert found == [
        {
            "query_id": name,
            "budget": budget,
            "best": pytest.approx(by_trying_all(list(rows.values()), [lengths[n] for n in rows], budget, width)),
        }
        for name, width, rows in asked
        for budget in budgets
    ]
