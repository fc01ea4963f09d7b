"""Documents and blocks, each cut as suits what it is made of."""

import pytest

from chunkgrid.articles import read_article
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.derived import prefixed
from chunkgrid.splitting.fixed import fixed
from chunkgrid.splitting.hybrid import hybrid
from chunkgrid.text import strip

PAGE = "<p>一二三四五。</p><pre>abcdefgh</pre><p>六七八。</p><p>九。</p><ul><li>甲<li>乙</ul>"


def read(page):
    article = read_article(page.encode(), "a.html", "a.html")
    return Document("a.html", article.title, article.text, article.html, article.blocks)


DOCUMENT = read(PAGE)
TEXT = DOCUMENT.text  # 6 + 8 + 4 + 2 + 3 characters, of which 8 in 23 are code
WHOLE = [Piece(0, len(TEXT))]


def found(pieces, **named):
    return [(TEXT[p.start : p.end], p.index_text, p.route) for p in hybrid(DOCUMENT, pieces, **named)]


@pytest.mark.parametrize(
    ("share", "others", "route"),
    [(0.3, ["code"], "code"), (0.35, ["code"], "prose"), (0.3, ["list"], "prose"), (0.1, ["list", "code"], "code")],
)
def test_a_document_goes_where_enough_of_it_belongs(share, others, route):
    pieces = {"prose": WHOLE, **{other: [Piece(0, 3), Piece(3, len(TEXT))] for other in others}}
    texts = [TEXT] if route == "prose" else [TEXT[:3], TEXT[3:]]
    assert found(pieces, share=share) == [(text, None, route) for text in texts]


def test_the_largest_of_several_is_taken():
    document = read("<pre>aaaa</pre><ul><li>一二三四五</ul>")
    pieces = {"prose": [Piece(0, 11)], "code": [Piece(0, 4)], "list": [Piece(4, 11)]}
    assert [piece.route for piece in hybrid(document, pieces)] == ["list"]


def test_just_the_share_is_enough():
    document = read("<pre>aaaa</pre><p>一二三四</p>")
    pieces = {"prose": [Piece(0, 10)], "code": [Piece(0, 10)]}
    assert [piece.route for share in (0.5, 0.51) for piece in hybrid(document, pieces, share=share)] == [
        "code",
        "prose",
    ]


def test_stretches_of_like_blocks_get_what_lies_within_them():
    pieces = {"prose": list(fixed(DOCUMENT, 4)), "code": list(fixed(DOCUMENT, 12))}
    assert found(pieces, by="block") == [
        ("一二三四", None, "prose"),
        ("五。", None, "prose"),
        ("abcd", None, "code"),
        ("efgh", None, "code"),
        ("六七", None, "prose"),
        ("八。\n\n", None, "prose"),
        ("九。\n\n", None, "prose"),
        ("甲\n乙", None, "prose"),  # no cell for lists
    ]


def test_what_is_in_front_stays_in_front_of_a_part():
    pieces = {"prose": list(prefixed(DOCUMENT, WHOLE, "title")), "code": WHOLE}
    line = f"{DOCUMENT.title}\n"
    assert found(pieces, by="block")[:2] == [
        ("一二三四五。", f"{line}一二三四五。", "prose"),
        ("abcdefgh", None, "code"),
    ]


@pytest.mark.parametrize("by", ["document", "block"])
@pytest.mark.parametrize("sizes", [(1, 5), (7, 3), (40, 2)])
def test_every_visible_character_is_kept(by, sizes):
    pieces = dict(zip(("prose", "code"), (list(fixed(DOCUMENT, size)) for size in sizes), strict=True))
    table = chunk_table([DOCUMENT], lambda one: hybrid(one, pieces, by))
    assert strip("".join(table["text"].to_pylist())) == strip(TEXT)
    assert set(table["route"].to_pylist()) <= {"prose", "code"}
