# Requires documents.parquet. Makes chunks/hierarchy/<name>.parquet: a chunk a row.


rule split_hierarchy:
    """Small chunks searched, merged into larger ones where enough of them are found."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/hierarchy/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/hierarchy/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/hierarchy/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/hierarchy/{name}"),
        code=code("../../scripts/split_hierarchy.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_hierarchy.py"
