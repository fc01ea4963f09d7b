"""The splitters of other libraries: the same chunks as calling these directly, at the places where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import tiktoken
import yaml
from chonkie import RecursiveChunker
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import (
    CharacterTextSplitter,
    MarkdownHeaderTextSplitter,
    RecursiveCharacterTextSplitter,
)
from llama_index.core import Document as OfLlamaIndex
from llama_index.core import MockEmbedding
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.node_parser import SemanticSplitterNodeParser, SentenceSplitter
from semantic_text_splitter import TextSplitter

from chunkgrid import grid
from chunkgrid.articles import read_article
from chunkgrid.splitting import chonkie, langchain_text, llamaindex, semantic_text_splitter
from chunkgrid.splitting.chunks import Document, Piece
from chunkgrid.splitting.found import found
from chunkgrid.splitting.recursive import recursive_spans
from chunkgrid.units import sizes

HOUSE = Path(__file__).resolve().parents[2]
TOKENS = "tokens-cl100k_base"
sizes([], TOKENS)  # puts the vocabulary where tiktoken looks for it
ENCODING = tiktoken.get_encoding("cl100k_base")

words = st.sampled_from(
    [
        *("\n\n", "\n", "。", "、", " ", "　", ". ", "! ", "あ", "い。", "う、え", "同じ文。同じ文。", "xxxxxxx", "𠮷"),
        *("Mr. Who asks, ", "retrieval ", "<|endoftext|>", "👩‍👩‍👧", "🙂", "(a; b)"),
    ]
)
texts = st.lists(words, min_size=1, max_size=60).map("".join).filter(str.strip)


def plain(text: str) -> Document:
    block = {"block": 0, "breaks": None, "kind": "paragraph", "headings": [], "header": None}
    return Document("d", "題", text, "", [{**block, "doc_id": "d", "start": 0, "end": len(text), "text": text}])


def sample() -> list[Document]:
    made = []
    for path in sorted((HOUSE / "corpus/sample").glob("*.html")):
        article = read_article(path.read_bytes(), path.name, path.name)
        made.append(Document(article.doc_id, article.title, article.text, article.html, article.blocks))
    return made


SAMPLE = sample()


def defaults(kind: str) -> dict[str, object]:
    """The parameters of a cell that says none."""
    cell: dict[str, object] = {}
    grid.check(cell, yaml.safe_load((HOUSE / f"rules/splitters/{kind}.schema.yaml").read_text("utf-8")))
    return cell


def handed_over(document: Document, pieces: Iterable[Piece]) -> list[str]:
    """The texts of pieces, but for blank ones."""
    made = []
    for piece in pieces:
        text = document.text[piece.start : piece.end] if piece.text is None else piece.text
        made += [text] * bool(text.strip())
    return made


def count(text: str) -> int:
    return len(ENCODING.encode(text, disallowed_special=()))


LANGCHAIN = {
    "default": lambda **how: RecursiveCharacterTextSplitter(**how),
    "japanese": lambda **how: RecursiveCharacterTextSplitter(
        separators=["\n\n", "\n", " ", ".", ",", "\u200b", "，", "、", "．", "。", ""], **how
    ),
}


@given(texts, st.integers(2, 40), st.booleans(), st.sampled_from(sorted(LANGCHAIN)), st.booleans())
def test_langchain_recursive(text: str, size: int, overlapping: bool, separators: str, tokens: bool) -> None:
    overlap = size // 3 if overlapping else 0
    theirs = LANGCHAIN[separators](chunk_size=size, chunk_overlap=overlap, length_function=count if tokens else len)
    unit = TOKENS if tokens else "characters"
    pieces = list(langchain_text.recursive(plain(text), size, overlap, separators, unit))
    assert handed_over(plain(text), pieces) == theirs.split_text(text)
    starts = [piece.start for piece in pieces]
    assert None not in starts
    assert starts == sorted(set(starts))
    if not overlap:  # where it is told apart from a repeat: these are carried, not sought
        separators_of = langchain_text.SEPARATORS[separators] or ["\n\n", "\n", " ", ""]
        carried = recursive_spans(text, size, 0, unit, separators_of, "start")
        assert [(piece.start, piece.end) for piece in pieces] == carried


@given(texts, st.integers(2, 40), st.sampled_from(["\n\n", "。", "xxxx"]), st.booleans())
def test_langchain_character(text: str, size: int, separator: str, tokens: bool) -> None:
    theirs = CharacterTextSplitter(
        separator=separator, chunk_size=size, chunk_overlap=size // 3, length_function=count if tokens else len
    )
    pieces = langchain_text.character(plain(text), size, size // 3, separator, TOKENS if tokens else "characters")
    assert handed_over(plain(text), pieces) == [one for one in theirs.split_text(text) if one.strip()]


@given(texts, st.integers(12, 60), st.booleans(), st.booleans())
def test_llamaindex_sentence(text: str, size: int, overlapping: bool, tokens: bool) -> None:
    overlap = size // 3 if overlapping else 0
    tokenizer = (lambda one: ENCODING.encode(one, disallowed_special=())) if tokens else list
    theirs = SentenceSplitter(chunk_size=size, chunk_overlap=overlap, tokenizer=tokenizer)
    pieces = list(llamaindex.sentence(plain(text), size, overlap, TOKENS if tokens else "characters"))
    assert handed_over(plain(text), pieces) == theirs.split_text(text)
    assert None not in [piece.start for piece in pieces]


@given(texts, st.integers(2, 60), st.integers(1, 30))
def test_chonkie_recursive(text: str, size: int, fewest: int) -> None:
    theirs = RecursiveChunker(chunk_size=size, min_characters_per_chunk=fewest).chunk(text)
    pieces = list(chonkie.recursive(plain(text), size, fewest))
    assert handed_over(plain(text), pieces) == [chunk.text for chunk in theirs if chunk.text.strip()]
    if all(chunk.text.strip() for chunk in theirs):
        assert [(piece.start, piece.end) for piece in pieces] == [(one.start_index, one.end_index) for one in theirs]


@given(texts.filter(lambda text: "<|" not in text), st.integers(2, 60))  # which tiktoken itself refuses
def test_chonkie_recursive_in_tokens(text: str, size: int) -> None:
    theirs = [chunk.text for chunk in RecursiveChunker(ENCODING, size).chunk(text) if chunk.text.strip()]
    pieces = list(chonkie.recursive(plain(text), size, unit=TOKENS))
    assert handed_over(plain(text), pieces) == theirs
    assert [piece.start is None for piece in pieces] == ["\ufffd" in one for one in theirs]


@given(texts, st.integers(2, 60), st.booleans(), st.booleans())
def test_semantic_text_splitter(text: str, size: int, overlapping: bool, tokens: bool) -> None:
    overlap = size // 3 if overlapping else 0
    theirs = TextSplitter.from_callback(count, size, overlap) if tokens else TextSplitter(size, overlap)
    pieces = semantic_text_splitter.text(plain(text), size, overlap, TOKENS if tokens else "characters")
    assert [(piece.start, text[piece.start : piece.end]) for piece in pieces] == theirs.chunk_indices(text)


class Letters(BaseEmbedding):
    """How often each of some characters occurs."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [1.0, *(float(text.count(one)) for one in "あい同x.")]

    _get_query_embedding = _get_text_embedding

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


