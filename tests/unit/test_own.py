"""Chunks and hits of another system: where they stand, in which order, and all that is wrong with them at once."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgrid.errors import InputError
from chunkgrid.own import OwnChunk, own_chunks, own_hits
from chunkgrid.text import strip

TEXT = "表。\n猫は鳴く。\n表。\n犬は吠える。\n表。"  # 表。 at 0, 9 and 19, 猫 at 3, 犬 at 12
DOCUMENTS = {"a.md": ("甲", TEXT), "b/c.md": ("乙", "鳥は 飛ぶ。　")}


def as_jsonl(rows):
    return "\n".join(json.dumps(row) for row in rows).encode()


def read(*rows, document="a"):
    return own_chunks(as_jsonl([{"document": document, **row} for row in rows]), "own.jsonl", DOCUMENTS)


def spans(*rows):
    chunks, notes = read(*rows)
    return [(chunk.start, chunk.end) for chunk in chunks], notes


def fault(call, *arguments):
    with pytest.raises(InputError) as raised:
        call(*arguments)
    return str(raised.value)


def test_positions_of_the_text():
    assert [at for at in range(len(TEXT)) if TEXT.startswith("表。", at)] == [0, 9, 19]
    assert (TEXT.index("猫"), TEXT.index("犬"), len(TEXT)) == (3, 12, 21)


def test_chunks_of_every_form():
    rows = [
        {"document": "乙", "text": "鳥は飛ぶ。", "chunk": 7},
        {"doc_id": "a.md", "start": 3, "end": 8, "id": "x"},
        {
            "corpus_id": "a",
            "start_index": 0,
            "end_index": "2",
            "text": "表。 ",
            "chunk_id": "y",
            "index_text": "題 表。",
        },
    ]
    expected = [
        OwnChunk("y", "a.md", 0, 2, "表。 ", "題 表。"),
        OwnChunk("x", "a.md", 3, 8, "猫は鳴く。", None),
        OwnChunk("7", "b/c.md", 0, 6, "鳥は飛ぶ。", None),
    ]
    assert own_chunks(as_jsonl(rows), "own.jsonl", DOCUMENTS) == (expected, [])


def test_chunks_of_csv_and_parquet():
    rows = [{"document": "a", "text": "猫は鳴く。", "chunk": 1}, {"document": "a", "text": "犬は吠える。", "chunk": 2}]
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{**row, "embedding": [0.5]} for row in rows]), file)
    expected = [
        OwnChunk("1", "a.md", 3, 8, "猫は鳴く。", None),
        OwnChunk("2", "a.md", 12, 18, "犬は吠える。", None),
    ]
    assert own_chunks(file.getvalue(), "own.parquet", DOCUMENTS) == (expected, [])
    data = "chunk,document,text\n1,a,猫は鳴く。\n2,a,犬は吠える。\n"
    assert own_chunks(data.encode(), "own.csv", DOCUMENTS) == (expected, [])


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["表。"], [(0, 2)]),
        (["猫は鳴く。", "表。"], [(3, 8), (9, 11)]),
        (["表。", "猫は鳴く。", "表。", "犬は吠える。", "表。"], [(0, 2), (3, 8), (9, 11), (12, 18), (19, 21)]),
        (["表。", "表。", "表。"], [(0, 2), (9, 11), (19, 21)]),
        (["表。\n猫は鳴く。", "猫は鳴く。\n表。", "表。"], [(0, 8), (3, 11), (9, 11)]),
        (["表。\n", "\n表。"], [(0, 3), (8, 11)]),
        (["猫は 鳴く。表。"], [(3, 11)]),
        (["犬は吠える。表。", "表。"], [(12, 21), (19, 21)]),
    ],
)
def test_texts_are_placed_in_reading_order(texts, expected):
    assert spans(*({"text": text} for text in texts)) == (expected, [])


def test_offsets_say_where_reading_goes_on():
    assert spans({"start": 9, "end": 11}, {"text": "表。"}, {"text": "表。"}) == ([(9, 11), (9, 11), (19, 21)], [])


def test_more_of_a_text_than_the_document_has_stand_in_one_place():
    assert spans({"text": "犬は吠える。"}, {"text": "犬は吠える。"}) == ([(12, 18), (12, 18)], [])


def test_documents_have_a_reading_order_each():
    rows = [("a", "犬は吠える。"), ("b/c", "鳥は"), ("a", "表。"), ("c", "飛ぶ。")]
    chunks, notes = own_chunks(as_jsonl([{"document": d, "text": t} for d, t in rows]), "own.jsonl", DOCUMENTS)
    assert [(chunk.doc_id, chunk.start) for chunk in chunks] == [
        ("a.md", 12),
        ("a.md", 19),
        ("b/c.md", 0),
        ("b/c.md", 3),
    ]
    assert notes == []


def test_chunks_out_of_reading_order_are_placed_and_noted():
    found, notes = spans({"text": "犬は吠える。", "chunk": "x"}, {"text": "猫は鳴く。", "chunk": "y"}, {"text": "表。"})
    assert found == [(3, 8), (9, 11), (12, 18)]
    assert notes == [
        "own.jsonl: 1 of 3 chunks standing before the chunk listed ahead of them, so that a repeated text may be "
        "misplaced: y"
    ]


def test_a_chunk_out_of_order_may_stand_at_the_very_start():
    assert spans({"text": "犬は吠える。"}, {"text": "表。\n猫は"})[0] == [(0, 5), (12, 18)]


def test_offsets_that_do_not_hold_give_way_to_the_text():
    found, notes = spans({"start": 4, "end": 9, "text": "猫は鳴く。"}, {"start": 9, "end": 99, "text": "表。"})
    assert found == [(3, 8), (9, 11)]
    assert notes == ["own.jsonl: 2 of 2 chunks placed by text, their offsets do not hold: row 1, row 2"]


def test_a_text_that_is_not_found_stays_behind_the_chunk_before_it():
    rows = [
        {"text": "鳥"},
        {"text": "犬は吠える。"},
        {"text": "牛", "chunk": 5},
        {"text": "猫は鳴く。"},
        {"text": "馬", "start": 1, "end": 2},
    ]
    chunks, notes = read(*rows)
    assert [(chunk.text, chunk.start, chunk.end) for chunk in chunks] == [
        ("鳥", None, None),
        ("猫は鳴く。", 3, 8),
        ("馬", None, None),
        ("犬は吠える。", 12, 18),
        ("牛", None, None),
    ]  # fmt: skip
    assert notes[0] == "own.jsonl: 3 of 5 chunks not found in their document, kept without offsets: row 1, 5, row 5"
    assert len(notes) == 2  # and one that goes back


def test_only_the_first_names_are_noted():
    _, (note,) = read(*({"text": "鳥", "chunk": name} for name in "abcdefg"))
    _, (whole,) = read(*({"text": "鳥", "chunk": name} for name in "abcde"))
    assert whole.endswith(": a, b, c, d, e")
    assert note == "own.jsonl: 7 of 7 chunks not found in their document, kept without offsets: a, b, c, d, e, …"


def test_texts_take_the_form_of_documents():
    documents = {"d": ("", "これはガイド。")}
    rows = [{"document": "d", "text": "カ\u3099イ\u200bド", "index_text": "\ufeff題カ\u3099"}]
    assert own_chunks(as_jsonl(rows), "own.jsonl", documents)[0] == [OwnChunk(None, "d", 3, 6, "ガイド", "題ガ")]


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"text": " \n"}, "has neither text nor start and end"),
        ({"text": "\u200b \u200b"}, "has neither text nor start and end"),
        ({"text": 5}, "text is no text"),
        ({"start": 3}, "has a start without an end"),
        ({"start": 8, "end": 9}, "[8, 9) is blank in a.md"),
        ({"start": 8, "end": 22}, "[8, 22) lies outside of the 21 characters of a.md"),
        ({"start": -3, "end": 2, "text": "表。"}, "start and end are -3 and 2, but 0 <= start < end must hold"),
        ({"start": 3, "end": 3}, "start and end are 3 and 3, but 0 <= start < end must hold"),
        ({"start": "x", "end": 3}, "start is 'x', which is no whole number"),
        ({"text": "表。", "document": "z"}, "no document is named 'z'"),
        ({"text": "表。", "document": ""}, "has no document, doc_id or corpus_id"),
        ({"text": "表。", "chunk": [1]}, "chunk, chunk_id or id is neither text nor a whole number"),
    ],
)
def test_faults_of_a_chunk(row, error):
    assert fault(read, row) == f"own.jsonl: 1 of 1 rows cannot be read:\n  row 1: {error}"


def test_all_chunks_at_fault_are_told_at_once():
    rows = [{"text": "表。", "chunk": 1}, {"text": "表。", "chunk": "1"}, {"text": ""}, {"text": "表。", "chunk": 2}]
    assert fault(read, *rows) == (
        "own.jsonl: 2 of 4 rows cannot be read:\n"
        "  row 2: its name '1' is also that of row 1\n"
        "  row 3: has neither text nor start and end"
    )


def test_files_of_chunks_without_the_columns():
    error = "needs the columns one of document, doc_id or corpus_id and one of text, start or start_index; it has a"
    assert fault(own_chunks, b"a\n1\n", "own.csv", DOCUMENTS) == f"own.csv: {error}"


pieces = st.lists(st.sampled_from(["あ", "い。", "あい", " う\n", "あ あ", "\n表\n"]), min_size=1, max_size=15)


@given(pieces)
def test_a_document_cut_into_pieces_is_put_together_again(parts):
    """Whatever repeats: no piece is lost, none goes back, and none stands behind its true place."""
    document = "".join(parts)
    chunks, notes = own_chunks(
        as_jsonl([{"document": "d", "text": part} for part in parts]), "o.jsonl", {"d": ("", document)}
    )
    assert notes == []
    assert [chunk.text for chunk in chunks] == parts
    assert [document[chunk.start : chunk.end] for chunk in chunks] == parts
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(starts)
    assert all(start <= len("".join(parts[:number])) for number, start in enumerate(starts))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(0, 5), st.data())
def test_overlapping_pieces_of_a_text_that_does_not_repeat_come_back(lengths, overlap, data):
    document = "".join(map(chr, range(0x4E00, 0x4E00 + sum(lengths))))
    ends = [sum(lengths[: number + 1]) for number in range(len(lengths))]
    cut = [(max(0, end - length - overlap), end) for end, length in zip(ends, lengths, strict=True)]
    blank = st.text(" \n\u3000", max_size=2)
    altered = ["".join(character + data.draw(blank) for character in document[start:end]) for start, end in cut]
    order = data.draw(st.permutations(range(len(cut))))
    rows = [{"document": "d", "text": altered[number], "chunk": number} for number in order]
    chunks, _ = own_chunks(as_jsonl(rows), "o.jsonl", {"d": ("", document)})
    assert {(int(chunk.name), chunk.start, strip(chunk.text)) for chunk in chunks} == {
        (number, start, document[start:end]) for number, (start, end) in enumerate(cut)
    }
    assert [chunk.start for chunk in chunks] == sorted(start for start, _ in cut)


def hits(*rows):
    return own_hits(as_jsonl([{"query": "q", **row} for row in rows]), "hits.jsonl")


def test_hits_by_rank():
    rows = [
        {"rank": 2, "chunk": 7},
        {"rank": "0", "chunk_id": "x", "score": "0.5"},
        {"rank": 10.0, "id": "y", "score": 9},
    ]
    assert hits(*rows) == {"q": [("x", 0.5), ("7", None), ("y", 9.0)]}


def test_hits_by_score_stay_in_order_where_it_is_the_same():
    scores = {"a": 0.5, "b": 2, "c": 0.5, "d": -1, "e": 0.5}
    rows = ({"chunk": chunk, "score": score} for chunk, score in scores.items())
    assert hits(*rows) == {"q": [("b", 2.0), ("a", 0.5), ("c", 0.5), ("e", 0.5), ("d", -1.0)]}


def test_a_chunk_counts_once_at_its_best_rank():
    rows = [{"rank": 3, "chunk": "a"}, {"rank": 1, "chunk": "b"}, {"rank": 2, "chunk": "a", "score": 4}]
    assert hits(*rows) == {"q": [("b", None), ("a", 4.0)]}


def test_questions_of_hits_keep_their_order_and_their_names():
    data = "question,chunk,rank\n か\u3099? ,1,5\nb,1,1\nが?,2,4\n"
    assert own_hits(data.encode(), "hits.csv") == {"が?": [("2", None), ("1", None)], "b": [("1", None)]}
    rows = [{"query_id": "0f", "chunk": 1, "rank": 1}, {"query_id": 3, "chunk": 1, "rank": 1}]
    assert own_hits(as_jsonl(rows), "hits.jsonl") == {"0f": [("1", None)], "3": [("1", None)]}


def test_a_table_of_rankings_is_read():
    table = pa.table({"query_id": ["x", "x"], "rank": [1, 2], "chunk": [5, 3], "score": [2.5, None]})
    file = io.BytesIO()
    pq.write_table(table, file)
    assert own_hits(file.getvalue(), "hits.parquet") == {"x": [("5", 2.5), ("3", None)]}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"query": "", "rank": 1, "chunk": 1}, "has no query, query_id or question"),
        ({"rank": 1}, "has no chunk, chunk_id or id"),
        ({"chunk": 1}, "has neither rank nor score"),
        ({"chunk": 1, "rank": "first"}, "rank is 'first', which is no whole number"),
        ({"chunk": 1, "rank": 1.5}, "rank is 1.5, which is no whole number"),
        ({"chunk": 1, "score": "high"}, "score is 'high', which is no number"),
        ({"chunk": 1, "score": float("inf")}, "score is inf, which is no number"),
        ({"chunk": 1, "score": True}, "score is True, which is no number"),
        ({"chunk": 1, "score": [1]}, "score is [1], which is no number"),
    ],
)
def test_faults_of_a_hit(row, error):
    assert fault(hits, row) == f"hits.jsonl: 1 of 1 rows cannot be read:\n  row 1: {error}"


def test_all_hits_at_fault_are_told_at_once():
    rows = [
        {"rank": 1, "chunk": 1},
        {"rank": "1", "chunk": 1},
        {"score": 3, "chunk": 2},
        {"query": "p", "rank": 1, "chunk": 1},
    ]
    scored = [{"query": "s", "score": 3, "chunk": 2}, {"query": "s", "rank": 3, "chunk": 2}]
    assert fault(hits, *rows, *scored) == (
        "hits.jsonl: 3 of 6 rows cannot be read:\n"
        "  row 2: its question has rank 1 in row 1 already\n"
        "  row 3: has no rank, unlike other rows of its question\n"
        "  row 6: has a rank, unlike other rows of its question"
    )


def test_files_of_hits_without_the_columns():
    error = (
        "needs the columns one of query, query_id or question and one of chunk, chunk_id or id and one of rank or score"
    )
    assert fault(own_hits, b"query,chunk\na,1\n", "hits.csv") == f"hits.csv: {error}; it has query, chunk"


@given(
    st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from("abc"), st.integers(-5, 5)), unique_by=lambda hit: hit[::2]
    )
)
def test_ranks_are_followed_whatever_the_order_of_rows(found):
    rows = [{"query": query, "chunk": chunk, "rank": rank} for query, chunk, rank in found]
    read = own_hits(as_jsonl(rows), "hits.jsonl")
    for query in "pq":
        ordered = [chunk for _, chunk, _ in sorted((hit for hit in found if hit[0] == query), key=lambda hit: hit[2])]
        assert [chunk for chunk, _ in read.get(query, [])] == list(dict.fromkeys(ordered))
