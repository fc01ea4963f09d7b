"""One set of dependencies, said in three places."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import yaml

HOUSE = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (HOUSE / "requirements.lock").read_text(encoding="utf-8")


def spelt(requirement: str) -> tuple[str, str]:
    name, bounds = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement.strip()).groups()
    return name.lower(), bounds.replace(" ", "")


def test_the_conda_environment_has_the_same_set() -> None:
    environment = yaml.safe_load((HOUSE / "environment.yml").read_text(encoding="utf-8"))
    conda = dict(spelt(line) for line in environment["dependencies"])
    assert conda.pop("python") == PROJECT["requires-python"]
    assert conda == dict(map(spelt, PROJECT["dependencies"]))


def test_the_lock_pins_every_dependency_with_hashes_and_names_no_index() -> None:
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.M))
    for requirement in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        assert spelt(requirement)[0] in {name.lower() for name in pinned}, requirement
    entries = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.M)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in LOCK
    assert "index" not in LOCK.replace("--no-emit-index-url", "")
