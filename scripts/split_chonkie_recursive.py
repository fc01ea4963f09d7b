"""Cuts every document by Chonkie's RecursiveChunker."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chonkie import recursive
from chunkgrid.splitting.chunks import chunk_table, read_documents

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: recursive(document, **snakemake.params.cell)), snakemake.output[0])
