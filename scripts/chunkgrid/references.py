"""What the cells of a grid stand on: other cells, and models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .errors import InputError
from .grid import Cells, paths

CROSS_ENCODER = "cross-encoder"


def check_references(cells: Cells, schemas: Mapping[str, Mapping[str, Any]], section: str = "split") -> None:
    """Raises InputError for a reference to a cell that is not there, and for cells that need themselves.

    A parameter is a reference, or a list of them, where its schema says `format: cell` of it, or of its items.
    """
    known = set(paths(cells))
    needs: dict[str, list[str]] = {}
    for kind, named in cells.items():
        for name, cell in named.items():
            here = f"{kind}/{name}"
            needs[here] = []
            for key, other in _named(cell, schemas.get(kind, {})):
                if other not in known:
                    raise InputError(f"config: {section}.{here}: {key} '{other}' is no cell of this grid")
                if schemas.get(other.partition("/")[0], {}).get("final"):
                    raise InputError(
                        f"config: {section}.{here}: {key} '{other}' says itself how its chunks are handed over,"
                        " so that no other split can be made of it"
                    )
                kind_of_other, _, name_of_other = other.partition("/")
                if section == "retrieve" and cells[kind_of_other][name_of_other].get("split") is not None:
                    raise InputError(f"config: retrieve.{here}: {key} '{other}' is of one split alone")
                needs[here].append(other)
    done: set[str] = set()

    def visit(cell: str, way: list[str]) -> None:
        if cell in way:
            raise InputError(f"config: {section}: cells need themselves: {' -> '.join([*way, cell])}")
        if cell not in done:
            for other in needs[cell]:
                visit(other, [*way, cell])
            done.add(cell)

    for start in needs:
        visit(start, [])


def _named(cell: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every other cell that a cell names, and by which of its parameters."""
    for key, of in schema.get("properties", {}).items():
        several = of.get("type") == "array"
        if (of.get("items", {}) if several else of).get("format") == "cell" and key in cell:
            for other in cell[key] if several else [cell[key]]:
                yield key, other


def check_models(cells: Cells, schemas: Mapping[str, Mapping[str, Any]], models: Cells, section: str) -> None:
    """Raises InputError for a model that there is not, and for one of the other sort.

    A parameter is a model of embeddings where its schema says `format: model`, and a cross-encoder where that says
    `format: cross-encoder`.
    """
    known = paths(models)
    for kind, named in cells.items():
        for key, schema in schemas.get(kind, {}).get("properties", {}).items():
            wanted = schema.get("format")
            for name, cell in named.items():
                if wanted not in ("model", CROSS_ENCODER) or key not in cell:
                    continue
                where, model = f"config: {section}.{kind}/{name}: {key}", cell[key]
                if model not in known:
                    there = f"known are {', '.join(known)}" if known else "there are none"
                    raise InputError(f"{where} '{model}' is no model of the config's 'models'; {there}")
                if (model.partition("/")[0] == CROSS_ENCODER) != (wanted == CROSS_ENCODER):
                    fault = "is no cross-encoder" if wanted == CROSS_ENCODER else "is a cross-encoder, without vectors"
                    raise InputError(f"{where} '{model}' {fault}")


def parts(cell: str, cells: Cells, schemas: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A cell and all that it stands on, each once; references are known to be right."""
    kind, _, name = cell.partition("/")
    found = [cell]
    for _, other in _named(cells[kind][name], schemas.get(kind, {})):
        found += parts(other, cells, schemas)
    return list(dict.fromkeys(found))


def costs(
    split: str,
    retriever: str,
    grid: Mapping[str, Cells],
    schemas: Mapping[str, Mapping[str, Mapping[str, Any]]],
    results: str,
) -> list[tuple[str, float | None]] | None:
    """The tables of costs that a cell stands on, each with the price of its model; None where none can be known.

    A retriever whose schema says `vectors: kept` writes one, `none` has no vectors of its own, and of one that says
    nothing none can be known. Splits that take a model write one.
    """

    def price(model: str | None) -> float | None:
        kind, _, name = (model or "").partition("/")
        return grid["models"][kind][name].get("price") if model else None

    found = []
    for section, folder, cell in (("split", "cut_costs", split), ("retrieve", f"costs/{split}", retriever)):
        for part in parts(cell, grid[section], schemas[section]):
            kind, _, name = part.partition("/")
            schema = schemas[section].get(kind, {})
            takes = schema.get("properties", {}).get("model", {}).get("format") == "model"
            model = grid[section][kind][name].get("model") if takes else None
            if section == "retrieve" and "vectors" not in schema:
                return None
            if schema.get("vectors") == "kept" or (section == "split" and model):
                found.append((f"{results}/{folder}/{part}.parquet", price(model)))
    return found
