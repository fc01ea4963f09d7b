"""Cuts every document at a fixed number of tokens."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.fixed import token

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: token(document, **snakemake.params.cell)), snakemake.output[0])
