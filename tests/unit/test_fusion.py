"""Rankings of several retrievers as one, by hand."""

import numpy as np
import pyarrow as pa
import pytest

from chunkgrid.errors import InputError
from chunkgrid.fusion import by_score, fused, pairs, ranked, reranked
from chunkgrid.tables import RANKINGS, table


def rankings(**hits):
    """Hits of questions, as (chunk, score)."""
    rows = [
        {"query_id": query, "rank": n, "chunk": chunk, "score": score}
        for query, own in hits.items()
        for n, (chunk, score) in enumerate(own, 1)
    ]
    return table(rows, RANKINGS)


SEARCHED = np.array([0, 1, 2, 5])  # chunks 3 and 4 are parents
ONE = ranked(rankings(q=[(5, 8.0), (0, 4.0)], r=[(1, 1.0)]), SEARCHED, "one")
OTHER = ranked(rankings(q=[(0, 0.9), (2, 0.3)]), SEARCHED, "other")


def test_reciprocal_ranks_add_up():
    q, r, s = fused([ONE, OTHER], ["q", "r", "s"], 4)
    assert q == pytest.approx([1 / 62 + 1 / 61, 0, 1 / 62, 1 / 61])
    assert r == pytest.approx([0, 1 / 61, 0, 0])
    assert s.tolist() == [0, 0, 0, 0]


def test_reciprocal_ranks_are_weighed_and_the_constant_is_given():
    (q,) = fused([ONE, OTHER], ["q"], 4, weights=[2, 1], constant=0)
    assert q == pytest.approx([2 / 2 + 1, 0, 1 / 2, 2])


def test_scores_are_over_the_highest_of_the_question():
    (q,) = fused([ONE, OTHER], ["q"], 4, by="score", weights=[1, 3])
    assert q == pytest.approx([0.5 + 3, 0, 3 * 0.3 / 0.9, 1])


def test_the_top_comes_in_the_order_of_the_other():
    first = ranked(rankings(q=[(0, 9.0), (1, 8.0), (2, 7.0), (5, 6.0)]), SEARCHED, "first")
    second = ranked(rankings(q=[(5, 1.0), (2, 0.9), (0, 0.1)]), SEARCHED, "second")
    for top, order in ((4, [3, 2, 0, 1]), (3, [2, 0, 1, 3]), (1, [0, 1, 2, 3])):  # 1 is none of the other's
        (scores,) = reranked(first, second, ["q"], 4, top)
        assert np.argsort(-scores).tolist() == order
    (nothing,) = reranked(first, second, ["r"], 4, 3)
    assert nothing.tolist() == [0, 0, 0, 0]


def test_the_top_is_read_together_with_its_question_and_comes_by_score():
    first = ranked(rankings(q=[(0, 9.0), (5, 8.0), (2, 7.0)], r=[(1, 1.0)]), SEARCHED, "first")
    texts = pa.chunked_array([["t0", "t1"], ["t2", "t5"]])
    asked = {"q": "Q", "s": "S", "r": "R"}
    assert pairs(first, asked, texts, 2) == [("Q", "t0"), ("Q", "t5"), ("R", "t1")]
    assert pairs(first, asked, texts, 9) == [("Q", "t0"), ("Q", "t5"), ("Q", "t2"), ("R", "t1")]
    found = by_score(first, np.array([-2.0, -1.0, -1.0, -9.0]), list(asked), 9)
    assert {query: places.tolist() for query, (places, _) in found.items()} == {"q": [3, 2, 0], "s": [], "r": [1]}
    # What a cross-encoder scores below 0 is retrieved all the same: only its order counts.
    scored = reranked(first, found, list(asked), 4, 9)
    orders = [np.argsort(-scores)[: (scores > 0).sum()].tolist() for scores in scored]
    assert orders == [[3, 2, 0], [], [1]]


@pytest.mark.parametrize("chunk", [3, 6])
def test_a_ranking_of_another_split_is_refused(chunk):
    with pytest.raises(InputError, match=f"the ranking of bm25/default has chunk {chunk}, which this split has not"):
        ranked(rankings(q=[(chunk, 1.0)]), SEARCHED, "bm25/default")
