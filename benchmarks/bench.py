"""How fast and how large chunkgrid is, beside the same work done with other libraries, all in one run.

    python benchmarks/bench.py [--articles GLOB] [--full] [--out docs/benchmarks.md]

docs/benchmarks.md says what the tables mean. Without --out they are printed only.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # before numpy is read

import argparse
import csv
import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cached_property
from glob import escape, glob
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE / "scripts"))

from parts import GROUPS, SIZE, SPLIT, Inputs, Run, apart, megabytes, timed  # noqa: E402

CORES = 2
SAMPLE = "corpus/sample/*.html"
CELL = "results/coverage/fixed/size=400-overlap=40/bm25/default.parquet"
PACKAGES = ("snakemake", "numpy", "scipy", "scikit-learn", "pyarrow", "lxml", "beautifulsoup4", "selectolax", "bm25s")
PACKAGES += ("langchain-text-splitters", "chonkie", "semantic-text-splitter")
# What is compared: a group, ours, the other, how many times faster ours is to be, how far figures may be apart.
COMPARED: list[tuple[str, str, str, str, float | None, float | None]] = [
    ("one BM25 cell", "bm25", "ours", "CountVectorizer", 7, 1e-8),
    ("one BM25 cell, the other given tokens", "bm25", "ours", "bm25s", 3.5, 1e-5),
    ("one LSA cell", "lsa", "ours", "TruncatedSVD", 4, 1e-4),
    ("pages to blocks", "reading", "ours", "Beautiful Soup", 3, 0),
    (
        "pages to blocks, ours with questions taken out",
        "reading",
        "ours, questions taken out",
        "Beautiful Soup",
        None,
        None,
    ),
    ("pages to blocks, the other only parses", "reading", "ours", "selectolax", None, None),
    *(
        (
            f"{split}, {SIZE} characters",
            "splitting",
            split,
            other,
            None,
            0 if (split, other) == ("recursive", "LangChain") else None,
        )
        for split in ("fixed", "recursive", "headings", "structure")
        for other in ("LangChain", "chonkie", "semantic-text-splitter")
    ),
]

Row = list[str]
Timings = dict[str, list[Run] | None]


def say(*words: Any) -> None:
    print(*words, file=sys.stderr, flush=True)


# --- parts -----------------------------------------------------------------------------------


def time_parts(results: Path, rounds: int) -> dict[str, Timings]:
    """All parts of each group in turn, as often as there are rounds; None for what is not installed."""
    found: dict[str, Timings] = {}
    for group, works in GROUPS.items():
        say(f"timing {group}: {', '.join(works)}")
        runs: dict[str, list[Run | None]] = {name: [] for name in works}
        for _ in range(rounds):
            for name in works:
                with ProcessPoolExecutor(1, get_context("spawn")) as alone:
                    runs[name].append(alone.submit(timed, group, name, results).result())
        found[group] = {name: None if None in of else of for name, of in runs.items()}
    return found


def spread(values: Sequence[float], unit: str = "", digits: int = 3) -> str:
    """Median, least and most."""
    middle, low, high = (f"{value:.{digits}g}" for value in (median(values), min(values), max(values)))
    return f"{middle}{unit} ({low}–{high})"


def compared(found: dict[str, Timings]) -> Iterator[Row]:
    for what, group, ours, other, goal, tolerance in COMPARED:
        mine, theirs = found[group][ours], found[group][other]
        aim = f"{goal:g}×" if goal else ""
        if theirs is None:
            yield [what, other, "not installed", "", "", aim, "", "", ""]
            continue
        ratios = [b.seconds / a.seconds for a, b in zip(mine, theirs, strict=True)]
        gap = (
            max(apart(a.figures, b.figures) for a, b in zip(mine, theirs, strict=True)) if tolerance is not None else 0
        )
        equal = "" if tolerance is None else "equal" if not gap else f"within {gap:.0e}"
        if tolerance is not None and gap > tolerance:
            equal = f"**apart** by {gap:.0e}"
        met = "" if not goal else "yes" if median(ratios) >= goal and gap <= tolerance else "**no**"
        times = [spread([run.seconds for run in runs]) for runs in (mine, theirs)]
        peaks = " / ".join(f"{median(run.peak for run in runs):,.0f}" for runs in (mine, theirs))
        yield [what, other, *times, spread(ratios, "×"), aim, met, equal, peaks]


# --- runs ------------------------------------------------------------------------------------


class Ran(NamedTuple):
    """One run of a program: seconds, its largest process in MB, bytes that it read from the disk and wrote."""

    seconds: float
    peak: float
    read: float
    written: float


def run(folder: Path, *command: str) -> Ran:
    """Runs Python with a command. Raises SystemExit, with what it said, where it fails."""
    log = folder / "said.txt"
    began = time.perf_counter()
    with log.open("w") as said:
        process = subprocess.Popen([sys.executable, *command], cwd=folder, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{log.read_text()[-4000:]}")
    return Ran(seconds, megabytes(usage), usage.ru_inblock * 512, usage.ru_oublock * 512)


class Grid:
    """The default grid on some articles, in a folder of its own."""

    def __init__(self, folder: Path, articles: Sequence[Path]) -> None:
        self.folder, self.results = folder, folder / "results"
        folder.mkdir()
        config = {"articles": [escape(str(article)) for article in articles], "results": "results"}
        (folder / "config.json").write_text(json.dumps(config))

    def run(self, *arguments: str) -> Ran:
        return snakemake(self.folder, HOUSE / "Snakefile", "--configfile", "config.json", *arguments)

    @cached_property
    def jobs(self) -> int:
        return sum(path.is_file() for path in self.results.glob("logs/**/*"))

    @cached_property
    def characters(self) -> int:
        return sum(len(text) for text in Inputs(self.results).articles["text"].to_pylist())

    def largest_job(self) -> tuple[float, str]:
        """Most memory of any job, in MB, and which, from Snakemake's benchmark files."""
        found = [(0.0, "nothing recorded")]
        for path in self.results.glob("benchmarks/**/*.tsv"):
            with path.open() as file:
                peaks = [row["max_rss"] for row in csv.DictReader(file, delimiter="\t")]
            name = str(path.relative_to(self.results / "benchmarks").with_suffix(""))
            found += [(float(peak), name) for peak in peaks if re.fullmatch(r"[\d.]+", peak)]
        return max(found)


