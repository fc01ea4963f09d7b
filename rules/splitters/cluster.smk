# Requires documents.parquet. Makes chunks/cluster/<name>.parquet, a chunk a row, and cut_costs/cluster/<name>.parquet, one row; vectors
# of a model go to the folder that the config names.


rule split_cluster:
    """Joins neighbouring parts so that they are most alike."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        chunks=f"{RESULTS}/chunks/cluster/{{name}}.parquet",
        costs=f"{RESULTS}/cut_costs/cluster/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/cluster/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/cluster/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/cluster/{name}"),
        model=model_of("split", "cluster"),
        cache=config["cache"],
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_cluster.py", "numpy", "scipy", "pyarrow", "tiktoken"
        ),
    script:
        "../../scripts/split_cluster.py"
