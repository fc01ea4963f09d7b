"""Parts of a parsed page as lxml.html has them, and the shortcuts of what makes their text."""

import re
import unicodedata
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html

from chunkgrid.text import fold, visible
from chunkgrid.tree import drop, text_of

some_text = st.one_of(st.none(), st.text("ab \n\xa0あ𠮷&<", max_size=4))
comments = st.tuples(
    st.sampled_from([etree.Comment, etree.ProcessingInstruction]), st.just("no"), some_text, st.just(())
)
parts = st.recursive(
    st.one_of(comments, st.tuples(st.sampled_from("pib"), some_text, some_text, st.just(()))),
    lambda inner: st.tuples(st.sampled_from("pib"), some_text, some_text, st.lists(inner, max_size=4)),
    max_leaves=10,
)
trees = st.tuples(st.just("div"), some_text, some_text, st.lists(parts, max_size=4))


def grown(part, make):
    """A tree of elements as `make` makes them."""
    kind, text, tail, children = part
    element = make(kind) if isinstance(kind, str) else kind(text)
    element.text, element.tail = text, tail
    for child in children:
        element.append(grown(child, make))
    return element


def both(tree):
    """It as plain elements, and as those of lxml.html: the roots, and all elements in pairs."""
    roots = grown(tree, etree.Element), grown(tree, lxml_html.Element)
    return *roots, list(zip(*(root.iter("*") for root in roots), strict=True))


@given(trees)
@settings(max_examples=100)
def test_text_is_lxml_htmls(tree):
    for ours, theirs in both(tree)[2]:
        assert type(text_of(ours)) is str
        assert text_of(ours) == text_of(theirs) == theirs.text_content()


@given(trees, st.lists(st.integers(0, 30), max_size=6))
@settings(max_examples=200)
def test_dropping_is_lxml_htmls(tree, chosen):
    """Also of what is within an element that is out already."""
    plain, of_html, pairs = both(tree)
    for ours, theirs in [pairs[number % len(pairs)] for number in chosen]:
        drop(ours)
        if theirs.getparent() is not None:  # for what has no parent lxml.html fails; nothing is to be done
            theirs.drop_tree()
        assert ours.getparent() is None
    assert etree.tostring(plain) == etree.tostring(of_html)
    assert [etree.tostring(ours) for ours, _ in pairs] == [etree.tostring(theirs) for _, theirs in pairs]


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("<p>a<b>x</b>c</p>", "axc", "<p>ac</p>"),
        ("<p><b>x</b>c</p>", "xc", "<p>c</p>"),
        ("<p>a<i>i</i><b>x<u>y</u>z</b>c</p>", "aixyzc", "<p>a<i>i</i>c</p>"),
        ("<p><i>i</i>d<b/>c<u/>e</p>", "idce", "<p><i>i</i>dc<u/>e</p>"),
        ("<p>a<!--no-->d<b>x</b>c<?no no?>e</p>", "adxce", "<p>a<!--no-->dc<?no no?>e</p>"),
        ("<p>a<b/><u/></p>", "a", "<p>a<u/></p>"),
    ],
)
def test_text_and_dropping_by_hand(before, text, after):
    tree = etree.fromstring(f"<r>{before}behind</r>")
    assert text_of(tree[0]) == text
    drop(tree.find(".//b"))
    assert etree.tostring(tree, encoding="unicode") == f"<r>{after}behind</r>"


# Shortcuts of chunkgrid.text, against the plain way


def plainly_visible(text):
    seen = re.sub("[\u200b\ufeff\u00ad\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffe\uffff]", "", text)
    seen = re.sub("[\x0b\x0c\x1c-\x1f\x85]", " ", seen)
    return unicodedata.normalize("NFC", re.sub("[\ud800-\udfff]", "\ufffd", seen))


def plainly_folded(text):
    return re.sub(r" ?\v[ \v]*", "\n", re.sub(r"[ \t\n\f\r]+", " ", text)).strip(" \n")


ODD = (
    "か\u3099\u309ae\u0301\u0327\u1100\u1161\u0958\u2126\ufb2c\ufeff\u200b\u200d\xad\0\x0b\x0c\x1c\x85\x9f\ud83d\ude42"
)


@given(st.text(st.one_of(st.sampled_from(ODD), st.characters()), max_size=12))
@example("か\u200b\u3099")  # composed only once what nobody sees is gone
@example("e\u0327\u0301")
@settings(max_examples=500)
def test_what_is_visible_is_what_the_plain_way_has(text):
    assert visible(text) == plainly_visible(text)
    assert visible(visible(text)) == visible(text)


def test_what_is_visible_of_each_sign_alone_is_what_the_plain_way_has():
    """Of all scripts that have odd ones: the first planes' ends, halves of pairs, what is written for another."""
    points = [*range(0x3100), *range(0xD7F0, 0xE010), *range(0xF900, 0x10010), *range(0x2F800, 0x2FA20)]
    signs = list(map(chr, points))
    assert list(map(visible, signs)) == list(map(plainly_visible, signs))


def test_short_texts_are_folded_the_plain_way():
    for length in range(5):
        texts = ["".join(signs) for signs in product(" \t\n\f\r\va", repeat=length)]
        assert list(map(fold, texts)) == list(map(plainly_folded, texts))


@given(st.text(st.one_of(st.sampled_from("ab  \t\n\f\r\v\xa0\u3000\x85\u2028甲"), st.characters()), max_size=20))
@settings(max_examples=500)
def test_texts_are_folded_the_plain_way(text):
    assert fold(text) == plainly_folded(text)
