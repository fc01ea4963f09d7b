"""What the vectors of a cell cost: how many, how large, and how many tokens a model reads to make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from .tables import COSTS, table

Cell = tuple[str, str]
Row = Mapping[str, Any]
FLOAT32 = 4
"""Bytes of a number."""
OF_A_CELL = ("vectors", "dimensions", "vector_bytes", "embedded_tokens", "over_window")


def costs(vectors: int, dimensions: int | None, tokens: Iterable[int] = (), window: int | None = None) -> pa.Table:
    """The table of one row: vectors that are kept, and the tokens of the texts that were read for them.

    `window` is how many tokens a model reads of a text at most.
    """
    counts = list(tokens)
    over = None if window is None else sum(count > window for count in counts)
    size = FLOAT32 * vectors * (dimensions or 0)
    return table([dict(zip(OF_A_CELL, (vectors, dimensions, size, sum(counts), over), strict=True))], COSTS)


def of_cells(
    cells: Sequence[Cell], parts: Mapping[Cell, Sequence[tuple[Row, float | None]] | None]
) -> dict[Cell, dict[str, Any]]:
    """For every cell the sums over the `parts` that it stands on, each a row of a table of costs with its price.

    A price is of a million tokens, None where none is known. Of a cell without parts all is 0, and where they are None,
    as of another system, all is null. The money is null where a part that reads tokens has no price, and for all
    cells where none has. Ratios are to the least above 0.
    """
    priced = any(price is not None for own in parts.values() for _, price in own or ())
    found = {cell: _summed(parts[cell], priced) for cell in cells}
    for name in ("vector_bytes", "embedding_cost"):
        least = min((row[name] for row in found.values() if row[name]), default=None)
        for row in found.values():
            row[f"{name}_ratio"] = None if row[name] is None or least is None else row[name] / least
    return found


def _summed(parts: Sequence[tuple[Row, float | None]] | None, priced: bool) -> dict[str, Any]:
    if parts is None:
        return dict.fromkeys((*OF_A_CELL, "embedding_cost"))
    rows = [row for row, _ in parts]
    dimensions = {row["dimensions"] for row in rows if row["vectors"]}
    windows = [row["over_window"] for row in rows if row["over_window"] is not None]
    bills = [(row["embedded_tokens"], price) for row, price in parts if row["embedded_tokens"]]
    known = priced and all(price is not None for _, price in bills)
    return {
        **{name: sum(row[name] for row in rows) for name in ("vectors", "vector_bytes", "embedded_tokens")},
        "dimensions": dimensions.pop() if len(dimensions) == 1 else None,
        "over_window": sum(windows) if windows else None,
        "embedding_cost": sum(tokens * price / 1e6 for tokens, price in bills if price is not None) if known else None,
    }
