"""Removes the results of cells that left the grid, and names files that are none of a run."""

from pathlib import Path

from chunkgrid import logs
from chunkgrid.leftovers import leftovers

logs.start(snakemake.log[0])
root = Path(snakemake.params.results)
files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
left, foreign = leftovers(files, snakemake.params.splits, snakemake.params.cells)
for file in left:
    (root / file).unlink()
    logs.say(f"removed {root / file}")
for file in foreign:
    logs.say(f"left alone, since no run makes it: {root / file}")
logs.say(f"{len(left)} of cells that left the grid removed, {len(foreign)} unknown")
