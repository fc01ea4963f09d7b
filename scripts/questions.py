"""Gathers every measure of every question in every cell."""

from chunkgrid import logs, tables
from chunkgrid.measures import question_table

logs.start(snakemake.log[0])
splits, retrievals, measure = (snakemake.params[name] for name in ("splits", "retrievals", "measure"))
queries = tables.read(snakemake.input.queries, tables.QUERIES, ["query_id", "doc_id"])
ceilings = {
    split: tables.read(file, tables.CEILINGS) for split, file in zip(splits, snakemake.input.ceilings, strict=True)
}
cells = [(split, retrieval) for split in splits for retrieval in retrievals]
coverage = (tables.read(file, tables.COVERAGE) for file in snakemake.input.coverage)
tables.write(
    question_table(queries, zip(cells, coverage, strict=True), ceilings, measure["k"], measure["budgets"]),
    snakemake.output[0],
)
