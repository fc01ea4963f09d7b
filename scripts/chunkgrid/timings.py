"""Where the time of a run went, from the files that Snakemake's `benchmark:` writes."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any

COLUMNS = ("job", "seconds", "cpu_seconds", "memory_mb")


def timings(benchmarks: Mapping[str, str]) -> list[dict[str, Any]]:
    """A job a row, the longest first; `benchmarks` are the contents of the files by the job's name.

    seconds: as a clock has them; cpu_seconds: of all its threads; memory_mb: the most it held at once. Snakemake
    looks every few seconds, so that a short job has its last two empty.
    """
    rows = []
    for job, content in benchmarks.items():
        found = next(csv.DictReader(content.splitlines(), delimiter="\t"), None)
        if found:
            values = (found.get("s"), found.get("cpu_time"), found.get("max_rss"))
            rows.append({"job": job, **{name: _number(v) for name, v in zip(COLUMNS[1:], values, strict=True)}})
    return sorted(rows, key=lambda row: (-(row["seconds"] or 0.0), row["job"]))


def _number(value: str | None) -> float | None:
    try:
        return float(value or "")
    except ValueError:
        return None
