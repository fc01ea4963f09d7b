"""What holds for every splitter, on generated documents and on the corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from all_splitters import KINDS, REWRITING, SIZED, every_split
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.articles import read_article
from chunkgrid.handed import handed
from chunkgrid.keeping import kept
from chunkgrid.splitting.chunks import Document
from chunkgrid.tables import searched
from chunkgrid.units import measure

SHARED = Path(__file__).resolve().parents[3] / "shared/corpora"
UNITS = ["characters", "tokens-cl100k_base"]

words = st.sampled_from(
    [
        "検索は、",
        "文書を探す。",
        "はい。",
        "「そう。」と言った。",
        "同じ文。",
        "Dr. Who came. ",
        "a ",
        "👩‍👩‍👧",
        "𠮷",
        "か\u3099",
        "　",
        "<b>",
        "1,234",
    ]
)
lines = st.lists(words, min_size=1, max_size=12).map("".join).filter(str.strip)
pages = st.lists(
    st.one_of(
        lines.map(lambda text: f"<p>{text}</p>"),
        st.tuples(st.integers(1, 4), lines).map(lambda made: f"<h{made[0]}>{made[1]}</h{made[0]}>"),
        st.lists(lines, min_size=1, max_size=4).map(lambda rows: f"<pre>{chr(10).join(rows)}</pre>"),
        st.lists(lines, min_size=1, max_size=4).map(
            lambda items: f"<ul>{''.join(f'<li>{i}</li>' for i in items)}</ul>"
        ),
        st.lists(st.tuples(lines, lines), min_size=1, max_size=4).map(
            lambda rows: f"<table>{''.join(f'<tr><td>{a}</td><td>{b}</td></tr>' for a, b in rows)}</table>"
        ),
    ),
    min_size=1,
    max_size=8,
).map("".join)


def read(content: bytes, name: str) -> Document:
    article = read_article(content, name, name)
    return Document(article.doc_id, article.title, article.text, article.html, article.blocks)


def assert_faithful(documents: Sequence[Document], size: int, unit: str) -> None:
    texts = {document.doc_id: document.text for document in documents}
    atoms = {document.doc_id: _atoms(document) for document in documents}
    length = measure(unit)
    for kind, chunks in every_split(documents, size, unit).items():
        rows = chunks.to_pylist()
        assert [row["chunk"] for row in rows] == list(range(len(rows))), kind
        assert all(row["text"].strip() for row in rows), kind
        placed = [row for row in rows if row["start"] is not None]
        if kind in REWRITING:
            assert all(0 <= row["start"] < row["end"] <= len(texts[row["doc_id"]]) for row in placed), kind
            continue
        assert len(placed) == len(rows), kind
        assert [texts[row["doc_id"]][row["start"] : row["end"]] for row in rows] == [row["text"] for row in rows], kind
        places = [(row["doc_id"], row["index_start"], row["start"]) for row in searched(chunks).to_pylist()]
        assert places == sorted(places), kind
        if kind != "parent-child":  # a parent that no child begins in is never handed over
            assert kept(handed(chunks), texts) in (1.0, None), kind
        if kind in SIZED:
            counted = len if kind == "fixed" else length
            for row in rows:
                if counted(row["text"]) > size * (4 if row["index_text"] is None else 1):
                    assert _is_atom(row, atoms), (kind, row)


def _atoms(document: Document) -> list[tuple[int, int]]:
    """What may be kept whole though it is over the size: characters, lines, and code."""
    found = [(block["start"], block["end"]) for block in document.blocks if block["kind"] == "pre"]
    at = 0
    for line in document.text.splitlines(keepends=True):
        found.append((at, at + len(line)))
        at += len(line)
    return found


def _is_atom(row: dict[str, object], atoms: dict[str, list[tuple[int, int]]]) -> bool:
    start, end = row["start"], row["end"]
    return end - start == 1 or any(low <= start and end <= high for low, high in atoms[row["doc_id"]])


@settings(max_examples=15)
@given(st.lists(pages, min_size=1, max_size=3), st.integers(8, 60))  # LlamaIndex refuses to cut a character of 3 tokens
@pytest.mark.parametrize("unit", UNITS)
def test_generated_documents_are_cut_faithfully(unit: str, contents: list[str], size: int) -> None:
    assert_faithful([read(page.encode(), f"{n}.html") for n, page in enumerate(contents)], size, unit)


def assert_corpus(paths: Sequence[Path], size: int, unit: str) -> None:
    if not paths:
        pytest.skip("the corpora are not here")
    read_in = [read(path.read_bytes(), path.name) for path in paths]
    assert_faithful(sorted(read_in, key=lambda one: one.doc_id), size, unit)


@pytest.mark.parametrize(("size", "unit"), [(400, "characters"), (200, "tokens-cl100k_base")])
def test_japanese_guides_are_cut_faithfully(size: int, unit: str) -> None:
    assert_corpus(sorted((SHARED / "ja-guides").glob("*.html"))[::25], size, unit)


@pytest.mark.parametrize(("size", "unit"), [(1000, "characters"), (200, "tokens-cl100k_base")])
def test_english_corpora_are_cut_faithfully(size: int, unit: str) -> None:
    small = [path for path in sorted((SHARED / "chroma").rglob("*.md")) if path.stat().st_size < 400_000]
    assert_corpus(small, size, unit)


def test_every_splitter_is_known() -> None:
    assert REWRITING | SIZED <= KINDS
