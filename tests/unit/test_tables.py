"""Tables are whole or absent, and a wrong one is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkgrid import tables
from chunkgrid.errors import InputError
from chunkgrid.naming import measure_names

ROW = {"query_id": "a", "rank": 1, "chunk": 7, "score": 0.5}


def test_what_is_written_is_read_back_with_its_descriptions(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    tables.write(tables.table([ROW], tables.RANKINGS), path)
    assert tables.read(path, tables.RANKINGS).to_pylist() == [ROW]
    assert pq.read_schema(path).field("rank").metadata == {b"description": b"from 1"}
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]


def test_a_failed_write_leaves_the_old_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.parquet"
    tables.write(tables.table([ROW], tables.RANKINGS), path)
    monkeypatch.setattr(pq, "write_table", lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        tables.write(tables.table([], tables.RANKINGS), path)
    assert tables.read(path).num_rows == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as Parquet"),
        (b"PAR1 half of a file", "cannot be read as Parquet"),
        (pa.table({"query_id": ["a"]}), "has no column 'rank'"),
        (pa.table({**{name: [1] for name in ("rank", "chunk", "score")}, "query_id": ["a"]}), "'score' is int64"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: bytes | pa.Table, message: str) -> None:
    path = tmp_path / "wrong.parquet"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        pq.write_table(content, path)
    with pytest.raises(InputError) as raised:
        tables.read(path, tables.RANKINGS)
    assert str(path) in str(raised.value)
    assert message in str(raised.value)


def test_several_files_are_one_table_in_their_order_and_none_is_an_empty_one(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("b", "a")]
    for number, path in enumerate(paths):
        tables.write(tables.table([{**ROW, "chunk": number}], tables.RANKINGS), path)
    assert tables.read_all(paths, tables.RANKINGS)["chunk"].to_pylist() == [0, 1]
    assert tables.read_all([], tables.RANKINGS).schema.names == tables.RANKINGS.names


def test_csv_holds_floats_exactly_and_null_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    tables.write_csv(pa.table({"a": [0.1 + 0.2, None], "b": ["二、三", 'say "x"']}), path)
    assert path.read_text(encoding="utf-8-sig") == 'a,b\n0.30000000000000004,二、三\n,"say ""x"""\n'


@pytest.mark.parametrize("name", [n for n in dir(tables) if isinstance(getattr(tables, n), pa.Schema)])
def test_every_column_says_what_it_holds(name: str) -> None:
    for field in getattr(tables, name):
        assert field.metadata, field.name
        assert field.metadata[b"description"], field.name


def test_measures_say_what_they_hold_under_their_own_names() -> None:
    names = measure_names([5, 10], [2000], "tokens-cl100k_base")
    for schema in (tables.questions_schema(names), tables.metrics_schema(names)):
        assert set(names) <= set(schema.names)
        assert all(field.metadata[b"description"] for field in schema)
    metrics = tables.metrics_schema(names)
    for name, says in {
        "over_budget@2000": "mean: share of questions where the first chunk alone exceeds the budget",
        "budget_tokens@2000": "mean: tokens handed over within the budget",
        "budget_tokens@2000_se": "standard error of budget_tokens@2000",
        "index_tokens": "tokens indexed, where budgets are in tokens",
    }.items():
        assert metrics.field(name).metadata[b"description"].decode() == says


def test_what_may_be_shown_is_what_a_row_of_a_cell_holds() -> None:
    names = measure_names([5], [2000], "tokens-cl100k_base")
    shown = tables.shown(names)
    metrics = tables.metrics_schema(names)
    figures = [field.name for field in metrics if field.type in (pa.int64(), pa.float64())]
    assert shown == [name for name in figures if not name.endswith("_se") and name not in ("questions", "answered")]


@pytest.mark.parametrize(("origins", "told"), [(["file", "file"], b"file"), (["headings"], b"headings"), ([], b"")])
def test_a_table_is_marked_with_where_its_questions_come_from(tmp_path: Path, origins: list, told: bytes) -> None:
    queries = tables.table([{"questions_from": origin} for origin in origins], tables.QUERIES)
    kept = tables.table([ROW], tables.RANKINGS).replace_schema_metadata({"kept": "this"})
    tables.write(tables.marked(kept, queries), tmp_path / "x.parquet")
    schema = pq.read_schema(tmp_path / "x.parquet")
    assert {key: schema.metadata[key] for key in (b"kept", b"questions_from")} == {
        b"kept": b"this",
        b"questions_from": told,
    }
    assert schema.field("rank").metadata[b"description"] == b"from 1"
    assert tables.read(tmp_path / "x.parquet", tables.RANKINGS).to_pylist() == [ROW]


