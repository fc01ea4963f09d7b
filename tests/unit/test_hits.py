"""Hits of another system as scores."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from chunkgrid.errors import InputError
from chunkgrid.hits import hit_scores
from chunkgrid.own import own_hits
from chunkgrid.retrieval import rank
from chunkgrid.tables import CHUNKS, QUERIES, table

Hits = dict[str, list[tuple[str, Any]]]

QUESTIONS = table(
    [
        {"query_id": "00000000000000a1", "query": "返品は できますか。"},
        {"query_id": "00000000000000b2", "query": "送料はいくらですか。"},
    ],
    QUERIES,
)


def chunks(*names: str | None) -> Any:
    return table(({"chunk": number, "name": name} for number, name in enumerate(names)), CHUNKS)


NAMED = chunks("a", "b", "c", "d")
NUMBERED = chunks(None, None, None, None)


def scores(hits: Hits, of_chunks: Any = NAMED) -> tuple[list[list[float]], list[str]]:
    found, notes = hit_scores(hits, of_chunks, QUESTIONS, "hits.csv")
    rows = list(found)
    assert all(row.dtype == np.float64 for row in rows)
    return [row.tolist() for row in rows], notes


def ranked(*names: str) -> list[tuple[str, Any]]:
    return [(name, None) for name in names]


def test_a_hit_scores_the_inverse_of_its_rank_and_every_other_chunk_0() -> None:
    found, notes = scores({"00000000000000a1": ranked("c", "a", "d"), "00000000000000b2": ranked("b")})
    assert found == [[1 / 2, 0, 1, 1 / 3], [0, 1, 0, 0]]
    assert notes == []


def test_the_order_counts_and_not_the_other_systems_scores() -> None:
    assert scores({"00000000000000a1": [("b", -7.5), ("a", 9.0), ("d", None)]})[0][0] == [1 / 2, 1, 0, 1 / 3]


def test_a_ranking_of_the_scores_is_that_of_the_hits() -> None:
    of_chunks = chunks(*map(str, range(500)))
    wanted = [str(number) for number in np.random.default_rng(0).permutation(500)[:400]]
    ((first, _), _) = hit_scores({"00000000000000a1": ranked(*wanted)}, of_chunks, QUESTIONS, "hits.csv")
    assert list(map(str, rank(first, lambda ranking: None)[0])) == wanted


def test_a_question_without_hits_has_no_scores_above_0() -> None:
    found, notes = scores({"00000000000000b2": ranked("b"), "00000000000000a1": []})
    assert found == [[0, 0, 0, 0], [0, 1, 0, 0]]
    assert scores({"00000000000000b2": ranked("b")}) == (found, notes)


@pytest.mark.parametrize(
    "query",
    [
        "返品は できますか。",
        "返品はできますか。",
        "返 品は\u3000できま\n すか。",
        "\u200b返品は できます\u00adか。",  # and what nobody sees
        "返品は て\u3099きますか。",  # and composed
    ],
)
def test_a_question_goes_by_its_text_whatever_its_white_space(query: str) -> None:
    found, notes = scores({query: ranked("b", "a")})
    assert found == [[1 / 2, 1, 0, 0], [0, 0, 0, 0]]
    assert notes == []


@pytest.mark.parametrize("query", ["返品は できますか", "返品は出来ますか。", "00000000000000A1", "00000000000000a"])
def test_another_text_is_another_question(query: str) -> None:
    found, notes = scores({query: ranked("a"), "00000000000000b2": ranked("b")})
    assert found == [[0, 0, 0, 0], [0, 1, 0, 0]]
    assert notes == [f"hits.csv: 1 of 2 questions are not asked, and left out: '{query}'"]


def test_the_id_goes_before_the_text() -> None:
    both = {"返品はできますか。": ranked("a"), "00000000000000a1": ranked("b")}
    assert scores(both) == ([[0, 1, 0, 0], [0, 0, 0, 0]], [])


def test_a_chunk_goes_by_its_name_or_else_by_its_number() -> None:
    hits = {"00000000000000a1": ranked("3", "1")}
    assert scores(hits, NUMBERED)[0][0] == [0, 1 / 2, 0, 1]
    assert scores(hits, chunks("0", "3", "2", "1"))[0][0] == [0, 1, 0, 1 / 2]  # names, although they are digits
    assert scores(hits, chunks("x", None, "y", None))[0][0] == [0, 1 / 2, 0, 1]


def test_a_name_that_is_another_chunks_number_is_no_reason_to_lose_either() -> None:
    """Of a file that names some of its chunks, one of them by what is the number of one without a name."""
    found, _ = scores({"00000000000000a1": ranked("1", "x")}, chunks("1", None, "x"))
    assert found[0] == [1, 0, 1 / 2]


@pytest.mark.parametrize("of_chunks", [NAMED, NUMBERED])
def test_unknown_chunks_are_all_listed(of_chunks: Any) -> None:
    known = "c" if of_chunks is NAMED else "2"
    hits = {"00000000000000a1": ranked("z", known, "9"), "00000000000000b2": ranked("z", "y")}
    with pytest.raises(InputError) as raised:
        hit_scores(hits, of_chunks, QUESTIONS, "hits.csv")
    assert str(raised.value).split("\n  ") == [
        "hits.csv: 3 of 4 chunks unknown:",
        "'9' is no chunk of this split",
        "'y' is no chunk of this split",
        "'z' is no chunk of this split",
    ]


def test_where_chunks_have_names_their_numbers_are_unknown() -> None:
    with pytest.raises(InputError, match="'1' is no chunk of this split"):
        hit_scores({"00000000000000a1": ranked("1")}, NAMED, QUESTIONS, "hits.csv")


def test_unknown_chunks_of_questions_that_are_not_asked_are_listed_too() -> None:
    hits = {"00000000000000a1": ranked("a"), "別の質問": ranked("z")}
    with pytest.raises(InputError, match=r"hits\.csv: 1 of 2 chunks unknown:"):
        hit_scores(hits, NAMED, QUESTIONS, "hits.csv")


@pytest.mark.parametrize("hits", [{"別の質問": ranked("a"), "ほかの質問": ranked("b")}, {"別の質問": []}])
def test_where_no_question_is_asked_it_is_said_where_those_are_that_are(hits: Hits) -> None:
    with pytest.raises(InputError) as raised:
        hit_scores(hits, NAMED, QUESTIONS, "hits.csv")
    assert str(raised.value) == (
        f"hits.csv: none of its {len(hits)} questions is asked; queries.parquet has those that are"
    )


def test_questions_that_are_not_asked_are_counted_and_the_first_shown() -> None:
    others = [f"質問{number}{'あ' * 80}" for number in range(1200)]
    hits = {query: ranked("a") for query in [*others[:2], "00000000000000a1", *others[2:]]}
    found, notes = scores(hits)
    assert found == [[1, 0, 0, 0], [0, 0, 0, 0]]
    shown = ", ".join(f"'{query[:60]}'" for query in others[:5])
    assert notes == [f"hits.csv: 1,200 of 1,201 questions are not asked, and left out: {shown}, …"]
    exactly = {query: ranked("a") for query in [*others[:5], "00000000000000a1"]}
    assert scores(exactly)[1] == [f"hits.csv: 5 of 6 questions are not asked, and left out: {shown}"]


def test_hits_of_a_file_are_scores() -> None:
    rows = [
        {"query": "返品はできますか。", "chunk": "b", "rank": 2},
        {"query": "返品はできますか。", "chunk": "d", "rank": 1},
        {"query": "返品はできますか。", "chunk": "b", "rank": 3},  # twice: at its best rank
        {"query": "00000000000000b2", "chunk": "a", "score": 0.5},
        {"query": "00000000000000b2", "chunk": "c", "score": 0.75},
    ]
    data = "\n".join(json.dumps(row) for row in rows).encode()
    assert scores(own_hits(data, "hits.jsonl")) == ([[0, 1 / 2, 0, 1], [1 / 2, 0, 1, 0]], [])
