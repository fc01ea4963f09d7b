"""Cuts every document at its headings."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.sections import headings

logs.start(snakemake.log[0])
documents = read_documents(
    tables.read(snakemake.input.documents, tables.DOCUMENTS), tables.read_batches(snakemake.input.blocks)
)
tables.write(chunk_table(documents, lambda document: headings(document, **snakemake.params.cell)), snakemake.output[0])
