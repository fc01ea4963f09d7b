"""Joins small neighbouring parts of every document so that they are most alike."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.cluster import cluster
from chunkgrid.splitting.recursive import recursive_spans
from chunkgrid.splitting.vectors import vectors_of

logs.start(snakemake.log[0])
size, part, unit = (snakemake.params.cell[name] for name in ("size", "part", "unit"))
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS)
known = vectors_of(
    read_documents(documents),
    lambda document: recursive_spans(document.text, min(part, size), unit=unit),
    snakemake.params.seed,
)
found = chunk_table(
    read_documents(documents), lambda document: cluster(document, *known[document.doc_id], size=size, unit=unit)
)
tables.write(found, snakemake.output[0])
