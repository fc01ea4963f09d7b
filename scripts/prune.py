"""Removes the results of cells that left the grid, and names files that are none of a run."""

from pathlib import Path

from chunkgrid import logs, tables
from chunkgrid.leftovers import leftovers

logs.start(snakemake.log[0])
root = Path(snakemake.params.results)
files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
left, foreign = leftovers(files, snakemake.params.splits, snakemake.params.cells)
ours = [file for file in left if tables.holds(root / file, tables.OF_FOLDER[file.split("/")[0]].names)]
for file in ours:
    (root / file).unlink()
    logs.say(f"removed {root / file}")
for folder in sorted({parent for file in ours for parent in (root / file).parents if parent != root}, reverse=True):
    if root in folder.parents and not any(folder.iterdir()):
        folder.rmdir()
for file in sorted({*foreign, *left} - {*ours}):
    logs.say(f"left alone, since no run makes it: {root / file}")
logs.say(f"{len(ours)} of cells that left the grid removed, {len(foreign) + len(left) - len(ours)} unknown")
