"""Writes the report, and its pictures as files of their own."""

import csv
import json
from functools import partial
from pathlib import Path

import vl_convert

from chunkgrid import logs, tables
from chunkgrid.report import gathering, page, pictures

logs.start(snakemake.log[0])
given, params = snakemake.input, snakemake.params
with open(given.reading, encoding="utf-8-sig", newline="") as file:
    reading = list(csv.DictReader(file))
cells = [tuple(cell) for cell in params.cells]
coverage, rankings, cuts = (
    {name: partial(tables.read, file, schema) for name, file in zip(names, files, strict=True)}
    for names, files, schema in (
        (cells, given.coverage, tables.COVERAGE),
        (cells, given.rankings, tables.RANKINGS),
        (params.splits, given.cuts, tables.CUTS),
    )
)
chunks = {split: partial(tables.read_chunks, file, []) for split, file in zip(params.splits, given.chunks, strict=True)}
queries = tables.read(given.queries, tables.QUERIES)
questions = tables.read(given.questions)
measured = gathering.measured(
    metrics=tables.read(given.metrics).to_pylist(),
    intervals=tables.read(given.intervals, tables.INTERVALS).to_pylist(),
    reading=reading,
    questions=questions,
    queries=queries,
    coverage=((cell, read()) for cell, read in coverage.items()),
    baseline=params.baseline,
    measure=params.measure,
)
documents = tables.read(given.documents, tables.DOCUMENTS, ["doc_id", "title", "text"])
blocks = tables.read_batches(given.blocks, documents, ["doc_id", "block", "kind", "start", "end", "text"])
shown = measured.detailed(params.shown)
detailed = gathering.detailed(measured, shown, queries, documents, blocks, chunks, questions, rankings, coverage, cuts)
files = page.files(params.language)
specs = page.vega_lite(measured, files.texts)
html = page.page(measured, detailed, specs, files, params.language)
Path(snakemake.output.html).write_text(html, encoding="utf-8")
for name, file in zip(params.pictures, snakemake.output.pictures, strict=True):
    spec = specs.get(name) or pictures.nothing(files.texts)
    Path(file).write_text(vl_convert.vegalite_to_svg(json.dumps(spec)), encoding="utf-8")
