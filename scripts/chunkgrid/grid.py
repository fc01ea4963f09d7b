"""The configured grid to named cells, with every fault of a config told in one sentence."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
from lxml import etree
from lxml.cssselect import CSSSelector, SelectorError

from .errors import InputError
from .fingerprint import version_of

_NAME = re.compile(r"[A-Za-z0-9._=-]+")
LONGEST = 100
"""Characters of a cell's name."""


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # JSON Schema would take 200.0 as well


def _is_number(_: Any, value: Any) -> bool:
    return _is_integer(_, value) or (isinstance(value, float) and math.isfinite(value))


_Validator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)

Cells = dict[str, dict[str, dict[str, Any]]]
"""Kind to cell name to the cell's parameters."""


def check(config: dict[str, Any], schema: Mapping[str, Any], where: str = "config") -> None:
    """Fills the defaults of a JSON schema into `config`. Raises InputError at the first fault."""
    _fill(config, schema)
    error = jsonschema.exceptions.best_match(_Validator(schema).iter_errors(config))
    if error is not None:
        at = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.absolute_path).lstrip(".")
        more = ""
        if (error.validator, error.validator_value) == ("type", "array") and not isinstance(error.instance, list):
            more = "; as a list is an axis of the grid, one that is a value stands in one list more: [[…]]"
        message = error.message
        if error.validator == "oneOf" and all(set(one) == {"required"} for one in error.validator_value):
            message = f"give one of {', '.join(name for one in error.validator_value for name in one['required'])}"
        raise InputError(f"{where}: {at + ': ' if at else ''}{message}{more}")


def _fill(value: Any, schema: Mapping[str, Any]) -> None:
    if isinstance(value, dict):
        for key, part in schema.get("properties", {}).items():
            if "default" in part:
                value.setdefault(key, _copy(part["default"]))
            if key in value:
                _fill(value[key], part)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(part) for key, part in value.items()}
    return [_copy(part) for part in value] if isinstance(value, list) else value


