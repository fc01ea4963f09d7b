# Requires documents.parquet. Makes chunks/token/<name>.parquet: a chunk a row.


rule split_token:
    """Cuts of a fixed number of tokens."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/token/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/token/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/token/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/token/{name}"),
        code=code("../../scripts/split_token.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_token.py"
