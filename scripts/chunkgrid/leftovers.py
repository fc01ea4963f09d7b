"""Files under results/ that nothing of the present grid makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

OF_A_SPLIT = ("chunks", "cuts", "splits", "ceilings", "cut_costs")
OF_A_CELL = ("rankings", "coverage", "costs")


def leftovers(files: Iterable[str], splits: Sequence[str], cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of paths relative to the results: those of cells that left the grid, and those that are no one's.

    The first can be removed, since a run can make them again; the second are only named.
    """
    ours = {f"{folder}/{split}.parquet" for folder in OF_A_SPLIT for split in splits}
    ours |= {f"{folder}/{cell}.parquet" for folder in OF_A_CELL for cell in cells}
    left: list[str] = []
    foreign: list[str] = []
    for file in sorted(files):
        folder, *rest = file.split("/")
        depth = {**dict.fromkeys(OF_A_SPLIT, 2), **dict.fromkeys(OF_A_CELL, 4)}.get(folder)
        if file in ours or depth is None:
            continue
        (left if len(rest) == depth and file.endswith(".parquet") else foreign).append(file)
    return left, foreign
