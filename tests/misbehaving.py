"""A server of embeddings that speaks OpenAI's protocol, and misbehaves on order."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Answers as `orders` say, one a request, then well; `asked` are the bodies of the requests answered well."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.orders: list[object] = []
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/"


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


@contextmanager
def serving() -> Iterator[Server]:
    """A server that runs until the block ends."""
    found = Server()
    threading.Thread(target=found.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        found.shutdown()
        found.server_close()
