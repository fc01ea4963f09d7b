"""What sizes are in other units, by hand."""

from pathlib import Path

import pytest
import tiktoken
import yaml

from chunkgrid.conversion import converted, defaults
from chunkgrid.naming import UNITS
from chunkgrid.units import sizes

HOUSE = Path(__file__).resolve().parents[2]


def test_a_size_is_what_it_is_by_the_mean_of_all_texts():
    texts = ["one two three four", "検索は文書を探す。"]
    sizes([], UNITS[1])  # puts the vocabulary where tiktoken looks for it
    sizes([], UNITS[2])
    tokens = [sum(len(tiktoken.get_encoding(unit[7:]).encode(text)) for text in texts) for unit in UNITS[1:]]
    rows = converted(texts, [("mine", 100, UNITS[1])])
    assert [row["what"] for row in rows] == ["all documents", *(f"1 of {unit}" for unit in UNITS), "mine"]
    assert rows[0] == {"what": "all documents", **dict(zip(UNITS, [27, *tokens], strict=True))}
    assert rows[1] == {
        "what": "1 of characters",
        UNITS[0]: 1,
        **{u: round(n / 27, 2) for u, n in zip(UNITS[1:], tokens, strict=True)},
    }
    of_mine = [100 * 27 / tokens[0], 100, 100 * tokens[1] / tokens[0]]
    assert [rows[-1][unit] for unit in UNITS] == pytest.approx(of_mine, abs=0.005)


def test_without_text_there_is_nothing_to_go_by():
    assert converted([], [("mine", 9, UNITS[0])])[-1] == {"what": "mine", **dict.fromkeys(UNITS, 0.0)}


def test_the_defaults_are_those_of_the_splitters_that_have_a_size_of_their_own():
    files = (HOUSE / "rules/splitters").glob("*.schema.yaml")
    schemas = {path.name.removesuffix(".schema.yaml"): yaml.safe_load(path.read_text("utf-8")) for path in files}
    assert defaults(schemas) == [
        ("chonkie-recursive size", 2048, "characters"),
        ("langchain-character size", 4000, "characters"),
        ("langchain-character overlap", 200, "characters"),
        ("langchain-recursive size", 4000, "characters"),
        ("langchain-recursive overlap", 200, "characters"),
        ("llamaindex-sentence size", 1024, "tokens-cl100k_base"),
        ("llamaindex-sentence overlap", 200, "tokens-cl100k_base"),
    ]
