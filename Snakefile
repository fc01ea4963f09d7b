# Which way of cutting these articles serves this retrieval best, and how sure that is.
from snakemake.utils import min_version

min_version("9.0")

# Snakemake merges config files key by key, so the default grid is loaded only where none is given.
if "split" not in config:

    configfile: f"{workflow.current_basedir.get_path_or_uri(secret_free=True)}/config/config.yaml"


include: "rules/common.smk"


rule all:
    """The answer: means, intervals, every question's measures, and the table for the terminal."""
    input:
        f"{RESULTS}/reading.csv",
        f"{RESULTS}/questions.parquet",
        f"{RESULTS}/metrics.csv",
        f"{RESULTS}/intervals.csv",
        f"{RESULTS}/summary.txt",


include: "rules/corpus.smk"


for rule_file in SPLITTERS + RETRIEVERS + OWN_RULES:

    include: rule_file


include: "rules/score.smk"
include: "rules/report.smk"
