# Requires documents.parquet and a file of chunks. Makes chunks/own-chunks/<name>.parquet: a chunk a row.


rule split_own_chunks:
    """The chunks that another system made, such as the one in production."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/own-chunks/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/own-chunks/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/own-chunks/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/own-chunks/{name}"),
        code=code("../../scripts/split_own_chunks.py", "numpy", "pyarrow"),
    script:
        "../../scripts/split_own_chunks.py"
