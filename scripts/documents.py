"""Gathers the articles that could be read."""

import pyarrow.compute as pc

from chunkgrid import logs, tables

logs.start(snakemake.log[0])
articles = tables.read_all(snakemake.input, tables.ARTICLES)
documents = articles.filter(pc.field("error").is_null()).select(tables.DOCUMENTS.names).sort_by("doc_id")
tables.write(documents, snakemake.output[0])
