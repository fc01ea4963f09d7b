"""Questions of every form that people have become the same."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgrid.errors import InputError
from chunkgrid.question_files import Asked, Gold, read_questions


def as_jsonl(rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def as_csv(rows):
    """As exports do: lists and mappings are JSON in their cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(
        {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list | dict) else v for k, v in row.items()}
        for row in rows
    )
    return text.getvalue().encode("utf-8-sig")


def as_parquet(rows):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


def as_json(rows):
    return json.dumps(rows, ensure_ascii=False).encode()


FORMATS = {"q.jsonl": as_jsonl, "q.ndjson": as_jsonl, "q.csv": as_csv, "q.parquet": as_parquet, "q.json": as_json}
formats = pytest.mark.parametrize("name", FORMATS)


def golds_of(gold, name="q.jsonl", **fields):
    (asked,) = read_questions(FORMATS[name]([{"query": "何?", "document": "a", **fields, "gold": gold}]), name)
    return asked.golds


def fault_of(row, name="q.jsonl"):
    with pytest.raises(InputError) as raised:
        read_questions(FORMATS[name]([row]), name)
    first, *rest = str(raised.value).split("\n")
    assert first == f"{name}: 1 of 1 rows cannot be read:"
    assert len(rest) == 1
    return rest[0]


@formats
@pytest.mark.parametrize("query", ["query", "question"])
@pytest.mark.parametrize("document", ["document", "doc_id", "corpus_id"])
@pytest.mark.parametrize("gold", ["gold", "references", "answer", "gold_text"])
def test_the_names_of_the_fields(name, query, document, gold):
    data = FORMATS[name]([{query: "何?", document: "a.md", gold: "答え"}, {query: "他は?", document: "b", gold: "別"}])
    assert read_questions(data, name) == [
        Asked("row 1", "何?", "a.md", (Gold("答え"),)),
        Asked("row 2", "他は?", "b", (Gold("別"),)),
    ]


@formats
@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("答え", (Gold("答え"),)),
        (["答え", "続き"], (Gold("答え"), Gold("続き"))),
        ([], ()),
        ({"start": 3, "end": 5}, (Gold(None, 3, 5),)),
        ([{"start": 3, "end": 5}, {"start": 7, "end": 9}], (Gold(None, 3, 5), Gold(None, 7, 9))),
        ([{"start": 3, "end": 5, "text": "答え"}], (Gold("答え", 3, 5),)),
        ([{"start_index": 3, "end_index": 5, "content": "答え"}], (Gold("答え", 3, 5),)),
        ([{"text": "答え"}, {"text": "続き"}], (Gold("答え"), Gold("続き"))),
        ([{"start": "3", "end": "5"}], (Gold(None, 3, 5),)),
        (None, ()),
        ("", ()),
    ],
)
def test_the_forms_of_gold(name, gold, expected):
    assert golds_of(gold, name) == expected


@formats
def test_columns_of_offsets_are_one_span(name):
    assert golds_of(None, name, start=3, end=5) == (Gold(None, 3, 5),)
    assert golds_of("答え", name, start_index="3", end_index="5") == (Gold("答え", 3, 5),)


def test_offsets_need_no_column_of_gold_at_all():
    (asked,) = read_questions(b"question,doc_id,start,end\nx,a,3,5.0\n", "q.csv")
    assert asked.golds == (Gold(None, 3, 5),)


@pytest.mark.parametrize("text", ["[1] を見よ", "[1]", '{"a": 1}', "[答え", "{}", '["a", 1]', "[null]", "{答え}"])
def test_a_cell_of_csv_that_is_no_json_of_gold_is_text(text):
    assert golds_of(text, "q.csv") == (Gold(text),)


def test_cells_of_csv_may_be_short_of_the_gold_and_blank_around_it():
    data = b'query,document,gold\nx,a\ny,A, ["b"]\n'
    assert [asked.golds for asked in read_questions(data, "Q.CSV")] == [(), (Gold("b"),)]


def test_text_of_json_lines_is_text_whatever_it_looks_like():
    assert golds_of('["a"]') == (Gold('["a"]'),)


def test_chromas_file_comes_in_as_it_is():
    references = '[{""content"": ""Ten ""\\u2019"", ""start_index"": 7, ""end_index"": 12}]'.replace('Ten ""', "Ten ")
    data = f'question,references,corpus_id\n"What, then?","{references}",state_of_the_union\n'.encode()
    assert read_questions(data, "questions_df.csv") == [
        Asked("row 1", "What, then?", "state_of_the_union", (Gold("Ten \u2019", 7, 12),))
    ]


