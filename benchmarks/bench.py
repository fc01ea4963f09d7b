"""How fast and how large chunkgrid is, beside the same work done with other libraries, all in one run.

    python benchmarks/bench.py [--articles GLOB] [--full] [--rounds 3] [--out docs/benchmarks.md]

docs/benchmarks.md says what is measured and how. Without --out the tables are only printed.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import date
from glob import escape, glob
from importlib import metadata
from math import isnan
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE / "scripts"))
os.environ["PYTHONPATH"] = str(HOUSE / "scripts")
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # before numpy is read

import numpy as np  # noqa: E402
import pyarrow.compute as pc  # noqa: E402
from parts import GROUPS, SPLIT, Inputs, Run, apart, megabytes  # noqa: E402

from chunkgrid import tables  # noqa: E402

SAMPLE = str(HOUSE / "corpus/sample/*.html")
CELL = "results/coverage/fixed/size=400-overlap=40/bm25/default.parquet"
PACKAGES = ("snakemake", "numpy", "scipy", "scikit-learn", "pyarrow", "lxml", "beautifulsoup4", "selectolax", "bm25s")
PACKAGES += ("langchain-text-splitters", "chonkie", "semantic-text-splitter")
# Group, ours, the other, how many times faster ours is to be, how far their figures may be apart.
COMPARED: list[tuple[str, str, str, float | None, float | None]] = [
    ("one BM25 cell", "ours", "CountVectorizer", 7, 1e-8),
    ("one BM25 cell", "ours", "bm25s, given the tokens", 3.5, 1e-5),
    ("one LSA cell", "ours", "TfidfVectorizer and TruncatedSVD", 4, 1e-4),
    ("pages to blocks", "ours", "Beautiful Soup", 3, 0),
    ("pages to blocks", "ours, and questions taken out", "Beautiful Soup", None, None),
    ("pages to blocks", "ours", "selectolax, the parse alone", None, None),
    *(
        ("splitting", ours, other, None, 0 if (ours, other) == ("recursive", "LangChain") else None)
        for ours in ("fixed", "recursive", "headings", "structure")
        for other in ("LangChain", "chonkie", "semantic-text-splitter")
    ),
]
Timings = dict[str, dict[str, list[Run] | None]]


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def spread(values: Sequence[float], unit: str = "") -> str:
    """Median, least and most."""
    middle, low, high = (f"{value:.3g}" for value in (median(values), min(values), max(values)))
    return f"{middle}{unit} ({low} to {high})"


def verdict(met: bool | None) -> str:
    return "" if met is None else "yes" if met else "**no**"


def row(what: str, measured: str, goal: str = "", met: bool | None = None) -> list[str]:
    return [what, measured, goal, verdict(met)]


# --- parts -----------------------------------------------------------------------------------


def time_parts(results: Path, rounds: int) -> Timings:
    """The parts of each group in turn, each time in a new process; None for what is not installed."""
    found: Timings = {}
    for group, works in GROUPS.items():
        say(f"timing {group}: {'; '.join(works)}")
        runs: dict[str, list[Run | None]] = {name: [] for name in works}
        for name in [*works] * rounds:
            command = [sys.executable, str(HOUSE / "benchmarks/parts.py"), group, name, str(results)]
            said = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            runs[name].append(said and Run(*said))
        found[group] = {name: None if None in of else of for name, of in runs.items()}
    return found


def compared(found: Timings, judged: bool) -> Iterator[list[str]]:
    for group, ours, other, goal, tolerance in COMPARED:
        mine, theirs = found[group][ours], found[group][other]
        if mine is None or theirs is None:
            yield [group, ours, other, "not installed", *[""] * 6]
            continue
        pairs = list(zip(mine, theirs, strict=True))
        ratios = [b.seconds / a.seconds for a, b in pairs]
        figures, equal = "", True
        if tolerance is not None:
            gap = max(apart(a.figures, b.figures) for a, b in pairs)
            equal = gap <= tolerance
            figures = "equal" if not gap else f"within {gap:.0e}" if equal else f"**apart by {gap:.0e}**"
        times = [spread([run.seconds for run in runs]) for runs in (mine, theirs)]
        peaks = [f"{median(run.peak for run in runs):,.0f}" for runs in (mine, theirs)]
        met = equal and median(ratios) >= goal if judged and goal else None
        aim = f"{goal:g}×" if goal else ""
        yield [group, ours, other, *times, spread(ratios, "×"), aim, verdict(met), figures, " / ".join(peaks)]


# --- runs ------------------------------------------------------------------------------------


class Ran(NamedTuple):
    """A run of a program: seconds, its largest process in MB, bytes that it read from the disk and wrote to it."""

    seconds: float
    peak: float
    read: int
    written: int


def run(folder: Path, *command: str) -> Ran:
    """Runs Python with a command. Raises SystemExit, with what it said, where it fails."""
    said = folder / "said.txt"
    began = time.perf_counter()
    with said.open("w") as file:
        process = subprocess.Popen([sys.executable, *command], cwd=folder, stdout=file, stderr=file)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{said.read_text()[-4000:]}")
    return Ran(time.perf_counter() - began, megabytes(usage), usage.ru_inblock * 512, usage.ru_oublock * 512)


def snakemake(folder: Path, snakefile: Path, *arguments: str) -> Ran:
    profile = str(HOUSE / "profiles/default")
    command = ["-m", "snakemake", "--snakefile", str(snakefile), "--workflow-profile", profile, "--cores", "2"]
    return run(folder, *command, *arguments)


class Grid:
    """The default grid on some articles, run from nothing in a folder of its own."""

    def __init__(self, folder: Path, articles: Sequence[Path]) -> None:
        say(f"running the grid on {len(articles)} articles")
        self.folder, self.results = folder, folder / "results"
        folder.mkdir()
        config = {"articles": [escape(str(article)) for article in articles], "results": "results"}
        (folder / "config.json").write_text(json.dumps(config))
        self.ran = self.again()
        self.jobs = sum(path.is_file() for path in self.results.glob("logs/**/*"))
        texts = tables.read(self.results / "documents.parquet", columns=["text"])["text"]
        self.characters = pc.sum(pc.utf8_length(texts)).as_py()

    def again(self, *arguments: str) -> Ran:
        return snakemake(self.folder, HOUSE / "Snakefile", "--configfile", "config.json", *arguments)

    def peaks(self) -> Iterator[tuple[float, str]]:
        """Most memory of each job, in MB, and its name, from Snakemake's benchmark files."""
        for path in self.results.glob("benchmarks/**/*.tsv"):
            with path.open() as file:
                for line in csv.DictReader(file, delimiter="\t"):
                    if line["max_rss"][:1].isdigit():  # else it ended before it was looked at
                        yield float(line["max_rss"]), str(path.relative_to(self.results / "benchmarks").with_suffix(""))


