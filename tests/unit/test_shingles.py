"""The pieces that coverage counts in: where they stand, and that places say of slices what their texts say."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import evidence as of_evidence
from chunkgrid import shingles as of_shingles
from chunkgrid.ceilings import ceilings
from chunkgrid.coverage import coverage_curves
from chunkgrid.evidence import evidence
from chunkgrid.handed import handed
from chunkgrid.ranges import omega
from chunkgrid.shingles import SHINGLE, add_places, pieces, places, places_of, rolling
from chunkgrid.tables import CHUNKS, COVERAGE, QUERIES, of_slices, table


def bare(text: str) -> str:
    return "".join(text.split())


# Documents that say the same again and again, with white space anywhere.
phrases = st.sampled_from(["同じ文です。", "abcdefgh", "abcdefghabcdefgh", "はい", "x", "yyyyyyyyyyyy", "𠮷野家🙂"])
blanks = st.sampled_from(["", "", " ", "\n\n", "\u3000", " \t", "\u2003", "\x1c"])
documents = st.lists(st.tuples(phrases, blanks), min_size=1, max_size=30).map(
    lambda parts: "".join(one for part in parts for one in part)
)
letters = st.text("ab \n\u3000", min_size=1, max_size=70).filter(str.strip)
texts = st.one_of(documents, letters)


@st.composite
def cut(draw: st.DrawFn, text: str) -> tuple[int, str]:
    """A slice around a character that is no white space, short or long, and where it begins."""
    place = draw(st.sampled_from([place for place, sign in enumerate(text) if not sign.isspace()]))
    around = st.integers(0, draw(st.sampled_from([3, 10, 40])))
    start = max(0, place - draw(around))
    return start, text[start : place + 1 + draw(around)]


def golds(text: str) -> st.SearchStrategy[list[tuple[int, str]]]:
    return st.lists(cut(text), min_size=1, max_size=4)


# Hashes


@pytest.mark.parametrize("length", [1, 2, 6, 8, 9])
@given(text=st.text(st.one_of(st.sampled_from("ab𠮷🙂\ud800\0"), st.characters()), max_size=20))
@settings(max_examples=60)
def test_rolling_hashes_are_those_of_each_stretch(length: int, text: str) -> None:
    expected = []
    for start in range(len(text) - length + 1):
        value = 0
        for sign in text[start : start + length]:
            value = (value * int(of_shingles._BASE) + ord(sign)) % 2**64
        expected.append(value)
    hashes = rolling(text, length)
    assert hashes.dtype == np.uint64
    assert hashes.tolist() == expected


def test_a_text_shorter_than_what_is_hashed_has_no_hash() -> None:
    assert [len(rolling("abcdefg"[:length], 8)) for length in (0, 7)] == [0, 0]
    assert len(rolling("abcdefgh", 8)) == 1


# Pieces


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        (["abcdefghij"], ["abcdefgh", "bcdefghi", "cdefghij"]),
        (["b c defghij", "ab\ncdefghi"], ["abcdefgh", "bcdefghi", "cdefghij"]),  # shared ones once
        (["短い", "abcdefgh"], ["abcdefgh"]),  # beside a longer span a short one has none
        (["はい。", "い い え", "は い。"], ["いいえ", "はい。"]),  # where all are short, each once
        (["abcdefg"], ["abcdefg"]),
        (["a bcdefgh"], ["abcdefgh"]),
    ],
)
def test_pieces_by_hand(gold: list[str], found: list[str]) -> None:
    assert pieces(gold) == found


# Places


def naive_places(gold: list[str], text: str) -> list[dict[str, int]]:
    """From every character of the document that is no white space, whether a piece begins there."""
    found = []
    for number, piece in enumerate(pieces(gold)):
        for start in range(len(text)):
            rest = [place for place in range(start, len(text)) if not text[place].isspace()][: len(piece)]
            if rest and rest[0] == start and "".join(text[place] for place in rest) == piece:
                found.append({"shingle": number, "start": start, "end": rest[-1] + 1})
    return found


@st.composite
def sought(draw: st.DrawFn) -> tuple[list[list[str]], str]:
    text = draw(texts)
    drawn = draw(st.lists(golds(text), min_size=1, max_size=3))
    return [[gold for _, gold in spans] for spans in drawn], text


@given(sought())
@settings(max_examples=200, deadline=None)
def test_places_are_what_a_naive_search_finds(drawn: tuple[list[list[str]], str]) -> None:
    asked, text = drawn
    assert places(asked, text) == [naive_places(gold, text) for gold in asked]


@pytest.mark.parametrize("base", [0, 1])
@given(drawn=sought())
@settings(max_examples=60, deadline=None)
def test_what_only_has_the_same_hash_has_no_place(base: int, drawn: tuple[list[list[str]], str]) -> None:
    """With such a base the hash is of the last character alone, or of the characters in any order."""
    asked, text = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_shingles, "_BASE", np.uint64(base))
        assert rolling("abcdefgh", 8).tolist() == rolling("badcfegh", 8).tolist()
        assert places(asked, text) == [naive_places(gold, text) for gold in asked]


@given(sought(), st.data())
@settings(max_examples=200)
def test_a_slice_holds_a_piece_exactly_if_it_holds_one_of_its_places(
    drawn: tuple[list[list[str]], str], data: st.DataObject
) -> None:
    asked, text = drawn
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    for gold, found in zip(asked, places(asked, text), strict=True):
        held = {row["shingle"] for row in found if start <= row["start"] and row["end"] <= end}
        own = bare(text[start:end])
        assert held == {number for number, piece in enumerate(pieces(gold)) if piece in own}
        assert {row["shingle"] for row in found} == set(range(len(pieces(gold))))  # each stands somewhere


@pytest.mark.parametrize(
    ("gold", "text", "found"),
    [
        (["abcdefghi"], "abcdefghi", [(0, 0, 8), (1, 1, 9)]),
        (["abcdefgh"], " a b c\u3000d\nefgh. ", [(0, 1, 13)]),  # white space within counts, around it does not
        (["abcdefgh"], "abcdefgh abcdefgh", [(0, 0, 8), (0, 9, 17)]),
        (["aaaaaaaa"], "aaaaaaaaaa", [(0, 0, 8), (0, 1, 9), (0, 2, 10)]),  # places may overlap
        (["無料"], "無料です。無 料。", [(0, 0, 2), (0, 5, 8)]),  # a gold too short for a shingle
        (["無料", "有料"], "有料。無料", [(0, 0, 2), (1, 3, 5)]),
        (["𠮷野家🙂ですか。"], "🙂𠮷野家🙂ですか。", [(0, 1, 9)]),  # code points, not halves
    ],
)
def test_places_by_hand(gold: list[str], text: str, found: list[tuple[int, int, int]]) -> None:
    (rows,) = places([gold], text)
    assert [(row["shingle"], row["start"], row["end"]) for row in rows] == found


def test_nothing_sought_stands_nowhere() -> None:
    assert places([], "本文") == []
    assert places_of(set(), "本文") == {}
    assert places_of({"ab", "abcdefgh"}, "") == {"ab": [], "abcdefgh": []}


def test_places_are_added_to_the_rows_of_each_document_in_the_order_given() -> None:
    bodies = {"d": "abcdefgh.", "e": ".abcdefgh"}
    asked = [("1", "e"), ("2", "d"), ("3", "e")]
    rows = [{"query_id": name, "doc_id": doc_id, "gold_text": ["abcdefgh"], "query": name} for name, doc_id in asked]
    before = [dict(row) for row in rows]
    found = add_places(iter(rows), bodies)
    assert rows == before
    starts = {"d": 0, "e": 1}
    assert found == [
        {**row, "places": [{"shingle": 0, "start": starts[row["doc_id"]], "end": starts[row["doc_id"]] + SHINGLE}]}
        for row in rows
    ]
    assert table(found, QUERIES)["places"].to_pylist() == [row["places"] for row in found]


# Coverage by places, and by texts

Chunk = tuple[str, int, str]


@st.composite
def split_corpora(draw: st.DrawFn) -> tuple[dict[str, str], list[dict[str, Any]], list[Chunk]]:
    """Documents, questions about them, and chunks that overlap, repeat (as parents), or share nothing.

    A second document has the text of the first; the last has no chunk.
    """
    first, other = draw(texts), draw(texts)
    bodies = {"a": first, "b": first, "c": other, "gone": other}
    asked = []
    for number, doc_id in enumerate(draw(st.lists(st.sampled_from(["a", "a", "b", "c", "gone"]), max_size=5))):
        spans = draw(golds(bodies[doc_id]))
        gold = [{"start": start, "end": start + len(text)} for start, text in spans]
        asked.append({"query_id": f"q{number}", "doc_id": doc_id, "gold": gold, "gold_text": [t for _, t in spans]})
    chunks: list[Chunk] = []
    for doc_id in ("a", "b", "c"):
        body = bodies[doc_id]
        if draw(st.booleans()):
            edges = sorted({0, len(body), *draw(st.lists(st.integers(0, len(body)), max_size=6))})
            own = [(start, body[start:end]) for start, end in pairwise(edges)]
        else:
            own = draw(st.lists(cut(body), max_size=6))
            own += own[: draw(st.integers(0, len(own)))]  # as children of one parent hand it over
        chunks += [(doc_id, start, text) for start, text in own if text.strip()]
    return bodies, asked, chunks


def chunk_table(chunks: list[Chunk]) -> pa.Table:
    rows = (
        {"chunk": n, "doc_id": doc_id, "start": start, "end": start + len(text), "text": text}
        for n, (doc_id, start, text) in enumerate(chunks)
    )
    return table(rows, CHUNKS)


@pytest.mark.parametrize("block", [1, 3, of_evidence._BLOCK], ids=lambda block: f"{block} places at once")
@given(drawn=split_corpora(), seed=st.integers(0, 2**32))
@settings(max_examples=200)
def test_slices_are_covered_by_their_places_as_they_are_by_their_texts(
    block: int, drawn: tuple[dict[str, str], list[dict[str, Any]], list[Chunk]], seed: int
) -> None:
    bodies, asked, chunks = drawn
    queries = table(add_places(asked, bodies), QUERIES)
    by_text, by_place = handed(chunk_table(chunks)), handed(of_slices(chunk_table(chunks)))
    assert (by_text.texts is None, by_place.texts is None) == (False, True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_evidence, "_BLOCK", block)
        found = evidence(queries, by_text), evidence(queries, by_place)
    number = {doc_id: place for place, doc_id in enumerate(dict.fromkeys(doc_id for doc_id, _, _ in chunks))}
    golds = [(n, span["start"], span["end"]) for n, query in enumerate(asked) for span in query["gold"]]
    wanted = [pieces(query["gold_text"]) for query in asked]
    held = [
        {
            n: row
            for n, chunk in enumerate(chunks)
            if chunk[0] == query["doc_id"] and chunks.index(chunk) == n
            if any(row := [piece in bare(chunk[2]) for piece in own])
        }
        for query, own in zip(asked, wanted, strict=True)
    ]
    for one in found:
        assert one.query_ids == [query["query_id"] for query in asked]
        assert one.docs.tolist() == [number.get(query["doc_id"], -1) for query in asked]
        of_gold = (one.gold.question, one.gold.spans.starts, one.gold.spans.ends)
        assert list(zip(*(values.tolist() for values in of_gold), strict=True)) == golds
        assert one.gold.spans.docs.tolist() == [one.docs[n] for n, _, _ in golds]
        assert one.shingles.tolist() == list(map(len, wanted))
        assert one.gains().tolist() == [sum(row) / len(row) for rows in held for row in rows.values()]
        assert one.union().tolist() == [sum(map(any, zip(*rows.values(), strict=True))) for rows in held]
        for n, rows in enumerate(held):
            own, shares = one.held(n)
            assert (own.tolist(), shares.tolist()) == (list(rows), list(rows.values()))
            assert shares.shape == (len(rows), len(wanted[n]))
    random = np.random.default_rng(seed)
    rankings = [random.permutation(len(chunks))[: random.integers(0, len(chunks) + 1)] for _ in asked]
    best = omega(by_place.spans, found[0].gold)
    curves = [
        coverage_curves(one, best, rankings, over, 3) for one, over in zip(found, (by_text, by_place), strict=True)
    ]
    assert curves[0].equals(curves[1])
    assert curves[0].schema.names == COVERAGE.names
    assert curves[0]["query_id"].to_pylist() == [query["query_id"] for query in asked]
    budgets = [1, 8, 20, 60]
    limits = [ceilings(one, over.sizes, budgets) for one, over in zip(found, (by_text, by_place), strict=True)]
    assert limits[0].equals(limits[1])
    # Nor does it say anything which questions are asked beside one.
    alone = [ceilings(evidence(queries[n : n + 1], by_place), by_place.sizes, budgets) for n in range(len(asked))]
    assert pa.concat_tables([limits[0][:0], *alone]).equals(limits[0])
