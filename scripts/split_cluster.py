"""Joins small neighbouring parts of every document so that they are most alike."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.cluster import cluster
from chunkgrid.splitting.recursive import recursive_spans
from chunkgrid.splitting.vectors import cut_costs, opened, vectors_of

logs.start(snakemake.log[0])
size, part, unit = (snakemake.params.cell[name] for name in ("size", "part", "unit"))
model = opened(snakemake.params.model, snakemake.params.cache)
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS)
known = vectors_of(
    read_documents(documents),
    lambda document: recursive_spans(document.text, min(part, size), unit=unit),
    snakemake.params.seed,
    model,
)
found = chunk_table(
    read_documents(documents), lambda document: cluster(document, *known[document.doc_id], size=size, unit=unit)
)
tables.write(found, snakemake.output.chunks)
tables.write(cut_costs(read_documents(documents), known, model), snakemake.output.costs)