@given(texts, st.integers(0, 3), st.sampled_from([50, 80, 95]))
def test_llamaindex_semantic(text: str, buffer: int, percentile: int) -> None:
    import numpy as np

    model = Letters()
    theirs = SemanticSplitterNodeParser(
        embed_model=model, buffer_size=buffer, breakpoint_percentile_threshold=percentile
    ).get_nodes_from_documents([OfLlamaIndex(text=text)])
    groups = llamaindex.groups(plain(text), buffer)
    vectors = np.array([model.get_text_embedding(text[start:end]) for start, end in groups])
    pieces = list(llamaindex.semantic(plain(text), groups, vectors, buffer, percentile))
    assert handed_over(plain(text), pieces) == [node.get_content() for node in theirs]
    assert None not in [piece.start for piece in pieces]


MARKDOWN = """# 題

初め

## 節 一

```
# コード
a = 1
```

項目
別の項目

### 小節

\\# 印で始まる行

#### 四段目

終わり"""


def test_langchain_markdown() -> None:
    page = """<h1>題</h1><p>初め</p><h2>節<br>一</h2><pre># コード\na = 1</pre><ul><li>項目<li>別の項目</ul>
    <h3>小節</h3><p># 印で始まる行</p><h4>四段目</h4><p>終わり</p>"""
    article = read_article(page.encode(), "a.html", "a.html")
    document = Document("a.html", article.title, article.text, article.html, article.blocks)
    assert langchain_text.as_markdown(document) == MARKDOWN
    marks = [("#", "1"), ("##", "2"), ("###", "3")]
    for strip_headers in (True, False):
        theirs = MarkdownHeaderTextSplitter(marks, strip_headers=strip_headers).split_text(MARKDOWN)
        pieces = list(langchain_text.markdown(document, 3, strip_headers))
        assert handed_over(document, pieces) == [part.page_content for part in theirs]
        first = ["初め", "# コード\na = 1\n\n項目\n別の項目", "# 印で始まる行\n\n四段目\n\n終わり"]
        if not strip_headers:
            first = [f"{heading}\n\n{text}" for heading, text in zip(["題", "節\n一", "小節"], first, strict=True)]
        assert [document.text[piece.start : piece.end] for piece in pieces] == first


