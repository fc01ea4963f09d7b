# Requires the chunks of another cell, documents.parquet. Makes chunks/window/<name>.parquet: a chunk a row.


rule split_window:
    """The chunks of another cell, handed over with what is around them."""
    input:
        chunks=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/window/{name}/of"),
        ),
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/window/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/window/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/window/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/window/{name}"),
        code=code("../../scripts/split_window.py", "pyarrow"),
    script:
        "../../scripts/split_window.py"