def snakemake(folder: Path, snakefile: Path, *arguments: str) -> Ran:
    profile = str(HOUSE / "profiles/default")
    command = ["-m", "snakemake", "--snakefile", str(snakefile), "--workflow-profile", profile, "--cores", str(CORES)]
    return run(folder, *command, *arguments)


def empty_run(folder: Path, jobs: int) -> Ran:
    """As many script jobs that do nothing."""
    folder.mkdir()
    (folder / "one.py").write_text("open(snakemake.output[0], 'w').close()\n")
    (folder / "Snakefile").write_text(
        f'rule all:\n    input: expand("made/{{n}}", n=range({jobs}))\n'
        'rule one:\n    output: "made/{n}"\n    script: "one.py"\n'
    )
    return snakemake(folder, folder / "Snakefile")


def plain_apart(folder: Path) -> tuple[float, float]:
    """How far the means and errors of the run and of straightforward.py are apart at most: BM25, LSA."""
    both = []
    for path in ("results/metrics.csv", "plain/metrics.csv"):
        with (folder / path).open(encoding="utf-8-sig", newline="") as file:
            both.append({(row["split"], row["retriever"]): row for row in csv.DictReader(file)})
    worst = {"bm25": 0.0, "lsa": 0.0}
    for (split, retriever), theirs in both[1].items():
        ours = both[0][split, retriever]
        for name in theirs.keys() - {"split", "retriever"}:
            a, b = (float(row[name] or "nan") for row in (ours, theirs))
            kind = retriever.split("/")[0]
            worst[kind] = max(worst[kind], 0.0 if a == b or (a != a and b != b) else apart([a], [b]))
    return worst["bm25"], worst["lsa"]


