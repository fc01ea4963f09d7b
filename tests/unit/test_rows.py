"""Rows of CSV, JSON lines and Parquet are the same rows, and what is wrong with one is said of that one."""

from __future__ import annotations

import csv
import io
import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgrid.errors import InputError
from chunkgrid.rows import (
    either,
    first,
    json_rows,
    labelled,
    name_in,
    needing,
    read_each,
    rows_of,
    span_in,
    whole,
    whole_in,
)


def as_csv(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_jsonl(rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def as_parquet(rows):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), file)
    return file.getvalue()


def read(data, suffix, **options):
    rows, encoding = rows_of(data, suffix, **options)
    return list(rows), encoding


@pytest.mark.parametrize(
    ("suffix", "write"), [(".csv", as_csv), (".jsonl", as_jsonl), (".ndjson", as_jsonl), (".parquet", as_parquet)]
)
def test_every_format_gives_the_same_rows(suffix, write):
    rows = [{"a": "一\n二", "b": "x,\"y'"}, {"a": " ", "b": "三"}]
    assert read(write(rows), suffix) == ([(1, rows[0]), (2, rows[1])], "utf-8")


@given(st.lists(st.fixed_dictionaries({"a": st.text(), "b": st.text()}), min_size=1, max_size=5))
def test_any_text_comes_back_from_json_lines(rows):
    data = "\n".join(json.dumps(row) for row in rows).encode()
    assert read(data, ".jsonl")[0] == list(enumerate(rows, 1))


def test_japanese_encodings_are_read():
    text = "質問,文書\nこれはどのようなものですか,あ\n"
    rows = [(1, {"質問": "これはどのようなものですか", "文書": "あ"})]
    assert read(text.encode("cp932"), ".csv") == (rows, "cp932")
    assert read(text.encode("utf-8-sig"), ".csv") == (rows, "utf-8")
    line = '{"質問": "これはどのようなものですか", "文書": "あ"}'
    assert read(line.encode("euc_jp"), ".jsonl") == (rows, "euc_jp")
    with pytest.raises(InputError, match=r"^cannot be decoded as utf-8"):
        rows_of(b"\xff\x80\x80", ".csv")


def test_rows_of_json_lines_go_by_their_line():
    rows, _ = read(b'{"a": 1}\n \t\n{"a":\n[1]\r\n{"a": 2}\r\n', ".jsonl")
    assert [number for number, _ in rows] == [1, 3, 4, 5]
    assert rows[0][1] == {"a": 1}
    assert rows[1][1].startswith("is no JSON: ")
    assert rows[2][1] == "is no JSON object"
    assert rows[3][1] == {"a": 2}


@pytest.mark.parametrize("data", [b'[{"a": 1}, [2], {"a": 3}]', b'{"version": 1, "data": [{"a": 1}, [2], {"a": 3}]}'])
def test_rows_of_a_json_list(data):
    rows, encoding = json_rows(data)
    assert list(rows) == [(1, {"a": 1}), (2, "is no JSON object"), (3, {"a": 3})]
    assert encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "error"),
    [(b"{", "is no JSON: "), (b"[" * 100000, "is no JSON: "), (b"\xff\x80\x80", "cannot be decoded as utf-8")]
    + [(data, "is neither a list of rows nor has it SQuAD's list 'data'") for data in (b"3", b'"data"', b'{"a": []}')],
)
def test_json_that_is_no_list_of_rows(data, error):
    with pytest.raises(InputError) as raised:
        json_rows(data)
    assert str(raised.value).startswith(error)


def test_rows_of_csv_with_more_or_fewer_fields_than_the_header():
    assert read(b"a,b\n1,2,3\n1\n\n3,4\n", ".csv")[0] == [
        (1, "has more fields than the header"),
        (2, {"a": "1", "b": None}),
        (3, {"a": "3", "b": "4"}),
    ]


def test_a_column_without_a_name_is_no_surplus_field():
    assert read(b",a\n0,x\n1,y\n", ".csv")[0] == [(1, {"": "0", "a": "x"}), (2, {"": "1", "a": "y"})]


def test_only_the_columns_named_are_read_of_parquet_nested_ones_too():
    data = as_parquet([{"a": [{"x": 1, "y": "一"}], "b": 2, "c": 3}])
    assert read(data, ".parquet", columns=["a", "c", "z"])[0] == [(1, {"a": [{"x": 1, "y": "一"}], "c": 3})]


@pytest.mark.parametrize(("suffix", "write"), [(".csv", as_csv), (".parquet", as_parquet)])
def test_columns_are_checked_before_rows_are_read(suffix, write):
    data = write([{"a": "1", "b": "2"}])
    for fitting in (needing(["a"]), needing(["x", "b"], ["a"])):
        assert read(data, suffix, check=fitting)[0] == [(1, {"a": "1", "b": "2"})]
    with pytest.raises(InputError) as raised:
        rows_of(data, suffix, needing(["a"], ["x", "y"]))
    assert str(raised.value) == "needs the columns a and one of x or y; it has a, b"


