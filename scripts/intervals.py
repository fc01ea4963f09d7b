"""Compares cells: differences, and how sure they are."""

from chunkgrid import logs, tables
from chunkgrid.comparison import best_cell, intervals, pairs
from chunkgrid.naming import measure_names

logs.start(snakemake.log[0])
measure, compare = snakemake.params.measure, snakemake.params.compare
metrics = tables.read(snakemake.input.metrics).to_pylist()
best = best_cell(metrics, f"budget_recall@{measure['budgets'][0]}")
cells = [(row["split"], row["retriever"]) for row in metrics]
compared = pairs(cells, compare["baseline"], best, compare["pairs"])
found = intervals(
    tables.read(snakemake.input.questions),
    compared,
    measure_names(**measure),
    compare["resamples"],
    compare["seed"],
)
tables.write(found, snakemake.output.parquet)
tables.write_csv(found, snakemake.output.csv)