def test_chunks_that_are_slices_say_so_in_their_file_and_have_a_place(tmp_path: Path) -> None:
    slices = tables.table([{"chunk": 0, "start": 0}, {"chunk": 1, "start": 9}], tables.CHUNKS)
    assert not tables.are_slices(slices)
    tables.write(tables.of_slices(slices), tmp_path / "x.parquet")
    read = tables.read(tmp_path / "x.parquet", tables.CHUNKS)
    assert tables.are_slices(read)
    assert read.equals(slices)
    placeless = tables.table([{"chunk": 0, "start": 0}, {"chunk": 1}], tables.CHUNKS)
    assert not tables.are_slices(tables.of_slices(placeless))


def test_a_table_in_parts_is_one_with_the_metadata_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parts = [tables.of_slices(tables.table([{"chunk": n, "start": 0}], tables.CHUNKS)) for n in range(3)]
    tables.write_parts(iter(parts), tables.CHUNKS, path)
    read = tables.read(path, tables.CHUNKS)
    assert read["chunk"].to_pylist() == [0, 1, 2]
    assert tables.are_slices(read)
    assert pq.read_schema(path).field("chunk").metadata == tables.CHUNKS.field("chunk").metadata
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]
    tables.write_parts(iter([]), tables.CHUNKS, path)
    assert tables.read(path, tables.CHUNKS).num_rows == 0


def test_a_part_that_fails_leaves_the_old_table(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    tables.write(tables.table([ROW], tables.RANKINGS), path)

    def parts() -> Iterator[pa.Table]:
        yield tables.table([], tables.RANKINGS)
        raise InputError("no such chunk")

    with pytest.raises(InputError, match="no such chunk"):
        tables.write_parts(parts(), tables.RANKINGS, path)
    assert tables.read(path).to_pylist() == [ROW]


def test_the_texts_of_chunks_are_read_where_they_say_more_than_their_place_or_are_wanted(tmp_path: Path) -> None:
    slices, texts = tmp_path / "slices.parquet", tmp_path / "texts.parquet"
    row = {"chunk": 0, "doc_id": "d", "start": 3, "end": 4, "text": "甲", "index_text": "題\n甲"}
    tables.write(tables.of_slices(tables.table([row], tables.CHUNKS)), slices)
    tables.write(tables.table([row], tables.CHUNKS), texts)
    place = {"doc_id": "d", "start": 3, "end": 4, "parent": None}
    read = tables.read_chunks(slices, ["index_text"])
    assert read.to_pylist() == [{**place, "index_text": "題\n甲"}]
    assert tables.are_slices(read)
    assert tables.read_chunks(slices, [], text=True).to_pylist() == [{**place, "text": "甲"}]
    assert tables.read_chunks(texts, ["doc_id"]).to_pylist() == [{**place, "text": "甲"}]
    slices.write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"slices.parquet cannot be read as Parquet"):
        tables.read_chunks(slices, [])


def test_blocks_must_be_those_of_the_documents(tmp_path: Path) -> None:
    row = {"block": 0, "kind": "paragraph", "start": 0, "end": 1, "text": "x", "headings": []}
    for name in ("b", "a"):
        tables.write(tables.table([{**row, "doc_id": name}], tables.BLOCKS), tmp_path / f"{name}.parquet")

    def documents(*names: str) -> pa.Table:
        return tables.table([{"doc_id": name} for name in names], tables.DOCUMENTS)

    assert tables.read_batches([tmp_path], documents("a", "b"))["doc_id"].to_pylist() == ["a", "b"]
    with pytest.raises(InputError, match="the files of blocks/ lack 'c'"):
        tables.read_batches([tmp_path], documents("a", "b", "c"))
    with pytest.raises(InputError, match="the files of blocks/ hold 'b', which is no document"):
        tables.read_batches([tmp_path], documents("a"))


def test_a_file_is_told_by_its_columns(tmp_path: Path) -> None:
    tables.write(tables.table([ROW], tables.RANKINGS), tmp_path / "x")
    (tmp_path / "y").write_bytes(b"a,b")
    assert tables.holds(tmp_path / "x", tables.RANKINGS.names)
    assert not tables.holds(tmp_path / "x", tables.CUTS.names)
    assert not tables.holds(tmp_path / "y", tables.RANKINGS.names)
