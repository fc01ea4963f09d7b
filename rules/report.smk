# Requires metrics, intervals and reading.csv. Makes summary.txt, and prints it when a run ends well.


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
    conda:
        "../environment.yml"
    params:
        measure=MEASURE,
        code=code("../scripts/summary.py", "pyarrow"),
    script:
        "../scripts/summary.py"


onsuccess:
    if not workflow.dag_settings.targets or "all" in workflow.dag_settings.targets:
        print(
            f"\n{Path(RESULTS, 'summary.txt').read_text(encoding='utf-8')}", end=""
        )
        print(
            f"\n{RESULTS}/metrics.csv    every mean of every cell, with its standard error"
        )
        print(
            f"{RESULTS}/intervals.csv  differences between cells, with both intervals"
        )


onerror:
    left = [
        name
        for name in ("metrics.csv", "intervals.csv", "summary.txt")
        if Path(RESULTS, name).exists()
    ]
    if left:
        print(
            f"\nThe run did not finish: {', '.join(left)} in {RESULTS}/ are of an earlier run.",
            file=sys.stderr,
        )
