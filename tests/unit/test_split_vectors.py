"""The vectors that splitters compare, where they are those of a model."""

import numpy as np
import pytest

from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.models import Model
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.semantic import semantic
from chunkgrid.splitting.vectors import cut_costs, opened, vectors_of

# A vector says which of two subjects a sentence is of.
TEXT = "猫は眠る。猫が鳴く。\n\n猫も走る。犬は吠える。犬が歩く。犬も走る。"
SPANS = [(0, 5), (5, 10), (10, 12), (12, 17), (17, 23), (23, 28), (28, 33)]
DOCUMENTS = [Document("a", "a", TEXT, "", []), Document("b", "b", "", "", []), Document("c", "c", "犬。", "", [])]


@pytest.fixture
def model(tmp_path):
    asked = []

    def embed(texts, role):
        assert role == "passage"
        asked.extend(texts)
        return [["猫" in text, "犬" in text] for text in texts]

    found = Model("subjects", "1", embed, batch=2, count=lambda texts: [len(text) for text in texts], window=5)
    return found, Cache(tmp_path, found), asked


def parts(document):
    return {"a": SPANS, "b": [], "c": [(0, 2)]}[document.doc_id]


def test_they_are_the_models_and_of_white_space_nothing(model):
    found, cache, asked = model
    known = vectors_of(DOCUMENTS, parts, 0, (found, cache))
    assert known["a"][1].tolist() == [[1, 0], [1, 0], [0, 0], [1, 0], [0, 1], [0, 1], [0, 1]]
    assert known["b"][1].shape == (0, 2)
    assert known["c"][1].tolist() == [[0, 1]]
    assert sorted(asked) == sorted(["犬。", *(TEXT[start:end] for start, end in SPANS if (start, end) != (10, 12))])


def test_a_document_is_cut_where_the_model_says_that_its_subject_changes(model):
    found, cache, _ = model
    spans, vectors = vectors_of(DOCUMENTS, parts, 0, (found, cache))["a"]
    cut = [TEXT[piece.start : piece.end] for piece in semantic(DOCUMENTS[0], spans, vectors, window=2)]
    assert cut == ["猫は眠る。猫が鳴く。\n\n猫も走る。", "犬は吠える。犬が歩く。犬も走る。"]


def test_what_was_read_to_cut_is_counted_and_no_vector_of_it_kept(model):
    found, cache, _ = model
    known = vectors_of(DOCUMENTS, parts, 0, (found, cache))
    row = {"vectors": 0, "dimensions": None, "vector_bytes": 0, "embedded_tokens": len(TEXT) + 2, "over_window": 1}
    assert cut_costs(DOCUMENTS, known, (found, cache)).to_pylist() == [row]
    by_lsa = vectors_of(DOCUMENTS, parts, 0)
    assert np.isfinite(by_lsa["a"][1]).all()
    nothing = {**row, "embedded_tokens": 0, "over_window": None}
    assert cut_costs(DOCUMENTS, by_lsa, None).to_pylist() == [nothing]
    assert opened(None, "cache") is None
