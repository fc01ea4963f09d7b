# Requires documents.parquet. Makes chunks/topic/<name>.parquet: a chunk a row.


rule split_topic:
    """Breaks where the words change."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/topic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/topic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/topic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/topic/{name}"),
        code=code(
            "../../scripts/split_topic.py", "numpy", "scipy", "pyarrow", "tiktoken"
        ),
    script:
        "../../scripts/split_topic.py"
