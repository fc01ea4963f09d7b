# Requires documents.parquet and blocks/. Makes chunks/python/<name>.parquet: a chunk a row.


rule split_python:
    """A function of yours: a document in, spans out."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/python/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/python/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/python/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/python/{name}"),
        code=code("../../scripts/split_python.py", "pyarrow"),
    script:
        "../../scripts/split_python.py"
