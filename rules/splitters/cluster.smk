# Requires documents.parquet. Makes chunks/cluster/<name>.parquet: a chunk a row.


rule split_cluster:
    """Joins neighbouring parts so that they are most alike."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/cluster/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/cluster/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/cluster/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/cluster/{name}"),
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_cluster.py", "numpy", "scipy", "pyarrow", "tiktoken"
        ),
    script:
        "../../scripts/split_cluster.py"
