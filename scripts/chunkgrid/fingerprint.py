"""What a result was made by: a hash of a script, the project code it imports and package versions.

Snakemake sees a changed script by its date only, and a changed module or package not at all.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_SCRIPTS = Path(__file__).resolve().parent.parent


def digest(value: Any) -> str:
    """16 hex digits that stand for any JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def code(script: str | Path, packages: Iterable[str] = ()) -> str:
    """The fingerprint of a script: its text, that of each project module it reaches and of their assets, and versions.

    Assets are the files of a folder `assets` beside a module.

    Raises FileNotFoundError where the script is not there; an absent package counts as version None.
    """
    files = sorted(_reached(Path(script).resolve()))
    files += sorted(file for folder in {file.parent for file in files} for file in folder.glob("assets/*"))
    texts = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return digest([texts, {package: version_of(package) for package in sorted(packages)}])


def version_of(package: str) -> str | None:
    """The version of an installed package, None where there is none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _reached(script: Path) -> set[Path]:
    found: set[Path] = set()
    open_files = [script]
    while open_files:
        file = open_files.pop()
        if file not in found:
            found.add(file)
            open_files += _imports(file, script.parent)
    return found


@cache
def _imports(file: Path, folder: Path) -> list[Path]:
    """Files that a module imports, of those beside the script and of this package."""
    paths: list[Path] = []
    for node in _statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                paths += _files([folder, _SCRIPTS], alias.name)
        elif isinstance(node, ast.ImportFrom):
            roots = [file.parents[node.level - 1]] if node.level else [folder, _SCRIPTS]
            module = node.module or ""
            paths += _files(roots, module)
            for alias in node.names:
                paths += _files(roots, f"{module}.{alias.name}".strip("."))
    return paths


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement, those within others included; expressions, which hold no import, are most of a tree."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from _statements(inner)


def _files(roots: list[Path], module: str) -> list[Path]:
    """The file of a dotted module name and the `__init__.py` of each package on the way."""
    parts = module.split(".") if module else []
    for root in roots:
        inits = [root.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)]
        leaf = root.joinpath(*parts[:-1], f"{parts[-1]}.py") if parts else root / "__init__.py"
        found = [path for path in (*inits, leaf) if path.is_file()]
        if found:
            return found
    return []