def of_runs(grid: Grid, whole: Ran, sample: bool, rounds: int) -> Iterator[Row]:
    """What is known of the whole run and of runs after it."""
    idle = [grid.run().seconds for _ in range(rounds)]
    again = [grid.run("--force", "--", CELL).seconds for _ in range(rounds)]
    peak, job = grid.largest_job()
    limit = 5 if sample else 8
    yield ["nothing to do", spread(idle, " s"), "under 3 s", met(median(idle) < 3)]
    yield ["one cell made anew", spread(again, " s"), f"under {limit} s", met(median(again) < limit)]
    yield [f"largest job ({job})", f"{peak:,.0f} MB", "under 600 MB", met(peak < 600) if peak else ""]
    yield ["largest process, Snakemake's included", f"{whole.peak:,.0f} MB", "", ""]
    yield [f"the whole grid from nothing, {grid.jobs} jobs", f"{whole.seconds:,.0f} s", "", ""]


def against_plain(grid: Grid, whole: Ran) -> Iterator[Row]:
    say("running straightforward.py")
    plain = run(grid.folder, str(HOUSE / "benchmarks/straightforward.py"), "--results", "results", "--out", "plain")
    bm25, lsa = plain_apart(grid.folder)
    ratio = plain.seconds / whole.seconds
    yield ["the same, plainly (straightforward.py)", f"{plain.seconds:,.0f} s", "", ""]
    yield ["… times faster", f"{ratio:.1f}×", "5×", met(ratio >= 5)]
    yield [
        "… figures apart at most (BM25, LSA)",
        f"{bm25:.0e}, {lsa:.0e}",
        "1e-6, 1e-4",
        met(bm25 <= 1e-6 and lsa <= 1e-4),
    ]


def growth(folder: Path, articles: Sequence[Path], grid: Grid, whole: Ran, empty: Ran) -> Iterator[Row]:
    """Each further article is as dear as the one before where the slope in logarithms is 1."""
    points = [(grid.characters, whole.seconds - empty.seconds, whole.peak)]
    for part in (2, 4, 8):
        say(f"running the grid on 1/{part} of the articles")
        smaller = Grid(folder / f"part{part}", articles[::part])
        ran = smaller.run()
        points.insert(0, (smaller.characters, ran.seconds - empty.seconds, ran.peak))
    for characters, seconds, peak in points:
        yield [f"grid on {characters:,} characters, less an empty run", f"{seconds:,.0f} s, {peak:,.0f} MB", "", ""]
    if min(seconds for _, seconds, _ in points) <= 0:
        yield ["growth", "the corpus is too small to tell", "slope 1.1", ""]
        return
    logs = np.log(points)
    time_slope, memory_slope = (float(np.polyfit(logs[:, 0], logs[:, n], 1)[0]) for n in (1, 2))
    yield ["growth of that time with text", f"slope {time_slope:.2f}", "slope 1.1", met(time_slope <= 1.1)]
    yield ["growth of the largest process", f"slope {memory_slope:.2f}", "slope 1.1", met(memory_slope <= 1.1)]


def bounds(grid: Grid, whole: Ran) -> Iterator[Row]:
    moved = sum(path.stat().st_size for path in grid.results.rglob("*") if path.is_file())
    source, target = np.ones(1 << 25), np.empty(1 << 25)
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - began)
    speed = 2 * source.nbytes / min(seconds)
    yield [
        "bytes read from the disk, written to it",
        f"{whole.read / 1e6:,.0f} MB, {whole.written / 1e6:,.0f} MB",
        "",
        "",
    ]
    yield ["bytes of the results", f"{moved / 1e6:,.0f} MB", "", ""]
    yield ["memory bandwidth (a copy by NumPy, read and written)", f"{speed / 1e9:.1f} GB/s", "", ""]


