"""An endpoint that speaks OpenAI's protocol, and misbehaves on order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from given_model import given
from tests.misbehaving import Server, serving

from chunkgrid.embedding.adapters import endpoint
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.errors import InputError


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("EMBEDDINGS_API_KEY", "secret")
    monkeypatch.setattr(endpoint, "LONGEST", 0.01)
    with serving() as found:
        monkeypatch.setenv("EMBEDDINGS_BASE_URL", found.url)
        yield found


def ask(folder: Path, texts: list[str], **cell: object) -> list[list[float]]:
    model = given("endpoint", **{"model": "m", "batch": 2, "timeout": 0.5, **cell})
    return embedded(texts, "passage", model, Cache(folder, model)).tolist()


TEXTS = ["あ", "いい", "ううう", "ええええ", "おおおおお"]
VECTORS = [[n, 1.0] for n in range(1, 6)]


def test_batches_are_asked_for_with_the_key_and_come_in_any_order(server: Server, tmp_path: Path) -> None:
    assert ask(tmp_path, TEXTS, passage_prefix="p: ") == [[n + 3, 1.0] for n in range(1, 6)]
    assert [body["input"] for body in server.asked] == [
        ["p: あ", "p: いい"],
        ["p: ううう", "p: ええええ"],
        ["p: おおおおお"],
    ]
    assert {body["model"] for body in server.asked} == {"m"}
    assert set(server.keys) == {"Bearer secret"}


@pytest.mark.parametrize("orders", [[429, 429], [500], [503, 429], ["hang"], ["drop"], ["html"]])
def test_what_may_pass_is_tried_again(server: Server, tmp_path: Path, orders: list) -> None:
    server.orders = list(orders)
    assert ask(tmp_path, TEXTS) == VECTORS


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ([401], r"refuses the key \(401\): EMBEDDINGS_API_KEY"),
        ([404], r"refuses the request \(404\): .*no such model"),
        ([429] * 6, r"no vectors after 6 tries: too many requests \(429\); a run goes on from the cache"),
        ([500] * 6, r"no vectors after 6 tries: a fault of the server \(500\)"),
        (["hang"] * 6, "no vectors after 6 tries: no answer within 0.1 seconds"),
        (["fewer"], "endpoint m gave 1 vectors for 2 texts"),
        (["nothing"], r"gave an answer without vectors \(KeyError\)"),
    ],
)
def test_what_does_not_pass_is_one_sentence(server: Server, tmp_path: Path, orders: list, sentence: str) -> None:
    server.orders = list(orders)
    with pytest.raises(InputError, match=sentence):
        ask(tmp_path, TEXTS, timeout=0.1)


def test_one_that_dies_half_way_is_asked_only_for_the_rest(server: Server, tmp_path: Path) -> None:
    server.orders = [None, 401]
    with pytest.raises(InputError, match="refuses the key"):
        ask(tmp_path, TEXTS)
    assert ask(tmp_path, TEXTS) == VECTORS
    assert [body["input"] for body in server.asked] == [["あ", "いい"], ["ううう", "ええええ"], ["おおおおお"]]


def test_the_key_is_in_no_file(server: Server, tmp_path: Path) -> None:
    ask(tmp_path, TEXTS)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(b"secret" in path.read_bytes() or "secret" in str(path) for path in files)


def test_where_it_is_must_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDDINGS_BASE_URL", raising=False)
    with pytest.raises(InputError, match="EMBEDDINGS_BASE_URL is not set"):
        given("endpoint", model="m")
