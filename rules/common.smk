# Requires config. Makes USED, OWN_RULES, RESULTS, SOURCES, BATCHES, GRID, SPLITS, CELLS, COSTS, code(), model_of():
# what rules name.
import csv
import os
import sys
from collections import Counter
from glob import escape, glob
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

HOUSE = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent
for variable, value in {
    # A rule's script may lie outside of the project and still import chunkgrid.
    "PYTHONPATH": os.pathsep.join(
        filter(None, [str(HOUSE / "scripts"), os.environ.get("PYTHONPATH")])
    ),
    # One BLAS thread a job: the cores are for jobs, and sums keep their order.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}.items():
    os.environ[variable] = value
sys.path.insert(0, str(HOUSE / "scripts"))

from chunkgrid import batching, estimate, files, fingerprint, grid  # noqa: E402
from chunkgrid import references, tables  # noqa: E402
from chunkgrid.embedding.models import ADAPTERS, adapter_file, described  # noqa: E402
from chunkgrid.errors import InputError  # noqa: E402
from chunkgrid.naming import measure_names, ranking_depth  # noqa: E402
from chunkgrid.timings import timings  # noqa: E402


def schema_of(rule_file):
    """The parameters of a kind, from `<kind>.schema.yaml` beside its rule."""
    path = Path(rule_file).with_suffix(".schema.yaml")
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}


def code(script, *packages):
    """What a script's result hangs on; `script` is resolved as `script:` does, beside the rule file."""
    here = Path(workflow.current_basedir.get_path_or_uri(secret_free=True))
    return fingerprint.code(here / script, packages)


def model_of(section, kind):
    """Of a cell of a kind its model, as scripts open it, and what its vectors hang on; None where it has none."""

    def found(wildcards):
        cell = GRID[section][kind][wildcards.name]
        return MODELS[cell["model"]] if "model" in cell else None

    return found


try:
    grid.check(
        config,
        yaml.safe_load((HOUSE / "config/schema.yaml").read_text(encoding="utf-8")),
    )
    SPLITTERS, RETRIEVERS = (
        sorted(glob(f"{escape(str(HOUSE))}/rules/{folder}/*.smk"))
        for folder in ("splitters", "retrievers")
    )
    files.check_files(config["rules"], "rules")
    grid.check_selectors(config["exclude"])
    files.check_results(config["results"])
    OWN_RULES = [str(Path(file).absolute()) for file in config["rules"]]
    # Rules of kinds that the grid has not would only take time.
    USED = {
        section: [file for file in there if Path(file).stem in config[section]]
        for section, there in (("split", SPLITTERS), ("retrieve", RETRIEVERS))
    }
    SCHEMAS = {
        section: {Path(file).stem: schema_of(file) for file in used + OWN_RULES}
        for section, used in USED.items()
    }
    SCHEMAS["models"] = {
        kind: schema_of(file)
        for kind in config["models"]
        if (file := adapter_file(str(kind))).exists()
    }
    GRID = {
        section: grid.expand(section, config[section], SCHEMAS[section])
        for section in SCHEMAS
    }
    grid.check_rules(GRID["split"], SPLITTERS + OWN_RULES, "split")
    grid.check_rules(GRID["retrieve"], RETRIEVERS + OWN_RULES, "retrieve")
    grid.check_adapters(GRID["models"], sorted(ADAPTERS.glob("*.schema.yaml")))
    for section in GRID:
        references.check_references(GRID[section], SCHEMAS[section], section)
        references.check_models(
            GRID[section], SCHEMAS[section], GRID["models"], section
        )
        grid.check_packages(GRID[section], SCHEMAS[section], section)
        files.add_hashes(GRID[section], SCHEMAS[section], section)
    SPLITS = grid.paths(GRID["split"])
    PAIRS = grid.cells(SPLITS, GRID["retrieve"])
    grid.check_compare(config["compare"], SPLITS, PAIRS)
    MEASURE = config["measure"]
    grid.check_report(config["report"]["cells"], PAIRS)
    grid.check_show(config["show"], tables.shown(measure_names(**MEASURE)))
    QUESTIONS = files.question_source(config["questions"])
    FOUND = files.sources(config["articles"], config["suffixes"])
    ARTICLES = [file for file in FOUND if file["kind"]]
except InputError as error:
    raise WorkflowError(str(error)) from None

MODELS = described(GRID["models"], SCHEMAS["models"])
RESULTS = config["results"].rstrip("/")
# Not `workflow.cores`, which raises where none are given, as with --unlock or --report.
CORES = workflow.resource_settings.cores or 1
LEFT_OUT = [
    [file["source"].encode("utf-8", "backslashreplace").decode(), file["why"]]
    for file in FOUND
    if not file["kind"]
]
SOURCES = batching.batches(ARTICLES, config["batches"])
BATCHES = list(SOURCES)
CELLS = [f"{split}/{retrieval}" for split, retrieval in PAIRS]
# The tables of costs that each cell stands on, with the price of the model that they are of.
COSTS = [[cell, references.costs(*cell, GRID, SCHEMAS, RESULTS)] for cell in PAIRS]
DEPTH = ranking_depth(**MEASURE)
SAMPLE = config["sample"]
# Budgets in tokens hang on the package that counts these; those in characters need not have it.
TOKENIZER = [] if MEASURE["unit"] == "characters" else ["tiktoken"]
