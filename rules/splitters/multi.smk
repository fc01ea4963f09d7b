# Requires the chunks of other cells. Makes chunks/multi/<name>.parquet: a chunk a row.


rule split_multi:
    """The chunks of several cells in one index, the best first, none that overlaps it."""
    input:
        chunks=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/multi/{name}/of"),
        ),
    output:
        f"{RESULTS}/chunks/multi/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/multi/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/multi/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/multi/{name}"),
        code=code("../../scripts/split_multi.py", "pyarrow"),
    script:
        "../../scripts/split_multi.py"
