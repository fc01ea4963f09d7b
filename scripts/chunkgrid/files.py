"""The files and folders that a config names: whether they are there, and what stands for their content."""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import itertools
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .errors import InputError
from .fingerprint import digest
from .grid import Cells
from .kinds import KINDS, kind_of

QUESTION_FILES = (".csv", ".jsonl", ".ndjson", ".parquet", ".json")
_WILDCARD = re.compile(r"[*?\[]")


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


def check_results(results: str) -> None:
    """Raises InputError where results cannot be a folder."""
    if set("{}") & set(results):
        raise InputError(f"config: results: '{results}' holds a brace, which Snakemake takes for a wildcard")
    for path in (Path(results), *Path(results).parents):
        if path.exists() and not path.is_dir():
            raise InputError(f"config: results: '{path}' is a file")


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
