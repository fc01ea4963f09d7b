"""Chunks as rows for other systems."""

import json

from langchain_core.documents import Document as OfLangChain
from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.schema import MetadataMode, TextNode

from chunkgrid.articles import read_article
from chunkgrid.exporting import exported, write_jsonl
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.hierarchy import hierarchy
from chunkgrid.splitting.sections import structure
from chunkgrid.tables import EXPORT

PAGE = "<h1>題</h1><p>初め。</p><h2>表</h2><table><tr><th>名<th>値</tr><tr><td>甲<td>一</tr></table>"


def read(page, name):
    article = read_article(page.encode(), name, name)
    return Document(name, article.title, article.text, article.html, article.blocks)


DOCUMENTS = [read(PAGE, "a.html"), read("<p>別の文書。</p>", "b.html")]


def test_a_chunk_is_a_row_with_what_it_is_of():
    chunks = chunk_table(DOCUMENTS, lambda one: structure(one, 8, prefix="headings"))
    found = exported(chunks, iter(DOCUMENTS))
    assert found.schema.names == EXPORT.names
    first, second, third, fourth, fifth = found.to_pylist()
    assert first == {
        "id": "a.html#0",
        "document": "a.html",
        "title": "題",
        "start": 0,
        "end": 6,
        "text": "題\n\n初め。",
        "index_text": "題\n題\n\n初め。",
        "headings": ["題"],
        "kind": "h1",
        "parent": None,
    }
    assert (second["text"], second["kind"]) == ("表", "h2")
    assert (third["id"], third["text"], third["kind"], third["headings"]) == (
        "a.html#2",
        "名 | 値",
        "table",
        ["題", "表"],
    )
    assert (fourth["index_text"], fourth["kind"]) == ("題 ＞ 表\n名 | 値\n甲 | 一", "table")
    assert (fifth["id"], fifth["title"], fifth["text"], fifth["headings"]) == ("b.html#0", "b", "別の文書。", [])


def test_what_is_merged_says_what_it_is_a_part_of():
    rows = exported(hierarchy(iter(DOCUMENTS[:1]), [18, 8]), iter(DOCUMENTS)).to_pylist()
    whole = {row["id"]: row["text"] for row in rows if row["index_text"] is None}
    parts = [row for row in rows if row["parent"] is not None]
    assert len(whole) == 1
    assert len(parts) > 1
    assert all(row["text"] in whole[row["parent"]] and row["index_text"] == row["text"] for row in parts)


def test_without_offsets_there_are_neither_headings_nor_kind():
    chunks = chunk_table(DOCUMENTS[:1], lambda _: [Piece(text="書き直した"), Piece(text="もう一つ")])
    rows = exported(chunks, iter(DOCUMENTS)).to_pylist()
    assert [(row["id"], row["text"]) for row in rows] == [("a.html#0", "書き直した"), ("a.html#1", "もう一つ")]
    assert {row[name] for row in rows for name in ("start", "end", "headings", "kind")} == {None}


def test_lines_are_the_rows_and_load_into_langchain(tmp_path):
    content = exported(chunk_table(DOCUMENTS, lambda one: structure(one, 8)), iter(DOCUMENTS))
    write_jsonl(content, tmp_path / "chunks.jsonl")
    lines = (tmp_path / "chunks.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows == content.to_pylist()
    assert "別の文書。" in lines[-1]  # as it is, not escaped
    loaded = [OfLangChain(row.pop("index_text"), id=row.pop("id"), metadata=row) for row in rows]
    assert loaded[-1].page_content == loaded[-1].metadata["text"] == "別の文書。"
    assert len({one.id for one in loaded}) == len(loaded) == 5


def test_rows_load_into_llamaindex_and_are_searched_by_what_is_indexed():
    chunks = chunk_table(DOCUMENTS, lambda one: structure(one, 8, prefix="headings"))
    nodes = []
    for row in exported(chunks, iter(DOCUMENTS)).to_pylist():
        text, keys = row.pop("index_text"), list(row)
        hidden = {"excluded_embed_metadata_keys": keys, "excluded_llm_metadata_keys": keys}
        nodes.append(TextNode(text=text, id_=row["id"], metadata=row, **hidden))
    assert [node.get_content(MetadataMode.LLM) for node in nodes] == chunks["index_text"].to_pylist()
    assert [node.get_content(MetadataMode.EMBED) for node in nodes] == chunks["index_text"].to_pylist()
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=2))
    found = index.as_retriever(similarity_top_k=9).retrieve("表は?")
    assert {hit.node.id_: hit.node.metadata["text"] for hit in found} == {
        node.id_: node.metadata["text"] for node in nodes
    }