def met(is_so: bool) -> str:
    return "yes" if is_so else "**no**"


# --- the page --------------------------------------------------------------------------------


def machine(grid: Grid, articles: int, rounds: int, load: float) -> Iterator[Row]:
    cpus = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    cpu = re.search(r"^model name\s*:\s*(.+)$", cpus, re.M)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    of = Inputs(grid.results)
    installed = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    yield ["date", date.today().isoformat()]
    yield [
        "machine",
        f"{cpu[1] if cpu else platform.processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}",
    ]
    yield ["load when it began", f"{load:.1f}"]
    yield ["corpus", f"{articles} articles, {grid.characters:,} characters; {len(of.asked)} questions"]
    yield ["cell", f"{SPLIT}: {len(of.chunks):,} chunks"]
    yield ["repetitions", f"{rounds}, in turns; one BLAS thread"]
    yield [
        "versions",
        ", ".join(
            [f"Python {platform.python_version()}", *(f"{name} {installed.get(name, '–')}" for name in PACKAGES)]
        ),
    ]


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *rows])


def write(page: Path, block: str) -> None:
    """Puts the tables at their place in a page that has one, else makes it of them alone."""
    old = page.read_text(encoding="utf-8") if page.exists() else "<!-- measured --><!-- end -->\n"
    new, places = re.subn(
        r"<!-- measured -->.*?<!-- end -->", lambda _: f"<!-- measured -->\n\n{block}\n\n<!-- end -->", old, flags=re.S
    )
    if places != 1:
        raise SystemExit(f"{page} has no place <!-- measured --> … <!-- end --> for the tables")
    page.write_text(new, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", default=str(HOUSE / SAMPLE), help="a glob of HTML pages; the sample unless given")
    parser.add_argument("--full", action="store_true", help="also against straightforward.py, growth, an empty run")
    parser.add_argument("--rounds", type=int, default=3, help="repetitions of each part (3)")
    parser.add_argument("--out", type=Path, help="the page whose tables are replaced")
    given = parser.parse_args()
    articles = [Path(path).resolve() for path in sorted(glob(given.articles, recursive=True))]
    if not articles:
        parser.error(f"{given.articles}: no such articles")
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        grid = Grid(folder / "whole", articles)
        say("running the grid from nothing")
        whole = grid.run()
        rows = list(of_runs(grid, whole, given.articles.endswith(SAMPLE), given.rounds))
        found = time_parts(grid.results, given.rounds)
        share = [a.seconds / b.seconds for a, b in zip(*found["coverage"].values(), strict=True)]
        rows.insert(
            0,
            [
                "coverage, share of a BM25 cell's time",
                spread([100 * s for s in share], " %"),
                "under 10 %",
                met(median(share) < 0.1),
            ],
        )
        if given.full:
            rows += against_plain(grid, whole)
            say("running as many empty jobs")
            empty = empty_run(folder / "empty", grid.jobs)
            rows += growth(folder, articles, grid, whole, empty)
            rows.append([f"bound: {grid.jobs} empty jobs", f"{empty.seconds:,.0f} s", "", ""])
        rows += bounds(grid, whole)
        parts = [
            markdown(["", ""], list(machine(grid, len(articles), given.rounds, load))),
            markdown(
                ["part", "other", "ours, s", "other, s", "times faster", "goal", "met", "figures", "MB, ours / other"],
                list(compared(found)),
            ),
            markdown(["run", "measured", "goal", "met"], rows),
        ]
    print("\n\n".join(parts))
    if given.out:
        write(given.out, "\n\n".join(parts))


if __name__ == "__main__":
    main()
