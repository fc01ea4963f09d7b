"""Cuts every document by a function of yours."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.python import load, spans_of

logs.start(snakemake.log[0])
cut = load(snakemake.params.cell["function"])
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
tables.write(chunk_table(documents, lambda document: spans_of(document, cut)), snakemake.output[0])
