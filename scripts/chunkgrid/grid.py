"""The configured grid to named cells, with every fault of a config told in one sentence."""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import itertools
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema
from lxml import etree
from lxml.cssselect import CSSSelector, SelectorError

from .errors import InputError
from .fingerprint import digest, version_of
from .kinds import KINDS, kind_of

_NAME = re.compile(r"[A-Za-z0-9._=-]+")
CROSS_ENCODER = "cross-encoder"
LONGEST = 100
"""Characters of a cell's name."""
QUESTION_FILES = (".csv", ".jsonl", ".ndjson", ".parquet", ".json")
_WILDCARD = re.compile(r"[*?\[]")


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
        raise InputError(f"{where}: {at + ': ' if at else ''}{error.message}{more}")


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
    cells[name] = dict(sorted(cell.items()))


def _spelt(value: Any, schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "model":
        return str(value).removesuffix("/default").replace("/", "-")
    return str(value).lower() if isinstance(value, bool) else str(value)


def paths(cells: Cells) -> list[str]:
    """`<kind>/<name>` of every cell."""
    return [f"{kind}/{name}" for kind, named in cells.items() for name in named]


def add_hashes(cells: Cells, schemas: Mapping[str, Mapping[str, Any]], section: str) -> None:
    """Beside every parameter that is a file, the hash of its content, so that a changed one is seen.

    A parameter is a file where its schema says `format: file`. Where that says `format: folder`, it is a folder, or the
    name of what is elsewhere; names, sizes and times of its files count, since they may be large. Where that says
    `format: function`, it is a function of a Python file, `module:name`, which lies in the working folder or is of an
    installed module, without a hash. Raises InputError where there is no such file.
    """
    for kind, named in cells.items():
        for key, schema in schemas.get(kind, {}).get("properties", {}).items():
            for name, cell in named.items():
                if key not in cell:
                    continue
                where = f"config: {section}.{kind}/{name}: {key}"
                if schema.get("format") == "file":
                    check_files([cell[key]], where.removeprefix("config: "))
                    cell[f"{key}_sha256"] = _sha256(cell[key])
                elif schema.get("format") == "folder":
                    cell[f"{key}_seen"] = _seen(cell[key], where)
                elif schema.get("format") == "function":
                    module = cell[key].partition(":")[0]
                    file = Path(*module.split(".")).with_suffix(".py")
                    if file.is_file():
                        cell[f"{key}_sha256"] = _sha256(str(file))
                    elif importlib.util.find_spec(module.partition(".")[0]) is None:
                        raise InputError(f"{where}: there is neither a file '{file}' nor a module '{module}'")


def _seen(folder: str, where: str) -> str:
    if not Path(folder).is_dir():
        if Path(folder).exists() or folder.startswith((".", "/", "~")):
            raise InputError(f"{where}: there is no folder '{folder}'")
        return ""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return digest([(str(path.relative_to(folder)), (of := path.stat()).st_size, of.st_mtime_ns) for path in files])


def check_files(files: Sequence[str], section: str) -> None:
    """Raises InputError for a file that is not there."""
    for file in files:
        if not Path(file).is_file():
            raise InputError(f"config: {section}: there is no file '{file}'")


def check_selectors(selectors: Sequence[str]) -> None:
    """Raises InputError for what is no CSS selector."""
    for selector in selectors:
        try:
            CSSSelector(selector, translator="html")(etree.Element("body"))
        except (SelectorError, etree.XPathError) as error:
            raise InputError(f"config: exclude: '{selector}' is no CSS selector: {error}") from None


def check_results(results: str) -> None:
    """Raises InputError where results cannot be a folder."""
    if set("{}") & set(results):
        raise InputError(f"config: results: '{results}' holds a brace, which Snakemake takes for a wildcard")
    for path in (Path(results), *Path(results).parents):
        if path.exists() and not path.is_dir():
            raise InputError(f"config: results: '{path}' is a file")


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
            for key, schema in schemas.get(kind, {}).get("properties", {}).items():
                several = schema.get("type") == "array"
                if (schema.get("items", {}) if several else schema).get("format") != "cell" or key not in cell:
                    continue
                for other in cell[key] if several else [cell[key]]:
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
    for key, schema in schemas.get(kind, {}).get("properties", {}).items():
        several = schema.get("type") == "array"
        if (schema.get("items", {}) if several else schema).get("format") == "cell" and key in cells[kind][name]:
            for other in cells[kind][name][key] if several else [cells[kind][name][key]]:
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


def sources(patterns: str | Sequence[str], suffixes: Mapping[str, str] = MappingProxyType({})) -> list[dict[str, str]]:
    """The files that glob patterns match: doc_id, source, sha256, kind and why, sorted by doc_id.

    A pattern that is a folder stands for all files below it, but for those whose names begin with a dot. A
    doc_id is the path under the wildcard-free part that all patterns have in common, so that two articles of
    one name stay two. The kind is "" where a file is no article; `why` says why. Raises InputError where a
    pattern matches no article.
    """
    found: dict[str, str] = {}
    roots: list[str] = []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        folder = Path(pattern).is_dir()
        roots.append(os.path.abspath(pattern if folder else _root(pattern)))
        whole = f"{glob.escape(pattern.rstrip('/'))}/**" if folder else pattern
        files = sorted({file for file in glob.glob(whole, recursive=True) if not Path(file).is_dir()})
        if not any(kind_of(file, suffixes) for file in files):
            others = f", but for {len(files)} of other kinds" if files else ""
            raise InputError(f"config: articles: no file matches '{pattern}'{others} (known are {', '.join(KINDS)})")
        for file in files:
            found.setdefault(os.path.abspath(file), file)
    common = os.path.commonpath(roots)
    rows = [
        {
            "doc_id": Path(path).relative_to(common).as_posix(),
            "source": file,
            **_looked_at(file, kind_of(file, suffixes)),
        }
        for path, file in found.items()
    ]
    return sorted(rows, key=lambda row: row["doc_id"])


def _root(pattern: str) -> str:
    parts = Path(pattern).parts
    plain = list(itertools.takewhile(lambda part: not _WILDCARD.search(part), parts))
    return str(Path(*plain[: len(parts) - 1]))


def _looked_at(file: str, kind: str | None) -> dict[str, str]:
    """sha256, kind and why of a file; what is no article has no kind, and a reason."""
    why = ""
    if kind is None:
        why = "is no kind of article by its name"
    elif not Path(file).is_file():
        why = "is a broken link or no file"
    elif any("\udc80" <= character <= "\udcff" for character in file):
        why = "has a name that is not UTF-8"
    if why:
        return {"sha256": "", "kind": "", "why": why}
    return {"sha256": _sha256(file), "kind": kind or "", "why": ""}


def _sha256(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def question_source(questions: str) -> dict[str, str]:
    """Where questions come from: `questions_from` (faq, headings or file), and the file with its content's hash.

    Raises InputError where that is no such word and no file.
    """
    if questions in ("faq", "headings"):
        return {"questions_from": questions}
    if not Path(questions).is_file():
        raise InputError(f"config: questions: '{questions}' is not faq, not headings, and there is no such file")
    if Path(questions).suffix.lower() not in QUESTION_FILES:
        raise InputError(f"config: questions: '{questions}' is none of {', '.join(QUESTION_FILES)}")
    return {"questions_from": "file", "file": questions, "sha256": _sha256(questions)}


def cells(splits: Sequence[str], retrieve: Cells) -> list[tuple[str, str]]:
    """Every split with every retriever; one that says `split` goes with that alone.

    Raises InputError where that is no split of the grid.
    """
    of = {f"{kind}/{name}": cell.get("split") for kind, named in retrieve.items() for name, cell in named.items()}
    for retriever, split in of.items():
        if split is not None and split not in splits:
            raise InputError(f"config: retrieve.{retriever}: split '{split}' is no split of this grid")
    return [(split, retriever) for split in splits for retriever in of if of[retriever] in (None, split)]
