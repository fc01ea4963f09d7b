"""What prune removes, and what it leaves alone."""

from __future__ import annotations

from chunkgrid.leftovers import leftovers


def test_only_results_of_cells_that_left_are_removed() -> None:
    kept = ["documents.parquet", "candidates.parquet", "blocks/00/a.parquet", "chunks/fixed/size=1.parquet"]
    kept += ["coverage/fixed/size=1/bm25/default.parquet", "logs/chunks/fixed/size=2.log"]
    left = ["chunks/fixed/size=2.parquet", "coverage/fixed/size=1/lsa/default.parquet", "splits/other/x.parquet"]
    foreign = ["chunks/notes.txt", "coverage/fixed/size=1.parquet", "cuts/fixed/size=2.csv"]
    found = leftovers([*foreign, *kept, *left], ["fixed/size=1"], ["fixed/size=1/bm25/default"])
    assert found == (sorted(left), sorted(foreign))
