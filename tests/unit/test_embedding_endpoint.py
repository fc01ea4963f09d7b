"""An endpoint that speaks OpenAI's protocol, and misbehaves on order."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from given_model import given

from chunkgrid.embedding.adapters import endpoint
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.errors import InputError


class Server(ThreadingHTTPServer):
    """Answers as `orders` say, one a request, then well."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.orders: list[object] = []
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.append(self.headers.get("Authorization"))
        order = self.server.orders.pop(0) if self.server.orders else None
        if isinstance(order, int):
            self.send_response(order)
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(b'{"error": {"message": "no such model"}}')
            return
        if order == "hang":
            time.sleep(2)
            return
        if order == "drop":
            self.connection.close()
            return
        self.server.asked.append(body)
        rows = [{"index": n, "embedding": [float(len(text)), 1.0]} for n, text in enumerate(body["input"])]
        answer: object = {"data": rows[::-1]}  # in no order
        if order == "fewer":
            answer = {"data": rows[:-1]}
        elif order == "nothing":
            answer = {"object": "list"}
        content = b"<html>" if order == "html" else json.dumps(answer).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    found = Server()
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("EMBEDDINGS_BASE_URL", f"http://127.0.0.1:{found.server_port}/v1/")
    monkeypatch.setenv("EMBEDDINGS_API_KEY", "secret")
    monkeypatch.setattr(endpoint, "LONGEST", 0.01)
    yield found
    found.shutdown()


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
