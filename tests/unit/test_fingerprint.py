"""A fingerprint changes with what a script reaches, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkgrid import fingerprint

HOUSE = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script over a package: it imports `pack.a`, which imports `pack.b` relatively; `pack.c` is apart."""
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "__init__.py").write_text("")
    (pack / "a.py").write_text("from .b import f\n")
    (pack / "b.py").write_text("def f():\n    return 1\n")
    (pack / "c.py").write_text("g = 1\n")
    path = tmp_path / "script.py"
    path.write_text("from pack import a\nimport os, numpy\n")
    return path


def fresh(script: Path, *packages: str) -> str:
    fingerprint._imports.cache_clear()
    return fingerprint.code(script, packages)


@pytest.mark.parametrize("name", ["script.py", "pack/__init__.py", "pack/a.py", "pack/b.py"])
def test_it_changes_with_every_file_that_is_reached(script: Path, name: str) -> None:
    before = fresh(script)
    file = script.parent / name
    file.write_text(file.read_text() + "\n# changed\n")
    assert fresh(script) != before


def test_it_changes_with_what_lies_in_the_assets_beside_a_module(script: Path) -> None:
    before = fresh(script)
    assets = script.parent / "pack/assets"
    assets.mkdir()
    (assets / "page.css").write_text("body {}")
    with_asset = fresh(script)
    (assets / "page.css").write_text("body { margin: 0 }")
    assert len({before, with_asset, fresh(script)}) == 3


def test_it_does_not_change_with_a_file_that_is_not_reached(script: Path) -> None:
    before = fresh(script)
    (script.parent / "pack/c.py").write_text("g = 2\n")
    assert fresh(script) == before


def test_it_does_not_hang_on_dates_or_on_the_folder(script: Path, tmp_path: Path) -> None:
    before = fresh(script)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("script.py", "pack"):
        (script.parent / name).rename(moved / name)
    assert fresh(moved / "script.py") == before


def test_it_changes_with_the_version_of_a_named_package(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_numpy = fresh(script, "numpy")
    assert with_numpy != fresh(script)
    monkeypatch.setattr(fingerprint, "version", lambda package: "0.0.1")
    assert fresh(script, "numpy") != with_numpy


def test_a_package_that_is_not_installed_counts_as_that(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = fresh(script, "no-such-package-anywhere")
    assert absent == fresh(script, "no-such-package-anywhere")
    assert absent != fresh(script)
    monkeypatch.setattr(fingerprint, "version", lambda package: "0.0.1")
    assert fresh(script, "no-such-package-anywhere") != absent


def test_scripts_of_the_project_reach_what_they_import() -> None:
    reached = {path.name for path in fingerprint._reached(HOUSE / "scripts/retrieve_bm25.py")}
    assert {"retrieve_bm25.py", "bm25.py", "ngrams.py", "scoring.py", "coverage.py", "text.py", "tables.py"} <= reached
    assert not {"lsa.py", "blocks.py", "bootstrap.py"} & reached


def test_every_rule_names_its_own_script_and_the_packages_that_it_imports() -> None:
    """So that no result misses a change: `script:` and `code(...)` of a rule agree."""
    for rules in [*HOUSE.glob("rules/**/*.smk")]:
        text = rules.read_text(encoding="utf-8")
        scripts = [line.split('"')[1] for line in text.splitlines() if line.startswith('        "') and '.py"' in line]
        codes = [part.split('"')[1] for part in text.split("code=code(")[1:] if part.lstrip().startswith('"')]
        assert scripts == codes, rules
