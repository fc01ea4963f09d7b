"""Writes the table that a run prints at its end."""

import csv
from pathlib import Path

from chunkgrid import logs, tables
from chunkgrid.summary import summary

logs.start(snakemake.log[0])
metrics = tables.read(snakemake.input.metrics).to_pylist()
intervals = tables.read(snakemake.input.intervals, tables.INTERVALS).to_pylist()
with open(snakemake.input.reading, encoding="utf-8-sig", newline="") as file:
    reading = list(csv.DictReader(file))
measure = snakemake.params.measure
show = snakemake.params.show or [f"recall@{measure['k'][0]}", "table_cut"]
text = summary(metrics, intervals, reading, show, measure["budgets"][0], measure["unit"])
folder = Path(snakemake.output[0]).parent
text += f"""
{folder}/report.html    to open: what to take, how sure that is, pictures, single questions

{folder}/metrics.csv    every mean of every cell, with its standard error
{folder}/intervals.csv  differences between cells, by question and by article
{folder}/reading.csv    what was read, and what became of each article's questions
{folder}/timings.csv    where the time of the run went, job by job
"""
Path(snakemake.output[0]).write_text(text, encoding="utf-8")
