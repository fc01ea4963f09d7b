"""Gathers every measure of every question in every cell."""

from chunkgrid import logs, tables
from chunkgrid.measures import question_table

logs.start(snakemake.log[0])
splits, measure = snakemake.params.splits, snakemake.params.measure
queries = tables.read(snakemake.input.queries, tables.QUERIES, ["query_id", "doc_id", "questions_from"])
ceilings = {
    split: tables.read(file, tables.CEILINGS) for split, file in zip(splits, snakemake.input.ceilings, strict=True)
}
cells = [tuple(cell) for cell in snakemake.params.cells]
coverage = (tables.read(file, tables.COVERAGE) for file in snakemake.input.coverage)
tables.write(
    question_table(queries, zip(cells, coverage, strict=True), ceilings, **measure),
    snakemake.output[0],
)