@pytest.mark.parametrize(
    ("data", "suffix", "error"),
    [
        (b"", ".csv", "needs the columns a; it has none"),
        (b"", ".parquet", "cannot be read as Parquet: "),
        (b"PAR1", ".parquet", "cannot be read as Parquet: "),
        (b"x", ".xlsx", "is no .csv, .jsonl, .ndjson or .parquet"),
    ],
)
def test_files_that_cannot_be_read_are_one_sentence(data, suffix, error):
    with pytest.raises(InputError) as raised:
        rows_of(data, suffix, needing(["a"]))
    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match=f"^b/a{suffix}: {error}"):
        labelled(data, f"b/a{suffix}", needing(["a"]), ["a"])


def test_damage_within_a_parquet_file_is_told_with_its_name():
    rows = [{"a": f"{number:050}"} for number in range(5000)]
    data = bytearray(as_parquet(rows))
    data[1000:20000] = bytes(19000)
    with pytest.raises(InputError, match=r"^a\.parquet: cannot be read as Parquet: "):
        labelled(bytes(data), "a.parquet", needing(["a"]), ["a"])


def test_all_faults_are_told_at_once():
    rows = labelled(b"a\n1\nx\n2\n3,4\n", "q.CSV", needing(["a"]), ["a"])
    assert read_each(rows[:1], lambda label, row: (label, whole_in(row, ["a"])), "q.CSV") == [("row 1", 1)]
    with pytest.raises(InputError) as raised:
        read_each(rows, lambda label, row: whole_in(row, ["a"]), "q.CSV")
    assert str(raised.value) == (
        "q.CSV: 2 of 4 rows cannot be read:\n"
        "  row 2: a is 'x', which is no whole number\n"
        "  row 4: has more fields than the header"
    )


def test_the_first_filled_field_is_taken():
    row = {"a": None, "b": " \u3000", "c": math.nan, "d": 0, "e": "x"}
    assert first(row, ["a", "b", "c", "z", "d", "e"]) == 0
    assert first(row, ["a", "b", "c", "z"]) is None
    assert first({"a": []}, ["a"]) == []


@pytest.mark.parametrize(("value", "name"), [(" a b ", "a b"), (7, "7"), (7.0, "7"), ("7.0", "7.0")])
def test_names(value, name):
    assert name_in({"k": "", "l": value}, ["k", "l"]) == name


@pytest.mark.parametrize(
    ("value", "error"),
    [("", "has no k or l"), (7.5, "k or l is neither text nor a whole number")]
    + [(value, "k or l is neither text nor a whole number") for value in (True, ["a"], {"a": 1})],
)
def test_what_is_no_name(value, error):
    with pytest.raises(InputError, match=f"^{error}$"):
        name_in({"l": value}, ["k", "l"])


@pytest.mark.parametrize(
    ("value", "number"), [(7, 7), (-7, -7), ("12", 12), (" +3 ", 3), (12.0, 12), ("12.0", 12), ("１２", 12)]
)
def test_whole_numbers(value, number):
    assert whole(value, "k") == number


@pytest.mark.parametrize("value", [True, 1.5, "1.5", "1e3", "", "0x1", None, [1], math.nan, math.inf, "9" * 5000])
def test_what_is_no_whole_number(value):
    with pytest.raises(InputError, match=r"^k is .*, which is no whole number$"):
        whole(value, "k")


@pytest.mark.parametrize(
    ("row", "span"),
    [
        ({"start": 0, "end": 1}, (0, 1)),
        ({"start_index": "3", "end_index": "10"}, (3, 10)),
        ({"start": None, "end": ""}, None),
        ({}, None),
    ],
)
def test_spans(row, span):
    assert span_in(row) == span


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"start": 1}, "has a start without an end"),
        ({"end": 1}, "has an end without a start"),
        ({"start": 4, "end": 4}, "start and end are 4 and 4, but 0 <= start < end must hold"),
        ({"start": 5, "end": 4}, "start and end are 5 and 4, but 0 <= start < end must hold"),
        ({"start": -1, "end": 4}, "start and end are -1 and 4, but 0 <= start < end must hold"),
        ({"start_index": 1, "end_index": "x"}, "end_index is 'x', which is no whole number"),
    ],
)
def test_what_is_no_span(row, error):
    with pytest.raises(InputError) as raised:
        span_in(row)
    assert str(raised.value) == error


def test_either():
    assert [either(names) for names in (["a"], ["a", "b"], ("a", "b", "c"))] == ["a", "a or b", "a, b or c"]
