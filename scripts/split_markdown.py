"""Packs the blocks of every document up to a size, each heading beginning a chunk."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.sections import markdown

logs.start(snakemake.log[0])
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
tables.write(chunk_table(documents, lambda document: markdown(document, **snakemake.params.cell)), snakemake.output[0])
