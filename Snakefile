# Which way of cutting these articles serves this retrieval best, and how sure that is.
from snakemake.utils import min_version

min_version("9.0")

# Snakemake merges config files key by key. A given grid replaces the default one whole instead: that is
# loaded only where there is none, and given retrievers stand alone.
given = {"retrieve": dict(config["retrieve"])} if "retrieve" in config else {}
if "split" not in config:

    configfile: f"{workflow.current_basedir.get_path_or_uri(secret_free=True)}/config/config.yaml"


config.update(given)


include: "rules/common.smk"


rule all:
    """The answer: the report, means, intervals, every question's measures, and the table for the terminal."""
    input:
        f"{RESULTS}/reading.csv",
        f"{RESULTS}/questions.parquet",
        f"{RESULTS}/metrics.csv",
        f"{RESULTS}/intervals.csv",
        f"{RESULTS}/report.html",
        f"{RESULTS}/summary.txt",


include: "rules/corpus.smk"


for rule_file in USED["split"] + USED["retrieve"] + OWN_RULES:

    include: rule_file


include: "rules/score.smk"
include: "rules/report.smk"
