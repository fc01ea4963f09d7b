# Requires documents.parquet. Makes chunks/semantic/<name>.parquet: a chunk a row.


rule split_semantic:
    """Breaks where the similarity of neighbouring sentences falls."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/semantic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/semantic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/semantic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/semantic/{name}"),
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_semantic.py", "numpy", "scipy", "pyarrow", "tiktoken"
        ),
    script:
        "../../scripts/split_semantic.py"