def empty_run(folder: Path, jobs: int) -> Ran:
    """As many script jobs, which do nothing."""
    say(f"running {jobs} empty jobs")
    folder.mkdir()
    (folder / "one.py").write_text("open(snakemake.output[0], 'w').close()\n")
    (folder / "Snakefile").write_text(
        f'rule all:\n    input: expand("made/{{n}}", n=range({jobs}))\n'
        'rule one:\n    output: "made/{n}"\n    script: "one.py"\n'
    )
    return snakemake(folder, folder / "Snakefile")


def of_runs(grid: Grid, limit: float, rounds: int) -> Iterator[list[str]]:
    idle = [grid.again().seconds for _ in range(rounds)]
    again = [grid.again("--force", "--", CELL).seconds for _ in range(rounds)]
    peak, job = max(grid.peaks(), default=(0.0, "nothing recorded"))
    yield row("nothing to do", spread(idle, " s"), "under 3 s", median(idle) < 3)
    yield row("one cell made anew", spread(again, " s"), f"under {limit:g} s", median(again) < limit)
    yield row(f"largest job ({job})", f"{peak:,.0f} MB", "under 600 MB", peak < 600 if peak else None)
    yield row("largest process, Snakemake's included", f"{grid.ran.peak:,.0f} MB")
    yield row(f"the grid from nothing, {grid.jobs} jobs", f"{grid.ran.seconds:,.1f} s")


def against_plain(grid: Grid) -> Iterator[list[str]]:
    """The same experiment by the independent program: time, and how far the means and errors are apart at most."""
    say("running straightforward.py")
    plain = run(grid.folder, str(HOUSE / "benchmarks/straightforward.py"), "--results", "results", "--out", "plain")
    cells: list[dict[tuple[str, str], Any]] = []
    for name in ("results/metrics.csv", "plain/metrics.csv"):
        with (grid.folder / name).open(encoding="utf-8-sig", newline="") as file:
            cells.append({(line.pop("split"), line.pop("retriever")): line for line in csv.DictReader(file)})
    gaps = {"bm25/default": 0.0, "lsa/default": 0.0}
    for cell, theirs in cells[1].items():
        for name, value in theirs.items():
            a, b = float(cells[0][cell][name] or "nan"), float(value or "nan")
            gaps[cell[1]] = max(gaps[cell[1]], 0.0 if isnan(a) and isnan(b) else apart([a], [b]))
    bm25, lsa = gaps.values()
    equal, ratio = bm25 <= 1e-6 and lsa <= 1e-4, plain.seconds / grid.ran.seconds
    yield row("the same by straightforward.py", f"{plain.seconds:,.1f} s, {plain.peak:,.0f} MB")
    yield row("… figures apart, BM25 and LSA", f"{bm25:.0e}, {lsa:.0e}", "1e-6, 1e-4", equal)
    yield row("… times faster", f"{ratio:.1f}×", "5×", ratio >= 5 and equal)


