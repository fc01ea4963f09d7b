"""Gathers every question, says of each whether it is asked, and draws those that are."""

from pathlib import Path

from chunkgrid import logs, tables
from chunkgrid.questions import asked_by, found_in, judge

logs.start(snakemake.log[0])
source = snakemake.params.questions
columns = ["doc_id", "title", "text", "error", "questions"]
articles = tables.read_all(snakemake.input, tables.ARTICLES, columns).sort_by("doc_id").to_pylist()
if source["questions_from"] == "file":
    rows = asked_by(Path(source["file"]).read_bytes(), source["file"], articles, snakemake.params.gold_places)
else:
    rows = found_in(articles, source["questions_from"])
judged = judge(rows, articles, snakemake.params.sample["questions"], snakemake.params.sample["seed"])
tables.write(tables.table(judged, tables.CANDIDATES), snakemake.output[0])
