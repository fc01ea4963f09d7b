# Requires documents.parquet. Makes chunks/recursive/<name>.parquet: a chunk a row.


rule split_recursive:
    """Cuts at the coarsest separator that serves, as LangChain's recursive splitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/recursive/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/recursive/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/recursive/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/recursive/{name}"),
        code=code("../../scripts/split_recursive.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_recursive.py"