def growth(grids: Sequence[Grid], empty: Ran) -> Iterator[list[str]]:
    """The slope in logarithms is 1 where a further article costs what the ones before did."""
    points = [(grid.characters, grid.ran.seconds - empty.seconds, grid.ran.peak) for grid in grids]
    for characters, seconds, peak in points:
        yield row(f"{characters:,} characters, less the empty run", f"{seconds:,.1f} s, {peak:,.0f} MB")
    for n, what in ((1, "that time"), (2, "the largest process")):
        if min(point[n] for point in points) > 0:
            slope = float(np.polyfit(*np.log([(point[0], point[n]) for point in points]).T, 1)[0])
            yield row(f"growth of {what} with the text", f"slope {slope:.2f}", "1.1", slope <= 1.1)


def bounds(grid: Grid) -> Iterator[list[str]]:
    held = sum(path.stat().st_size for path in grid.results.rglob("*") if path.is_file())
    source, target = np.ones(1 << 25), np.zeros(1 << 25)
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - began)
    yield row("read from the disk, written to it", f"{grid.ran.read / 1e6:,.0f} MB, {grid.ran.written / 1e6:,.0f} MB")
    yield row("size of the results", f"{held / 1e6:,.0f} MB")
    yield row("memory bandwidth (a copy by NumPy, both ways)", f"{2 * source.nbytes / min(seconds) / 1e9:.1f} GB/s")


# --- the page --------------------------------------------------------------------------------


def machine(grid: Grid, articles: int, rounds: int, load: float) -> Iterator[list[str]]:
    cpus = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    cpu = next(iter(re.findall(r"^model name\s*:\s*(.+)$", cpus, re.M)), platform.processor())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    known = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    versions = [f"{name} {known.get(name, 'not installed')}" for name in PACKAGES]
    of = Inputs(grid.results)
    yield ["measured", f"{date.today()}, each part {rounds} times, one BLAS thread; load {load:.1f} when it began"]
    yield ["machine", f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}"]
    yield ["corpus", f"{articles} articles, {grid.characters:,} characters, {len(of.asked)} questions"]
    yield ["cell", f"{SPLIT}, {len(of.chunks):,} chunks"]
    yield ["versions", ", ".join([f"Python {platform.python_version()}", *versions])]


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *rows])


def write(page: Path, block: str) -> None:
    """Puts the tables at their place in a page, or makes a page of them."""
    text = page.read_text(encoding="utf-8") if page.exists() else "<!-- measured --><!-- end -->\n"
    before, start, rest = text.partition("<!-- measured -->")
    _, end, after = rest.partition("<!-- end -->")
    if not end:
        raise SystemExit(f"{page} has no place <!-- measured --> … <!-- end --> for the tables")
    page.write_text(f"{before}{start}\n\n{block}\n\n{end}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", default=SAMPLE, help="a glob of HTML pages; the sample unless given")
    parser.add_argument("--full", action="store_true", help="also straightforward.py, growth, an empty run")
    parser.add_argument("--rounds", type=int, default=3, help="how often each part is timed (3)")
    parser.add_argument("--out", type=Path, help="the page whose tables are replaced")
    given = parser.parse_args()
    articles = [Path(path).resolve() for path in sorted(glob(given.articles, recursive=True))]
    if not articles:
        parser.error(f"{given.articles}: no such articles")
    judged = given.articles != SAMPLE  # which is too small for the goals of parts
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        grid = Grid(Path(folder, "whole"), articles)
        rows = list(of_runs(grid, 8 if judged else 5, given.rounds))
        found = time_parts(grid.results, given.rounds)
        pairs = zip(*found["coverage"].values(), strict=True)
        share = [100 * ours.seconds / cell.seconds for ours, cell in pairs]
        met = median(share) < 10 if judged else None
        rows.insert(0, row("coverage, of a BM25 cell's time", spread(share, " %"), "under 10 %", met))
        if given.full:
            rows += against_plain(grid)
            empty = empty_run(Path(folder, "empty"), grid.jobs)
            rows.append(row(f"{grid.jobs} jobs that do nothing", f"{empty.seconds:,.1f} s"))
            rows += growth([*(Grid(Path(folder, f"{n}"), articles[::n]) for n in (8, 4, 2)), grid], empty)
        rows += bounds(grid)  # last, since a process begins with the most memory that the one that starts it had
        about = list(machine(grid, len(articles), given.rounds, load))
    heads = [
        "part",
        "ours",
        "other",
        "ours, s",
        "other, s",
        "times faster",
        "goal",
        "met",
        "figures",
        "MB, ours / other",
    ]
    parts = [markdown(["", ""], about), markdown(heads, list(compared(found, judged)))]
    page = "\n\n".join([*parts, markdown(["run", "measured", "goal", "met"], rows)])
    print(page)
    if given.out:
        write(given.out, page)


if __name__ == "__main__":
    main()
