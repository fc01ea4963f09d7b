"""Reads a batch of articles: blocks, one file an article, and what was found in each."""

from pathlib import Path
from urllib.parse import quote

from chunkgrid import logs, tables
from chunkgrid.articles import Reading, read_batch
from chunkgrid.errors import InputError
from chunkgrid.fingerprint import digest

logs.start(snakemake.log[0])
reading = snakemake.params.reading
folder = Path(snakemake.output.blocks)
folder.mkdir(parents=True)
files = ((source["doc_id"], source["source"], source["kind"]) for source in snakemake.params.sources)
how = Reading(reading["exclude"], "none" if reading["questions"] == "file" else reading["questions"])
articles = []
for article in read_batch(files, how, snakemake.wildcards.batch, reading["batches"]):
    articles.append(article.row())
    if article.error:
        if reading["on_error"] == "stop":
            raise InputError(f"{article.place}: {article.error}")
        print(f"skipped {article.place}: {article.error}")
        continue
    # Names may be too long or hold what a file name may not; the true one stands in the table.
    name = f"{quote(article.doc_id, safe='')[:180]}-{digest(article.doc_id)}"
    tables.write(tables.table(article.blocks, tables.BLOCKS), folder / f"{name}.parquet")
tables.write(tables.table(articles, tables.ARTICLES), snakemake.output.articles)