@pytest.mark.parametrize(
    ("kind", "ours", "theirs"),
    [
        ("langchain-recursive", langchain_text.recursive, RecursiveCharacterTextSplitter().split_text),
        ("langchain-character", langchain_text.character, CharacterTextSplitter().split_text),
        ("llamaindex-sentence", llamaindex.sentence, SentenceSplitter().split_text),
        ("chonkie-recursive", chonkie.recursive, lambda text: [one.text for one in RecursiveChunker().chunk(text)]),
        (
            "langchain-markdown",
            langchain_text.markdown,
            lambda text: [
                part.page_content
                for part in MarkdownHeaderTextSplitter([("#", "1"), ("##", "2"), ("###", "3")]).split_text(text)
            ],
        ),
    ],
)
def test_what_a_config_leaves_out_is_as_in_the_library(
    kind: str, ours: Callable[..., Iterable[Piece]], theirs: Callable[[str], list[str]]
) -> None:
    for document in SAMPLE:
        text = langchain_text.as_markdown(document) if kind == "langchain-markdown" else document.text
        assert handed_over(document, ours(document, **defaults(kind))) == [one for one in theirs(text) if one.strip()]


def test_defaults_of_the_semantic_parser_are_the_librarys() -> None:
    theirs = SemanticSplitterNodeParser(embed_model=MockEmbedding(embed_dim=2))
    assert defaults("llamaindex-semantic") == {
        "buffer": theirs.buffer_size,
        "percentile": theirs.breakpoint_percentile_threshold,
    }


# Where a text stands


def test_a_repeated_text_stands_behind_the_one_before() -> None:
    document = plain("同じ。同じ。別。同じ。")
    pieces = list(found(document, ["同じ。", "同じ。", "別。同じ。"]))
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 3), (3, 6), (6, 11)]


def test_what_two_share_is_found_within_the_first() -> None:
    document = plain("あいう。あいう。えお。")
    pieces = list(found(document, ["あいう。あいう。", "あいう。えお。"], lambda text: 4))
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 8), (4, 11)]


def test_white_space_is_as_the_library_has_it_and_the_place_is_found() -> None:
    document = plain("一行目\n\n\n二行目\n 三行目 ")
    same, joined, whole = found(document, ["一行目\n\n\n", "二行目 三行目"]), None, None
    first, second = same
    assert (first.start, first.end, first.text) == (0, 6, None)
    assert (second.start, second.end, second.text) == (6, 14, "二行目 三行目")
    assert joined is whole is None


def test_one_that_begins_where_the_one_before_does_is_found_there() -> None:
    # LangChain yields the head of a line, and then the head again with what follows it.
    document = plain("語の種類: 13\n\n索引: 5\n別の行\n語の種類: 13 索引")
    pieces = list(found(document, ["語の種類: 13", "語の種類: 13\n索引: 5", "別の行"], lambda text: 10))
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 8), (0, 15), (16, 19)]


def test_one_that_might_stand_within_the_one_before_goes_on_behind_it() -> None:
    pieces = list(found(plain("ああああ"), ["あああ", "ああ"], lambda text: 2))
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 3), (2, 4)]
    pieces = list(found(plain("いあう"), ["いあ", "あ", "う"], lambda text: 1))  # yielded once more, and nothing else
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 2), (1, 2), (2, 3)]


def test_what_is_shared_is_counted_in_what_is_seen() -> None:
    # The library drops empty parts, so that its text is shorter than the place that it stands in.
    text = "一 二    三      四 五 六"
    theirs = CharacterTextSplitter(separator=" ", chunk_size=7, chunk_overlap=5)
    pieces = list(langchain_text.character(plain(text), 7, 5, " "))
    assert [piece.text or text[piece.start : piece.end] for piece in pieces] == theirs.split_text(text)
    assert [text[piece.start : piece.end].split() for piece in pieces] == [
        one.split() for one in theirs.split_text(text)
    ]


@pytest.mark.parametrize(("size", "overlap"), [(50, 10), (60, 30), (100, 90), (400, 80)])
@pytest.mark.parametrize("separator", [" ", "\n", "。"])
def test_every_chunk_of_the_sample_has_a_place(size: int, overlap: int, separator: str) -> None:
    for document in SAMPLE:
        for pieces in (
            langchain_text.character(document, size, overlap, separator),
            langchain_text.recursive(document, size, overlap),
            llamaindex.sentence(document, size, overlap, "characters"),
        ):
            starts = [piece.start for piece in pieces]
            assert None not in starts
            assert starts == sorted(starts)


def test_a_text_that_stands_nowhere_has_no_place_and_the_next_goes_on() -> None:
    first, second, third = found(plain("一。二。三。"), ["一。", "弐。", "三。"])
    assert (first.start, second.start, second.text, third.start) == (0, None, "弐。", 4)
