"""The means of every cell, and the measures of its split."""

from chunkgrid import logs, tables
from chunkgrid.measures import metric_table

logs.start(snakemake.log[0])
questions = tables.read(snakemake.input.questions)
splits = {
    split: tables.read(file, tables.SPLITS).to_pylist()[0]
    for split, file in zip(snakemake.params.splits, snakemake.input.measures, strict=True)
}
metrics = metric_table(questions, splits, **snakemake.params.measure)
tables.write(metrics, snakemake.output.parquet)
tables.write_csv(metrics, snakemake.output.csv)