def expand(section: str, kinds: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> Cells:
    """Every combination of listed values is one cell: `split` or `retrieve` to kind, name, parameters.

    `schemas` holds the parameters of each known kind; a kind without one takes any. Raises InputError
    for names that are no file names, cells of one name and parameters that a schema refuses.
    """
    cells: Cells = {}
    for kind, entries in kinds.items():
        if not _NAME.fullmatch(str(kind)) or set(str(kind)) == {"."}:
            raise InputError(f"config: {section}: '{kind}' is no name (letters, digits and . _ = - only)")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise InputError(f"config: {section}.{kind}: give a list of mappings, such as [{{}}]")
        cells[kind] = {}
        for entry in entries:
            axes = [[(key, v) for v in (value if isinstance(value, list) else [value])] for key, value in entry.items()]
            if isinstance(entry.get("name", ""), list):
                raise InputError(f"config: {section}.{kind}: a name is one text, not {entry['name']}")
            for values in itertools.product(*axes):
                _add(cells[kind], f"{section}.{kind}", dict(values), schemas.get(kind, {}))
        if not cells[kind]:
            raise InputError(f"config: {section}.{kind}: has no cell, since a list is empty; [{{}}] is one cell")
    return cells


def _add(cells: dict[str, dict[str, Any]], where: str, cell: dict[str, Any], schema: Mapping[str, Any]) -> None:
    known = schema.get("properties", {})
    named = {key: value for key, value in cell.items() if key != "name"}
    spelt = "-".join(f"{key}={_spelt(value, known.get(key, {}))}" for key, value in named.items()) or "default"
    name = cell.pop("name", spelt)
    if not isinstance(name, str):
        raise InputError(f"config: {where}: the name {name} is no text; put it in quotes")
    if len(name) > LONGEST:
        raise InputError(f"config: {where}: '{name[:20]}…' is longer than {LONGEST} characters; give the cell a 'name'")
    if not _NAME.fullmatch(name) or set(name) == {"."}:
        raise InputError(
            f"config: {where}: '{name}' is no file name (letters, digits and . _ = - only); give the cell a 'name'"
        )
    if name in cells:
        raise InputError(f"config: {where}: two cells are named '{name}'")
    by_default = "" if "overlap" in cell else ", the default,"
    check(cell, schema, f"config: {where}/{name}")
    size, overlap = cell.get("size"), cell.get("overlap")
    of_the_size = "counts" not in schema.get("properties", {}).get("overlap", {})
    if isinstance(overlap, int) and isinstance(size, int) and of_the_size and overlap >= size:
        raise InputError(f"config: {where}/{name}: overlap {overlap}{by_default} must be below size {size}")
    for key, of in known.items():
        other = of.get("as_many_as")
        if other and key in cell and len(cell[key]) != len(cell[other]):
            raise InputError(f"config: {where}/{name}: {key} are {len(cell[key])}, and {other} are {len(cell[other])}")
    cells[name] = dict(sorted(cell.items()))


def _spelt(value: Any, schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "model":
        return str(value).removesuffix("/default").replace("/", "-")
    return str(value).lower() if isinstance(value, bool) else str(value)


def paths(cells: Cells) -> list[str]:
    """`<kind>/<name>` of every cell."""
    return [f"{kind}/{name}" for kind, named in cells.items() for name in named]


def check_selectors(selectors: Sequence[str]) -> None:
    """Raises InputError for what is no CSS selector."""
    for selector in selectors:
        try:
            CSSSelector(selector, translator="html")(etree.Element("body"))
        except (SelectorError, etree.XPathError) as error:
            raise InputError(f"config: exclude: '{selector}' is no CSS selector: {error}") from None


def check_rules(cells: Cells, rule_files: Sequence[str], section: str) -> None:
    """Raises InputError for a kind that no rule file is named after."""
    known = sorted({Path(file).stem for file in rule_files})
    for kind in cells:
        if kind not in known:
            raise InputError(
                f"config: {section}: there is no rule file '{kind}.smk'; known are {', '.join(known) or 'none'}"
            )


def check_adapters(cells: Cells, schema_files: Sequence[Path]) -> None:
    """Raises InputError for a kind of model that no schema of an adapter is named after."""
    known = [file.name.removesuffix(".schema.yaml").replace("_", "-") for file in schema_files]
    for kind in cells:
        if kind not in known:
            raise InputError(f"config: models: there is no '{kind}'; known are {', '.join(known)}")


def check_packages(cells: Cells, schemas: Mapping[str, Mapping[str, Any]], section: str) -> None:
    """Raises InputError for a kind whose schema says that it `needs` packages which are not installed."""
    for kind in cells:
        needed = schemas.get(kind, {}).get("needs", [])
        if any(version_of(package) is None for package in needed):
            raise InputError(
                f"config: {section}.{kind} needs a package that is not here: pip install {' '.join(needed)}"
            )


def check_report(wanted: Sequence[str], cells: Sequence[tuple[str, str]]) -> None:
    """Raises InputError for a cell that there is not."""
    for name in wanted:
        if name not in map("/".join, cells):
            raise InputError(f"config: report.cells: '{name}' is no cell of this grid, such as {'/'.join(cells[0])}")


def check_show(show: Sequence[str], known: Sequence[str]) -> None:
    """Raises InputError for a measure that there is not."""
    for name in show:
        if name not in known:
            raise InputError(f"config: show: there is no measure '{name}'; known are {', '.join(known)}")


def check_compare(compare: Mapping[str, Any], splits: Sequence[str], cells: Sequence[tuple[str, str]]) -> None:
    """Raises InputError where the baseline or a pair names no split, or no cell, of the grid."""
    if compare["baseline"] not in splits:
        raise InputError(f"config: compare.baseline '{compare['baseline']}' is no split of this grid")
    full = {f"{split}/{retriever}" for split, retriever in cells}
    for number, pair in enumerate(compare["pairs"]):
        for name in pair:
            if name not in full and name not in splits:
                raise InputError(f"config: compare.pairs[{number}]: '{name}' is no split and no cell of this grid")
        if (pair[0] in full) != (pair[1] in full):
            raise InputError(f"config: compare.pairs[{number}]: compare two splits or two cells, not one of each")


def cells(splits: Sequence[str], retrieve: Cells) -> list[tuple[str, str]]:
    """Every split with every retriever; one that says `split` goes with that alone.

    Raises InputError where that is no split of the grid.
    """
    of = {f"{kind}/{name}": cell.get("split") for kind, named in retrieve.items() for name, cell in named.items()}
    for retriever, split in of.items():
        if split is not None and split not in splits:
            raise InputError(f"config: retrieve.{retriever}: split '{split}' is no split of this grid")
    return [(split, retriever) for split in splits for retriever in of if of[retriever] in (None, split)]
