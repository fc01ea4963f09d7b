"""A function of yours as a splitter."""

import sys

import pytest

from chunkgrid import files
from chunkgrid.errors import InputError
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.python import load, spans_of

DOCUMENT = Document("a.html", "題", "一二三四五六", "", [])


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module into the working folder, under a name that no other test has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(name, content):
        monkeypatch.delitem(sys.modules, name, raising=False)
        (tmp_path / f"{name}.py").write_text(content, encoding="utf-8")

    return write


def test_the_spans_of_a_function_are_pieces(module):
    module(
        "halves", "def cut(document):\n    half = len(document.text) // 2\n    return [(0, half), [half, 2.0 * half]]\n"
    )
    assert list(spans_of(DOCUMENT, load("halves:cut"))) == [Piece(0, 3), Piece(3, 6)]


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("nowhere_at_all:cut", "nowhere_at_all:cut: nowhere_at_all cannot be imported: ModuleNotFoundError: "),
        ("broken_one:cut", "broken_one:cut: broken_one cannot be imported: ZeroDivisionError: "),
        ("broken_two:other", "broken_two:other: broken_two has no function 'other'"),
        ("broken_two:NAME", "broken_two:NAME: broken_two has no function 'NAME'"),
    ],
)
def test_what_cannot_be_loaded_is_told(module, function, told):
    module("broken_one", "1 / 0\n")
    module("broken_two", "NAME = 'cut'\n")
    with pytest.raises(InputError) as raised:
        load(function)
    assert str(raised.value).startswith(told)


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        (lambda _: [(0, 9)], "a.html: a chunk [0, 9) lies outside of its 6 characters"),
        (lambda _: [(4, 2)], "a.html: a chunk [4, 2) ends before it begins"),
        (lambda _: ["一二"], "a.html: the function gave '一二', which is no pair of whole numbers"),
        (lambda _: [(0, 1, 2)], "a.html: the function gave (0, 1, 2), which is no pair of whole numbers"),
        (lambda _: [(0, 1.5)], "a.html: the function gave (0, 1.5), which is no pair of whole numbers"),
        (lambda _: [None], "a.html: the function gave None, which is no pair of whole numbers"),
        (lambda _: 1 / 0, "a.html: the splitter failed: ZeroDivisionError: division by zero"),
        (lambda _: None, "a.html: the splitter failed: TypeError: 'NoneType' object is not iterable"),
    ],
)
def test_a_function_that_fails_is_named_with_the_article(cut, told):
    with pytest.raises(InputError) as raised:
        chunk_table([DOCUMENT], lambda document: spans_of(document, cut))
    assert str(raised.value) == told


def test_a_changed_file_is_another_parameter(module):
    schemas = {"python": {"properties": {"function": {"format": "function"}}}}

    def cell(function):
        cells = {"python": {"default": {"function": function}}}
        files.add_hashes(cells, schemas, "split")
        return cells["python"]["default"]

    module("mine", "cut = list\n")
    before = cell("mine:cut")
    module("mine", "cut = tuple\n")
    assert before.keys() == {"function", "function_sha256"}
    assert cell("mine:cut")["function_sha256"] != before["function_sha256"]
    assert cell("json:loads") == {"function": "json:loads"}  # an installed module
    with pytest.raises(InputError) as raised:
        cell("a.b:cut")
    told = "split.python/default: function: there is neither a file 'a/b.py' nor a module 'a.b'"
    assert str(raised.value) == f"config: {told}"
