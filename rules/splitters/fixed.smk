# Requires documents.parquet. Makes chunks/fixed/<name>.parquet: a chunk a row.


rule split_fixed:
    """Cuts of a fixed length, wherever they fall."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/fixed/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/fixed/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/fixed/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/fixed/{name}"),
        code=code("../../scripts/split_fixed.py", "pyarrow"),
    script:
        "../../scripts/split_fixed.py"
