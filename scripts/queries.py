"""Draws the questions that are asked."""

from chunkgrid import faq, logs, tables
from chunkgrid.errors import InputError
from chunkgrid.questions import USED, judge

logs.start(snakemake.log[0])
files = [file for file in snakemake.input if file not in (snakemake.input.reading, snakemake.input.documents)]
articles = tables.read_all(files, tables.ARTICLES).sort_by("doc_id").to_pylist()
judged = judge(articles, snakemake.params.sample["questions"], snakemake.params.sample["seed"])
queries = sorted((row for row in judged if row["status"] == USED), key=lambda row: row["query_id"])
if not queries:
    raise InputError(
        f"no usable question among {len(judged)} found in {len(articles)} articles; looked for {faq.FORMS}; "
        f"{snakemake.input.reading} says what was found in each article"
    )
tables.write(tables.table(queries, tables.QUERIES), snakemake.output[0])
