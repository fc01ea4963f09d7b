"""What a size in one unit is in the others, in the texts of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .naming import UNITS
from .units import sizes

Row = dict[str, Any]


def defaults(schemas: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, int, str]]:
    """What the splitters that have a size without being told one cut at: what it is, how much, and in which unit.

    schemas: the parameters of each kind; a size or overlap is in the kind's `unit`
    """
    found = []
    for kind, schema in sorted(schemas.items()):
        properties = schema.get("properties", {})
        if "default" in properties.get("size", {}):
            unit = properties["unit"]["default"]
            own = [(name, properties[name]["default"]) for name in ("size", "overlap") if name in properties]
            found += [(f"{kind} {name}", value, unit) for name, value in own]
    return found


def converted(texts: Sequence[str], amounts: Iterable[tuple[str, int, str]]) -> list[Row]:
    """A row for all texts together, for one character and token each, and for each amount: its size in every unit.

    By the mean over all texts. `amounts` are what it is, how much, in which unit. Raises InputError as
    `units.measure` does.
    """
    total = {unit: int(sizes(texts, unit).sum()) for unit in UNITS}
    rows: list[Row] = [{"what": "all documents", **total}]
    for what, amount, unit in [*((f"1 of {unit}", 1, unit) for unit in UNITS), *amounts]:
        ratio = amount / total[unit] if total[unit] else 0.0
        rows.append({"what": what, **{other: round(total[other] * ratio, 2) for other in UNITS}})
    return rows
