# Requires metrics, intervals and reading.csv. Makes summary.txt, and prints it when a run ends well; says
# before a run about how long it takes, and after it where the time went (timings.csv); exports; prunes.


rule summary:
    """The table for the terminal: cells by budget recall, the best, those tied with it."""
    input:
        metrics=f"{RESULTS}/metrics.parquet",
        intervals=f"{RESULTS}/intervals.parquet",
        reading=f"{RESULTS}/reading.csv",
    output:
        f"{RESULTS}/summary.txt",
    log:
        f"{RESULTS}/logs/summary.log",
    benchmark:
        f"{RESULTS}/benchmarks/summary.tsv"
    conda:
        "../environment.yml"
    params:
        measure=MEASURE,
        show=config["show"],
        code=code("../scripts/summary.py", "pyarrow"),
    script:
        "../scripts/summary.py"


PICTURES = {
    "curves": "recall within a budget, and at fixed k",
    "heat": "splits and retrievers",
    "forest": "differences to the baseline",
    "losses": "where the loss comes from",
    "costs": "cost and quality",
    "cuts": "tables and code that are cut",
    "lengths": "length of chunks",
}


rule report:
    """One page to decide from: pictures, tables, and single questions; and its pictures by themselves."""
    input:
        metrics=f"{RESULTS}/metrics.parquet",
        intervals=f"{RESULTS}/intervals.parquet",
        questions=f"{RESULTS}/questions.parquet",
        reading=f"{RESULTS}/reading.csv",
        queries=f"{RESULTS}/queries.parquet",
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
        coverage=expand(f"{RESULTS}/coverage/{{cell}}.parquet", cell=CELLS),
        rankings=expand(f"{RESULTS}/rankings/{{cell}}.parquet", cell=CELLS),
        chunks=expand(f"{RESULTS}/chunks/{{split}}.parquet", split=SPLITS),
        cuts=expand(f"{RESULTS}/cuts/{{split}}.parquet", split=SPLITS),
    output:
        html=report(
            f"{RESULTS}/report.html",
            caption="captions/html.rst",
            category="Report",
            labels={"what": "the whole report"},
        ),
        pictures=[
            report(
                f"{RESULTS}/pictures/{name}.svg",
                caption=f"captions/{name}.rst",
                category="Pictures",
                labels={"what": what},
            )
            for name, what in PICTURES.items()
        ],
    log:
        f"{RESULTS}/logs/report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report.tsv"
    conda:
        "../environment.yml"
    params:
        splits=SPLITS,
        cells=PAIRS,
        measure=MEASURE,
        baseline=config["compare"]["baseline"],
        shown=config["report"]["cells"],
        language=config["language"],
        pictures=list(PICTURES),
        code=code(
            "../scripts/report.py", "altair", "numpy", "pyarrow", "vl-convert-python"
        ),
    script:
        "../scripts/report.py"


rule export:
    """Not part of a run: the chunks of one split, ready to index elsewhere."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        jsonl=f"{RESULTS}/export/{{split}}.jsonl",
        parquet=f"{RESULTS}/export/{{split}}.parquet",
    log:
        f"{RESULTS}/logs/export/{{split}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/export/{{split}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../environment.yml"
    params:
        code=code("../scripts/export.py", "pyarrow"),
    script:
        "../scripts/export.py"


rule units:
    """Not part of a run: what a size in one unit is in the others here, such as the defaults of other libraries."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        schemas=sorted(glob(f"{escape(str(HOUSE))}/rules/splitters/*.schema.yaml")),
    output:
        f"{RESULTS}/units.csv",
    log:
        f"{RESULTS}/logs/units.log",
    benchmark:
        f"{RESULTS}/benchmarks/units.tsv"
    conda:
        "../environment.yml"
    params:
        code=code("../scripts/units.py", "pyarrow", "tiktoken"),
    script:
        "../scripts/units.py"


rule prune:
    """Not part of a run: `snakemake -c1 prune` removes the results of cells that left the grid."""
    log:
        f"{RESULTS}/logs/prune.log",
    conda:
        "../environment.yml"
    params:
        results=RESULTS,
        splits=SPLITS,
        cells=CELLS,
        code=code("../scripts/prune.py", "pyarrow"),
    script:
        "../scripts/prune.py"


onstart:
    jobs = Counter(job.rule.name for job in workflow.dag.needrun_jobs())
    size = sum(Path(article["source"]).stat().st_size for article in ARTICLES)
    print(
        estimate.told(jobs, len(ARTICLES), size, CORES),
        file=sys.stderr,
    )


onsuccess:
    folder = Path(RESULTS, "benchmarks")
    jobs = {
        file.relative_to(folder).with_suffix("").as_posix(): file.read_text()
        for file in folder.rglob("*.tsv")
    }
    if jobs:
        rows = timings(jobs)
        with open(
            f"{RESULTS}/timings.csv", "w", encoding="utf-8-sig", newline=""
        ) as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)
    targets = workflow.dag_settings.targets or {"all"}
    # A run up to a rule before it makes no summary.
    if "all" in targets and Path(RESULTS, "summary.txt").exists():
        print(
            f"\n{Path(RESULTS, 'summary.txt').read_text(encoding='utf-8')}", end=""
        )
    elif any(str(target).endswith("reading.csv") for target in targets):
        from chunkgrid.summary import reading_totals

        with open(
            f"{RESULTS}/reading.csv", encoding="utf-8-sig", newline=""
        ) as file:
            print(
                f"\n{reading_totals(list(csv.DictReader(file)))}\n{RESULTS}/reading.csv says more of each"
            )


onerror:
    left = [
        name
        for name in ("metrics.csv", "intervals.csv", "summary.txt")
        if Path(RESULTS, name).exists()
    ]
    if left:
        print(
            f"The run did not finish: {', '.join(left)} in {RESULTS}/ are of an earlier run.",
            file=sys.stderr,
        )
