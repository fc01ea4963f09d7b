"""Which job reads which article."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence


def batches(articles: Sequence[Mapping[str, str]], count: int) -> dict[str, list[dict[str, str]]]:
    """Articles by batch, `00` upwards; an article's batch hangs on its doc_id alone.

    A file of many articles is in every batch, each of which takes its own articles from it.
    """
    names = [batch_name(number, count) for number in range(count)]
    groups: dict[str, list[dict[str, str]]] = {name: [] for name in names}
    for article in articles:
        for name in names if article.get("kind") == "rows" else [batch_of(article["doc_id"], count)]:
            groups[name].append(dict(article))
    return groups


def batch_of(doc_id: str, count: int) -> str:
    """The batch of an article, out of so many."""
    return batch_name(int(hashlib.sha256(doc_id.encode("utf-8", "replace")).hexdigest()[:8], 16) % count, count)


def batch_name(number: int, count: int) -> str:
    """Numbers of equal length, so that names sort as numbers do."""
    return f"{number:0{max(2, len(str(count - 1)))}}"
