"""The means of every cell, the measures of its split, and its costs."""

from chunkgrid import logs, tables
from chunkgrid.costs import of_cells
from chunkgrid.measures import metric_table

logs.start(snakemake.log[0])
questions = tables.read(snakemake.input.questions)
splits = {
    split: tables.read(file, tables.SPLITS).to_pylist()[0]
    for split, file in zip(snakemake.params.splits, snakemake.input.measures, strict=True)
}
rows = {file: tables.read(file, tables.COSTS).to_pylist()[0] for file in snakemake.input.costs}
parts = {
    tuple(cell): None if files is None else [(rows[file], price) for file, price in files]
    for cell, files in snakemake.params.costs
}
costs = of_cells(list(parts), parts)
metrics = metric_table(questions, splits, costs, **snakemake.params.measure)
tables.write(metrics, snakemake.output.parquet)
tables.write_csv(metrics, snakemake.output.csv)
