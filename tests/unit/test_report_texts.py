"""What the report says in each language."""

import re
from pathlib import Path

import yaml

ASSETS = Path(__file__).resolve().parents[2] / "scripts/chunkgrid/report/assets"
EN, JA = (yaml.safe_load((ASSETS / f"{language}.yaml").read_text(encoding="utf-8")) for language in ("en", "ja"))


def test_both_say_the_same_with_the_same_values():
    assert list(EN) == list(JA)
    values = re.compile(r"(?<!\{)\{(\w+)\}")
    assert {name: sorted(values.findall(text)) for name, text in EN.items()} == {
        name: sorted(values.findall(text)) for name, text in JA.items()
    }


def test_nothing_is_said_that_no_one_shows():
    sources = [*ASSETS.glob("report.*"), *ASSETS.parent.glob("*.py")]
    shown = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    made = {"from_faq", "from_headings", "from_file", "by_query", "by_article"}  # of a word and a value
    assert [name for name in EN if name not in made and not re.search(rf"[\"']{name}[\"']", shown)] == []
