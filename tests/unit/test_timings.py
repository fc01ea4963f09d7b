"""Where the time of a run went, from files as Snakemake writes them."""

from __future__ import annotations

import csv
import io

import pytest
from snakemake.benchmark import BenchmarkRecord

from chunkgrid.timings import COLUMNS, timings

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time"


def written(seconds: float, memory: float | str, cpu: float | str) -> str:
    return f"{HEADER}\n{seconds}\t0:00:01\t{memory}\t900.5\t60.1\t61.2\t0.0\t1.5\t99.0\t{cpu}\n"


def test_a_job_is_a_row_and_the_longest_comes_first() -> None:
    found = timings(
        {
            "splits/fixed": written(2.5, 81.25, 3.5),
            "blocks/00": written(61.0, 700, 118.75),
            "summary": written(0.0471, "NA", "NA"),
        }
    )
    assert found == [
        {"job": "blocks/00", "seconds": 61.0, "cpu_seconds": 118.75, "memory_mb": 700.0},
        {"job": "splits/fixed", "seconds": 2.5, "cpu_seconds": 3.5, "memory_mb": 81.25},
        {"job": "summary", "seconds": 0.0471, "cpu_seconds": None, "memory_mb": None},
    ]
    assert tuple(found[0]) == COLUMNS


def test_jobs_of_the_same_length_are_in_order_of_their_names() -> None:
    found = timings({name: written(1.0, 1, 1) for name in ("b", "c", "a")} | {"0": written(0.5, 1, 1)})
    assert [row["job"] for row in found] == ["a", "b", "c", "0"]


@pytest.mark.parametrize("content", ["", "\n", HEADER, f"{HEADER}\n"])
def test_a_file_without_a_record_is_left_out(content: str) -> None:
    """As of a job that was killed meanwhile."""
    assert timings({"killed": content}) == []
    assert [row["job"] for row in timings({"killed": content, "done": written(1.0, 1, 1)})] == ["done"]


@pytest.mark.parametrize("value", ["NA", "-", "", "None"])
def test_what_is_no_number_is_empty(value: str) -> None:
    assert timings({"x": written(1.5, value, value)}) == [
        {"job": "x", "seconds": 1.5, "cpu_seconds": None, "memory_mb": None}
    ]


def test_columns_are_found_by_name_and_need_not_be_there() -> None:
    swapped = "cpu_time\tmax_rss\ts\n4.0\t5.0\t6.0\n"
    old = "s\th:m:s\tmax_rss\n9.0\t0:00:09\t5.0\n"
    none = "h:m:s\n0:00:01\n"
    assert [tuple(row.values()) for row in timings({"swapped": swapped, "old": old, "none": none})] == [
        ("old", 9.0, None, 5.0),
        ("swapped", 6.0, 4.0, 5.0),
        ("none", None, None, None),
    ]


def test_a_record_that_is_cut_off_has_the_rest_empty() -> None:
    assert timings({"x": f"{HEADER}\n3.0\t0:00:03\n"}) == [
        {"job": "x", "seconds": 3.0, "cpu_seconds": None, "memory_mb": None}
    ]


def test_of_a_job_that_is_repeated_the_first_record_counts() -> None:
    assert timings({"x": written(3.0, 1, 2) + written(4.0, 1, 2).split("\n", 1)[1]})[0]["seconds"] == 3.0


def test_no_jobs_have_no_rows() -> None:
    assert timings({}) == []


def test_what_snakemake_itself_writes_is_read() -> None:
    sampled = BenchmarkRecord(running_time=12.34567, max_rss=256.5, cpu_usage=90.0, cpu_time=20.25)
    sampled.data_collected = True
    missed = BenchmarkRecord(running_time=0.1)
    missed.process_gone = True  # shorter than the time between two looks
    files = {}
    for name, record in (("sampled", sampled), ("missed", missed)):
        file = io.StringIO()
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(record.get_header())
        rows.writerow(record.get_benchmarks())
        files[name] = file.getvalue()
    assert timings(files) == [
        {"job": "sampled", "seconds": 12.3457, "cpu_seconds": 20.25, "memory_mb": 256.5},
        {"job": "missed", "seconds": 0.1, "cpu_seconds": None, "memory_mb": None},
    ]
