"""Reports how each article was read and what became of its questions."""

import pyarrow as pa

from chunkgrid import logs, tables
from chunkgrid.questions import judge, reading_rows

logs.start(snakemake.log[0])
articles = tables.read_all(snakemake.input, tables.ARTICLES).sort_by("doc_id").to_pylist()
judged = judge(articles, snakemake.params.sample["questions"], snakemake.params.sample["seed"])
rows = reading_rows(articles, judged, snakemake.params.left_out)
tables.write_csv(pa.Table.from_pylist(rows), snakemake.output[0])
