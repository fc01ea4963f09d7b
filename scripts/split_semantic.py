"""Cuts every document where the similarity of neighbouring sentences falls."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.semantic import semantic
from chunkgrid.splitting.sentence import atoms
from chunkgrid.splitting.vectors import vectors_of

logs.start(snakemake.log[0])
cell, seed = snakemake.params.cell, snakemake.params.seed
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS)
known = vectors_of(read_documents(documents), lambda document: atoms(document, cell.get("size"), cell["unit"]), seed)
found = chunk_table(read_documents(documents), lambda document: semantic(document, *known[document.doc_id], **cell))
tables.write(found, snakemake.output[0])
