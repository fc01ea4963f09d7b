"""Cuts every document by LlamaIndex's SentenceSplitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.llamaindex import sentence

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: sentence(document, **snakemake.params.cell)), snakemake.output[0])
