"""Rows of a data file (CSV, JSON lines, Parquet): how they are read, their fields taken, their faults told."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from .encoding import decode
from .errors import InputError

SUFFIXES = (".csv", ".jsonl", ".ndjson", ".parquet")

START, END = ("start", "start_index"), ("end", "end_index")
"""Names of the fields that hold a span."""

Row = dict[str, Any]
Check = Callable[[Sequence[str]], None]
T = TypeVar("T")


def rows_of(
    data: bytes, suffix: str, check: Check = lambda columns: None, columns: Sequence[str] | None = None
) -> tuple[Iterator[tuple[int, Row | str]], str]:
    """The rows of a file with their numbers from 1, and the encoding it was read in.

    What is no row is a sentence that says why. In JSON lines the number is that of the line. `check` is called
    with the columns of a CSV or Parquet file before any row is read; `columns` are those that are read of a
    Parquet file, as far as it has them. Raises InputError, without the file's name, where the file cannot be
    read or the check fails, for Parquet also while the rows are taken.
    """
    if suffix == ".parquet":
        return _parquet(data, check, columns), "utf-8"
    if suffix not in SUFFIXES:
        raise InputError(f"is no {either(SUFFIXES)}")
    text, encoding = decode(data)
    return _csv(text, check) if suffix == ".csv" else _jsonl(text), encoding


def json_rows(data: bytes) -> tuple[Iterator[tuple[int, Row | str]], str]:
    """The rows of a JSON file that is a list of them, or has it in `data` as SQuAD does; as `rows_of` gives them."""
    text, encoding = decode(data)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}") from None
    items = content.get("data") if isinstance(content, dict) else content
    if not isinstance(items, list):
        raise InputError("is neither a list of rows nor has it SQuAD's list 'data'")
    return enumerate((item if isinstance(item, dict) else "is no JSON object" for item in items), 1), encoding


def labelled(data: bytes, name: str, check: Check, columns: Sequence[str]) -> list[tuple[str, Row | str]]:
    """All rows of the file `name`, each with its label such as `row 5`. Raises InputError naming the file."""
    try:
        rows, _ = rows_of(data, PurePath(name).suffix.lower(), check, columns)
        return [(f"row {number}", row) for number, row in rows]
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def read_each(rows: Sequence[tuple[str, Row | str]], read: Callable[[str, Row], T], name: str) -> list[T]:
    """What `read` makes of each label and row, in order.

    Raises one InputError that lists every row that is none, or that `read` raises an InputError for.
    """
    made: list[T] = []
    faults: list[str] = []
    for label, row in rows:
        try:
            if isinstance(row, str):
                raise InputError(row)
            made.append(read(label, row))
        except InputError as error:
            faults.append(f"{label}: {error}")
    if faults:
        raise InputError(listing(name, faults, len(rows), "rows cannot be read"))
    return made


def listing(name: str, faults: Sequence[str], total: int, what: str) -> str:
    """All faults of a file as one message: how many of how many, then one a line."""
    return "\n  ".join([f"{name}: {len(faults):,} of {total:,} {what}:", *faults])


def needing(*groups: Sequence[str]) -> Check:
    """A check that the columns hold at least one name of every group; it raises InputError."""

    def check(columns: Sequence[str]) -> None:
        if not all(set(group) & set(columns) for group in groups):
            wanted = " and ".join(f"one of {either(group)}" if len(group) > 1 else group[0] for group in groups)
            found = ", ".join(map(str, columns)) or "none"
            raise InputError(f"needs the columns {wanted}; it has {found}")

    return check


def either(names: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def first(row: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The first of the fields `names` that is filled, None where none is: blank text and NaN are not."""
    return next((row[name] for name in names if _filled(row.get(name))), None)


def name_in(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of the fields `names` as a name: text, or the digits of a whole number. Raises InputError."""
    value = first(row, names)
    if value is None:
        raise InputError(f"has no {either(names)}")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{either(names)} is neither text nor a whole number")
    return str(value).strip()


def whole_in(row: Mapping[str, Any], names: Iterable[str]) -> int | None:
    """The first filled of the fields `names` as a whole number, None where none is. Raises InputError."""
    return next((whole(row[name], name) for name in names if _filled(row.get(name))), None)


def whole(value: Any, key: str) -> int:
    """A whole number, also one that is written as text or, as spreadsheets do, with `.0`. Raises InputError."""
    digits = re.fullmatch(r"([+-]?\d{1,18})(\.0*)?", str(value).strip())
    if isinstance(value, bool) or not digits:
        raise InputError(f"{key} is {value!r}, which is no whole number")
    return int(digits[1])


def span_in(row: Mapping[str, Any]) -> tuple[int, int] | None:
    """The offsets `[start, end)` of a row, None where it has none.

    Raises InputError where one is missing or no whole number, or where they are negative or span nothing.
    """
    start, end = whole_in(row, START), whole_in(row, END)
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise InputError("has a start without an end" if end is None else "has an end without a start")
    if not 0 <= start < end:
        raise InputError(f"start and end are {start} and {end}, but 0 <= start < end must hold")
    return start, end


def _filled(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isspace() and value != ""
    return value is not None and not (isinstance(value, float) and value != value)


def _jsonl(text: str) -> Iterator[tuple[int, Row | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, f"is no JSON: {error}"
            continue
        yield number, row if isinstance(row, dict) else "is no JSON object"


def _csv(text: str, check: Check) -> Iterator[tuple[int, Row | str]]:
    csv.field_size_limit(1 << 30)
    rows: csv.DictReader[Any] = csv.DictReader(io.StringIO(text, newline=""))
    check(rows.fieldnames or [])
    # DictReader keeps what is beyond the header under None.
    return ((number, "has more fields than the header" if None in row else row) for number, row in enumerate(rows, 1))


def _parquet(data: bytes, check: Check, columns: Sequence[str] | None) -> Iterator[tuple[int, Row | str]]:
    try:
        file = pq.ParquetFile(io.BytesIO(data))
    except (pa.ArrowException, OSError) as error:
        raise _no_parquet(error) from None
    names = file.schema_arrow.names
    check(names)
    return enumerate(_parquet_rows(file, [name for name in names if columns is None or name in columns]), 1)


def _parquet_rows(file: pq.ParquetFile, columns: list[str]) -> Iterator[Row]:
    try:
        for batch in file.iter_batches(batch_size=256, columns=columns):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _no_parquet(error) from None


def _no_parquet(error: Exception) -> InputError:
    return InputError(f"cannot be read as Parquet: {str(error).splitlines()[0]}")
