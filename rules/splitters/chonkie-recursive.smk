# Requires documents.parquet. Makes chunks/chonkie-recursive/<name>.parquet: a chunk a row.


rule split_chonkie_recursive:
    """Chonkie's RecursiveChunker."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/chonkie-recursive/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/chonkie-recursive/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/chonkie-recursive/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/chonkie-recursive/{name}"),
        code=code(
            "../../scripts/split_chonkie_recursive.py",
            "pyarrow",
            "chonkie",
            "tiktoken",
        ),
    script:
        "../../scripts/split_chonkie_recursive.py"
