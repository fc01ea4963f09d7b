"""Cuts every document by LlamaIndex's SemanticSplitterNodeParser over vectors of the corpus."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.llamaindex import groups, semantic
from chunkgrid.splitting.vectors import vectors_of

logs.start(snakemake.log[0])
cell = snakemake.params.cell
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS)
known = vectors_of(read_documents(documents), lambda document: groups(document, cell["buffer"]), snakemake.params.seed)
found = chunk_table(read_documents(documents), lambda document: semantic(document, *known[document.doc_id], **cell))
tables.write(found, snakemake.output[0])