def test_a_runs_own_table_of_queries_is_read():
    row = {
        "query_id": "0f",
        "doc_id": "a.html",
        "query": "何?",
        "gold": [{"start": 1, "end": 3}],
        "gold_text": ["答え"],
    }
    assert read_questions(as_parquet([row]), "queries.parquet") == [
        Asked("row 1", "何?", "a.html", (Gold(None, 1, 3),))
    ]


def test_questions_take_the_form_of_documents_and_golds_stay():
    row = {"query": "\u200b か\u3099何?\u200b\n", "document": 7, "gold": "か\u3099 "}
    assert read_questions(as_jsonl([row]), "q.jsonl") == [Asked("row 1", "が何?", "7", (Gold("か\u3099 "),))]


@given(st.lists(st.tuples(st.text(min_size=1), st.lists(st.text(min_size=1))), max_size=4))
def test_any_texts_come_back(questions):
    rows = [{"query": f"q{n}", "document": d, "gold": golds} for n, (d, golds) in enumerate(questions)]
    wanted = [(row["document"].strip(), tuple(map(Gold, row["gold"]))) for row in rows]
    if all(document and all(gold.text.strip() for gold in golds) for document, golds in wanted):
        data = "\n".join(map(json.dumps, rows)).encode()
        assert [(asked.document, asked.golds) for asked in read_questions(data, "q.jsonl")] == wanted


CONTEXT = "東京は首都です。人口は多い。"
SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "東京",
            "paragraphs": [
                {
                    "context": CONTEXT,
                    "qas": [
                        {
                            "id": "5733be28",
                            "question": "首都は?",
                            "answers": [{"text": "東京", "answer_start": 0}, {"text": "東京は", "answer_start": 0}],
                        },
                        {
                            "id": "a1",
                            "question": "面積は?",
                            "answers": [],
                            "plausible_answers": [{"text": "多い", "answer_start": 11}],
                            "is_impossible": True,
                        },
                        {"question": "人口は?", "answers": [{"text": "多い", "answer_start": 11}]},
                    ],
                }
            ],
        },
        {"title": "空", "paragraphs": []},
    ],
}


def test_squad():
    assert read_questions(as_json(SQUAD), "dev.json") == [
        Asked("question 5733be28", "首都は?", "東京", (Gold("東京", 0, 2, CONTEXT),)),
        Asked("question a1", "面積は?", "東京", ()),
        Asked("article 1, question 3", "人口は?", "東京", (Gold("多い", 11, 13, CONTEXT),)),
    ]


@formats
def test_squad_as_hubs_export_it(name):
    row = {"id": "5733be28", "title": "東京", "context": CONTEXT, "question": "首都は?"}
    rows = [
        {**row, "answers": {"text": ["東京", "東京は"], "answer_start": [0, 0]}},
        {**row, "answers": {"text": [], "answer_start": []}},
    ]
    expected = Asked("question 5733be28", "首都は?", "東京", (Gold("東京", 0, 2, CONTEXT),))
    nothing = Asked("question 5733be28", "首都は?", "東京", ())
    assert read_questions(FORMATS[name](rows), name) == [expected, nothing]


def jsquad(answers):
    context = "東京 [SEP] 東京は首都です。"
    row = {"id": "p0", "title": "東京", "context": context, "question": "何?"}
    (asked,) = read_questions(as_jsonl([{**row, "answers": answers}]), "q.jsonl")
    return asked.golds


@pytest.mark.parametrize(
    ("texts", "starts", "gold"),
    [
        (["首都"], [12], Gold("首都", 3, 5, "東京は首都です。")),
        (["東京", "首都"], [0, 12], Gold("首都", 3, 5, "東京は首都です。")),
        (["東京"], [0], Gold("東京", 0, 2, "東京は首都です。")),
        (["[SEP]", "東京は"], [3, 9], Gold("東京は", 0, 3, "東京は首都です。")),
    ],
)
def test_the_title_before_a_context_of_jsquad_is_no_part_of_it(texts, starts, gold):
    assert jsquad({"text": texts, "answer_start": starts}) == (gold,)


