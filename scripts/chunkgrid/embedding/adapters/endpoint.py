"""Any endpoint that speaks OpenAI's embeddings protocol.

Where it is and its key come from the environment, EMBEDDINGS_BASE_URL and EMBEDDINGS_API_KEY, and are in no table.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import InputError
from ...logs import say
from ...units import sizes
from ..models import Model, Role, Vectors, prefixed

TRIES = 6
LONGEST = 60.0
"""Seconds to wait before another try at most."""


def load(
    model: str,
    revision: str,
    query_prefix: str,
    passage_prefix: str,
    unit: str,
    batch: int,
    timeout: float,
) -> Model:
    """Raises InputError where the environment does not say where it is."""
    base = os.environ.get("EMBEDDINGS_BASE_URL", "").rstrip("/")
    if not base:
        raise InputError("model endpoint: EMBEDDINGS_BASE_URL is not set, such as to http://localhost:8000/v1")
    prefixes = {"query": query_prefix, "passage": passage_prefix}

    def embed(texts: Sequence[str], role: Role) -> Vectors:
        answer = _asked(f"{base}/embeddings", {"model": model, "input": prefixed(texts, role, prefixes)}, timeout)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"the embeddings endpoint gave an answer without vectors ({type(error).__name__})"
            ) from None

    of = f"{revision} {query_prefix!r} {passage_prefix!r}"
    return Model(f"endpoint {model}", of, embed, batch, lambda texts: sizes(texts, unit).tolist())


def _asked(url: str, body: dict[str, Any], timeout: float) -> Any:
    """The answer to a request, tried again where that may help: too many requests, a fault of the server, no answer."""
    key = os.environ.get("EMBEDDINGS_API_KEY", "")
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    last = ""
    for number in range(TRIES):
        wait = min(2.0**number, LONGEST)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                raise InputError(
                    f"the embeddings endpoint refuses the key ({error.code}): EMBEDDINGS_API_KEY"
                ) from None
            if error.code != 429 and error.code < 500:
                said = error.read(300).decode("utf-8", "replace")
                raise InputError(f"the embeddings endpoint refuses the request ({error.code}): {said}") from None
            last = "too many requests (429)" if error.code == 429 else f"a fault of the server ({error.code})"
            asked = error.headers.get("Retry-After", "")
            wait = min(float(asked), LONGEST) if asked.replace(".", "", 1).isdigit() else wait
        except TimeoutError:
            last = f"no answer within {timeout:g} seconds"
        except (urllib.error.URLError, ConnectionError, OSError) as error:
            last = f"no connection ({getattr(error, 'reason', error)})"
        except json.JSONDecodeError:
            last = "an answer that is no JSON"
        if number + 1 < TRIES:
            say(f"embeddings endpoint: {last}; again in {wait:.0f} s")
            time.sleep(wait)
    raise InputError(
        f"the embeddings endpoint gave no vectors after {TRIES} tries: {last}; a run goes on from the cache"
    )
