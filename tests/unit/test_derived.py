"""What is put in front of the chunks of another cell, and around them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.articles import read_article
from chunkgrid.errors import InputError
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.derived import pieces_of, prefixed, windowed, with_pre_label, with_table_header
from chunkgrid.splitting.fixed import fixed
from chunkgrid.splitting.sections import structure

SAMPLE = sorted((Path(__file__).parents[2] / "corpus" / "sample").glob("*.html"))
PAGE = """<h1>題</h1><p>初めの文。次の文。</p><h2>表</h2><p>前置き。表を示す。</p>
<table><tr><th>名</th><th>値</th></tr><tr><td>甲</td><td>一</td></tr><tr><td>乙</td><td>二</td></tr></table>
<pre>x = 1
y = 2</pre><h2>手順</h2><p>次のように書く。</p><pre>z = 3</pre>"""


def read(page, name="a.html"):
    article = read_article(page.encode(), name, name)
    return Document(name, article.title, article.text, article.html, article.blocks)


DOCUMENT = read(PAGE)
TEXT = DOCUMENT.text


def at(text):
    """The piece that is this text where it first stands."""
    start = TEXT.index(text)
    return Piece(start, start + len(text))


def indexed(pieces):
    return [piece.index_text for piece in pieces]


def test_the_page_is_as_the_tests_want_it():
    assert TEXT == (
        "題\n\n初めの文。次の文。\n\n表\n\n前置き。表を示す。\n\n名 | 値\n甲 | 一\n乙 | 二\n\nx = 1\ny = 2\n\n"
        "手順\n\n次のように書く。\n\nz = 3"
    )


@pytest.mark.parametrize(
    ("text", "put", "found"),
    [
        ("次の文。", "title", "題\n次の文。"),
        ("前置き。", "headings", "題 ＞ 表\n前置き。"),
        ("乙 | 二", "headings", "題 ＞ 表\n乙 | 二"),
        ("題", "headings", "題\n題"),
        ("y = 2", "lead", "前置き。\ny = 2"),
        ("表を示す。", "lead", "前置き。\n表を示す。"),
        ("前置き。表", "lead", None),  # which begins with it
        ("表\n\n前置き", "lead", None),
        ("次のように", "lead", None),
        ("z = 3", "lead", "次のように書く。\nz = 3"),
    ],
)
def test_a_line_is_put_in_front_of_what_is_indexed(text, put, found):
    (piece,) = prefixed(DOCUMENT, [at(text)], put)
    assert (piece.start, piece.end) == (at(text).start, at(text).end)
    assert piece.index_text == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("甲 | 一\n", "名 | 値\n甲 | 一\n"),
        ("一\n乙", "名 | 値\n一\n乙"),
        ("名 | 値\n甲", None),  # it has its header
        ("表を示す。\n\n名 | 値\n甲", None),
        ("x = 1", None),
    ],
)
def test_a_table_that_is_begun_within_has_its_header_row_in_front(text, found):
    assert indexed(with_table_header(DOCUMENT, [at(text)])) == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("z = 3", "次のように書く。\nz = 3"),
        ("= 3", "次のように書く。\n= 3"),
        ("x = 1\ny", "表\nx = 1\ny"),  # a table stands before it: its heading
        ("次のように書く。\n\nz", None),
    ],
)
def test_code_has_what_says_what_it_is_in_front(text, found):
    assert indexed(with_pre_label(DOCUMENT, [at(text)])) == [found]


def test_lines_are_put_in_front_of_lines():
    pieces = with_table_header(DOCUMENT, [at("乙 | 二")])
    assert indexed(prefixed(DOCUMENT, pieces, "headings")) == ["題 ＞ 表\n名 | 値\n乙 | 二"]


def test_a_piece_in_the_gap_between_blocks_is_of_the_next_one():
    gap = TEXT.index("\n\nz = 3")
    assert indexed(with_pre_label(DOCUMENT, [Piece(gap, gap + 4)])) == ["次のように書く。\n\n\nz "]


@pytest.mark.parametrize(
    ("unit", "before", "after", "found"),
    [
        ("characters", 2, 3, "き。表を示す。"),
        ("characters", 0, 0, "表を"),
        ("characters", 10**6, 10**6, TEXT),
        ("sentences", 1, 0, "前置き。表を"),
        ("sentences", 0, 1, "表を示す。\n\n名 | 値"),
        ("sentences", 2, 0, "表\n\n前置き。表を"),
        ("sentences", 99, 99, TEXT),
        ("sentences", 0, 0, "表を"),
    ],
)
def test_what_is_around_is_handed_over(unit, before, after, found):
    (window,) = windowed(DOCUMENT, [at("表を")], before, after, unit)
    assert (TEXT[window.start : window.end], window.index_text) == (found, "表を")


def test_neighbouring_chunks_are_handed_over():
    pieces = list(fixed(DOCUMENT, 20))
    for before, after in [(0, 0), (1, 0), (0, 2), (1, 1), (99, 99)]:
        windows = list(windowed(DOCUMENT, pieces, before, after, "chunks"))
        for number, window in enumerate(windows):
            around = pieces[max(number - before, 0) : number + after + 1]
            assert (window.start, window.end) == (around[0].start, around[-1].end)
            assert window.index_text == TEXT[pieces[number].start : pieces[number].end]


@given(
    st.integers(1, 60), st.integers(0, 40), st.integers(0, 40), st.sampled_from(["characters", "sentences", "chunks"])
)
@settings(max_examples=150)
def test_a_window_holds_its_chunk(size, before, after, unit):
    pieces = list(fixed(DOCUMENT, size))
    windows = list(windowed(DOCUMENT, pieces, before, after, unit))
    assert len(windows) == len(pieces)
    for piece, window in zip(pieces, windows, strict=True):
        assert 0 <= window.start <= piece.start < piece.end <= window.end <= len(TEXT)
        assert window.index_text == TEXT[piece.start : piece.end]
        if not before:
            assert window.start == piece.start
        if not after:
            assert window.end == piece.end


def test_chunks_become_pieces_again():
    pieces = list(prefixed(DOCUMENT, fixed(DOCUMENT, 30), "title"))
    table = chunk_table([DOCUMENT], lambda _: pieces)
    assert pieces_of(table) == {"a.html": [piece for piece in pieces if TEXT[piece.start : piece.end].strip()]}
    with pytest.raises(InputError, match="chunks of x/y have no offsets, so that nothing can be told"):
        pieces_of(chunk_table([DOCUMENT], lambda _: [Piece(text="無")]), "x/y")


@pytest.mark.parametrize("size", [200, 400, 1600])
def test_composed_over_plain_pieces_they_are_structures_own(size):
    """`prefix` over `structure` indexes what `structure` with its own prefix does."""
    for path in SAMPLE:
        document = read(path.read_text(encoding="utf-8"), path.name)
        plain = pieces_of(chunk_table([document], lambda one: structure(one, size)))
        composed = chunk_table([document], lambda one, plain=plain: prefixed(one, plain[one.doc_id], "headings"))
        own = chunk_table([document], lambda one: structure(one, size, prefix="headings"))
        assert composed.equals(own)
