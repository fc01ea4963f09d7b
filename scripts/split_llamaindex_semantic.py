"""Cuts every document by LlamaIndex's SemanticSplitterNodeParser over vectors of the corpus."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.llamaindex import groups, semantic
from chunkgrid.splitting.vectors import cut_costs, opened, vectors_of

logs.start(snakemake.log[0])
cell, seed = snakemake.params.cell, snakemake.params.seed
model = opened(snakemake.params.model, snakemake.params.cache)
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS)
known = vectors_of(read_documents(documents), lambda document: groups(document, cell["buffer"]), seed, model)
how = {key: value for key, value in cell.items() if key != "model"}
found = chunk_table(read_documents(documents), lambda document: semantic(document, *known[document.doc_id], **how))
tables.write(found, snakemake.output.chunks)
tables.write(cut_costs(read_documents(documents), known, model), snakemake.output.costs)
