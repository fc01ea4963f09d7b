"""A page for every splitter, with its parameters as the schema has them."""

import sys
from pathlib import Path

import pytest

from chunkgrid.embedding.models import ADAPTERS

HOUSE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOUSE / "benchmarks"))
from findings import models, parameters  # noqa: E402

KINDS = sorted(path.stem for path in (HOUSE / "rules/splitters").glob("*.smk"))


def test_every_splitter_has_a_page_and_stands_in_the_list():
    assert sorted(path.stem for path in (HOUSE / "docs/splitters").glob("*.md")) == KINDS
    listed = (HOUSE / "docs/splitters.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"(splitters/{kind}.md)" not in listed] == []


@pytest.mark.parametrize("kind", KINDS)
def test_its_parameters_are_those_of_the_schema(kind):
    page = (HOUSE / f"docs/splitters/{kind}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {kind}\n")
    assert f"<!-- parameters -->\n\n{parameters(kind)}\n\n<!-- end -->" in page


def test_what_models_take_is_what_their_schemas_say():
    page = (HOUSE / "docs/dense.md").read_text(encoding="utf-8")
    assert f"<!-- models -->\n\n{models()}\n\n<!-- end -->" in page
    kinds = {file.name.removesuffix(".schema.yaml").replace("_", "-") for file in ADAPTERS.glob("*.schema.yaml")}
    assert {kind for kind in kinds if f"\n| `{kind}` | " in page} == kinds