GOOD = {"query": "何?", "document": "a", "gold": "答え"}
SHAPE = "answers are not of SQuAD's shape, with text and answer_start"
FLAT = {"id": "x", "title": "a", "context": "答えです", "question": "何?", "answers": None}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({**GOOD, "query": " "}, "has no query or question"),
        ({**GOOD, "query": "\u200b"}, "has no query or question"),
        ({**GOOD, "document": None}, "has no document, doc_id or corpus_id"),
        ({"query": "何?", "document": "a"}, "has no gold, references, answer, gold_text or start"),
        ({**GOOD, "gold": ["答え", " "]}, "has a blank gold"),
        ({**GOOD, "gold": 7}, "has a gold that is neither text nor a span"),
        ({**GOOD, "gold": {"from": 7}}, "has a gold with neither text nor start and end"),
        ({**GOOD, "gold": {"text": ["答え"]}}, "has a gold whose text or content is no text"),
        ({**GOOD, "gold": {"start": 3}}, "has a start without an end"),
        (
            {**GOOD, "gold": [{"start": 3, "end": 3}]},
            "start and end are 3 and 3, but 0 <= start < end must hold",
        ),
        (
            {**GOOD, "gold": [{"start": -1, "end": 3}]},
            "start and end are -1 and 3, but 0 <= start < end must hold",
        ),
        (
            {**GOOD, "gold": [{"start_index": 0.5, "end_index": 3}]},
            "start_index is 0.5, which is no whole number",
        ),
        ({**GOOD, "gold": ["答え"], "start": 1, "end": 2}, "has start and end beside a gold that is not one text"),
    ],
)
def test_faults_of_a_row(row, fault):
    assert fault_of(row) == f"  row 1: {fault}"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"answers": {"text": ["答え"]}}, SHAPE),
        ({"answers": "答え"}, SHAPE),
        ({"answers": {"text": ["a", "b"], "answer_start": [1]}}, SHAPE),
        ({"answers": [{"text": " ", "answer_start": 0}]}, "has an answer without text"),
        ({"answers": [{"text": "答え", "answer_start": -1}]}, "has a negative answer_start"),
        ({"answers": [{"text": "答え", "answer_start": None}]}, "answer_start is None, which is no whole number"),
        ({"answers": [{"text": "答え", "answer_start": 0}], "context": " "}, "has no context"),
        ({"title": ""}, "has no document, doc_id, corpus_id or title"),
    ],
)  # fmt: skip
def test_faults_of_a_row_of_squad(fields, fault):
    assert fault_of({**FLAT, **fields}) == f"  question x: {fault}"


def test_all_rows_at_fault_are_told_at_once():
    lines = [json.dumps(GOOD), "{", "[1]", json.dumps({**GOOD, "query": ""}), "", json.dumps({"query": "x"})]
    with pytest.raises(InputError) as raised:
        read_questions("\n".join(lines).encode(), "q.jsonl")
    first, second, third, *rest = str(raised.value).split("\n")
    assert first == "q.jsonl: 4 of 5 rows cannot be read:"
    assert second.startswith("  row 2: is no JSON: ")
    assert [third, *rest] == [
        "  row 3: is no JSON object",
        "  row 4: has no query or question",
        "  row 6: has no document, doc_id or corpus_id",
    ]


def test_what_is_not_of_squads_shape_is_told_beside_the_rest():
    data = {
        "data": [{"title": "a", "paragraphs": [{"qas": [{}]}]}, {"title": "b", "paragraphs": 3}, 4, SQUAD["data"][0]]
    }
    with pytest.raises(InputError) as raised:
        read_questions(as_json(data), "s.json")
    shape = "is not of SQuAD's shape: paragraphs with a context and a list of qas"
    assert str(raised.value).split("\n") == [
        "s.json: 3 of 6 rows cannot be read:",
        f"  article 1: {shape}",
        f"  article 2: {shape}",
        "  row 3: is no JSON object",
    ]


NEEDS = (
    "needs the columns one of query or question and one of document, doc_id, corpus_id or title "
    "and one of gold, references, answer, gold_text, start, start_index or answers"
)


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("q.csv", b"question,text\nx,y\n", NEEDS + "; it has question, text"),
        ("q.parquet", b"", "cannot be read as Parquet: "),
        ("q.json", b"{", "is no JSON: "),
        ("q.json", b"{}", "is neither a list of rows nor has it SQuAD's list 'data'"),
        ("q.json", b"3", "is neither a list of rows nor has it SQuAD's list 'data'"),
        ("q.json", b"\xff\x80\x80", "cannot be decoded as utf-8"),
        ("q.txt", b"x", "is no .csv, .jsonl, .ndjson or .parquet"),
    ],
)  # fmt: skip
def test_a_file_that_is_nothing_is_one_sentence(name, data, error):
    with pytest.raises(InputError) as raised:
        read_questions(data, name)
    assert str(raised.value).startswith(f"{name}: {error}")
    assert "\n" not in str(raised.value)
