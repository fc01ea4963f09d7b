"""Cuts every document into chunks, and these into smaller ones."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import read_documents
from chunkgrid.splitting.hierarchy import hierarchy

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(hierarchy(documents, **snakemake.params.cell), snakemake.output[0])
