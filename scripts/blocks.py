"""Reads a batch of articles: blocks, one file an article, and what was found in each."""

from pathlib import Path
from urllib.parse import quote

from chunkgrid import logs, tables
from chunkgrid.articles import read_article, unreadable
from chunkgrid.errors import InputError
from chunkgrid.fingerprint import digest

logs.start(snakemake.log[0])
folder = Path(snakemake.output.blocks)
folder.mkdir(parents=True)
articles = []
for source in snakemake.params.sources:
    doc_id, file = source["doc_id"], source["source"]
    try:
        article = read_article(Path(file).read_bytes(), doc_id, file, snakemake.params.reading["exclude"])
    except (InputError, OSError) as error:
        if snakemake.params.reading["on_error"] == "stop":
            raise InputError(f"{file}: {error}") from None
        print(f"skipped {file}: {error}")
        article = unreadable(doc_id, file, str(error))
    articles.append(article.row())
    # Names may be too long or hold what a file name may not; the true one stands in the table.
    name = f"{quote(doc_id, safe='')[:180]}-{digest(doc_id)}"
    tables.write(tables.table(article.blocks, tables.BLOCKS), folder / f"{name}.parquet")
tables.write(tables.table(articles, tables.ARTICLES), snakemake.output.articles)
