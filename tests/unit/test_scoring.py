"""A retriever's scores are checked before they are ranked."""

from __future__ import annotations

import numpy as np
import pytest

from chunkgrid import tables
from chunkgrid.errors import InputError
from chunkgrid.scoring import rank_and_cover

CHUNKS = tables.table(
    [
        {"chunk": n, "doc_id": "d", "start": 10 * n, "end": 10 * n + 10, "text": text, "index_text": text}
        for n, text in enumerate(["abcdefghij", "klmnopqrst", "uvwxyz0123"])
    ],
    tables.CHUNKS,
)
QUERIES = tables.table(
    [
        {"query_id": "1", "doc_id": "d", "query": "q", "gold": [{"start": 10, "end": 20}], "gold_text": ["klmnopqrst"]},
        {"query_id": "2", "doc_id": "e", "query": "r", "gold": [{"start": 0, "end": 9}], "gold_text": ["abcdefghi"]},
    ],
    tables.QUERIES,
)


def test_a_plain_list_of_scores_is_ranked_and_covered() -> None:
    ranking, coverage = rank_and_cover(CHUNKS, QUERIES, [[0.5, 1, 0], [0.0, 0, 2]], 100, 8000)
    assert ranking.to_pylist() == [
        {"query_id": "1", "rank": 1, "chunk": 1, "score": 1.0},
        {"query_id": "1", "rank": 2, "chunk": 0, "score": 0.5},
        {"query_id": "2", "rank": 1, "chunk": 2, "score": 2.0},
    ]
    # The second question's article is another one, so that nothing of it is covered.
    assert coverage["coverage"].to_pylist() == [[1.0, 1.0], [0.0]]
    assert coverage["characters"].to_pylist() == [[10, 20], [10]]
    assert coverage["article_rank"].to_pylist() == [1, None]


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ([np.ones(2), np.ones(3)], r"scores of shape \(2,\) for 3 chunks"),
        ([np.ones(3), np.array([1, np.nan, 0])], "a score that is no number"),
        ([np.ones(3)], "scores for 1 questions, not for 2"),
    ],
)
def test_wrong_scores_are_told(scores: list, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        rank_and_cover(CHUNKS, QUERIES, scores, 100, 8000)
