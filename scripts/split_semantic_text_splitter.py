"""Cuts every document by The Rust crate text-splitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.semantic_text_splitter import text

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: text(document, **snakemake.params.cell)), snakemake.output[0])
