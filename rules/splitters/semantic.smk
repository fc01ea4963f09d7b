# Requires documents.parquet. Makes chunks/semantic/<name>.parquet, a chunk a row, and cut_costs/semantic/<name>.parquet, one row; vectors
# of a model go to the folder that the config names.


rule split_semantic:
    """Breaks where the similarity of neighbouring sentences falls."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        chunks=f"{RESULTS}/chunks/semantic/{{name}}.parquet",
        costs=f"{RESULTS}/cut_costs/semantic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/semantic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/semantic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/semantic/{name}"),
        model=model_of("split", "semantic"),
        cache=config["cache"],
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_semantic.py", "numpy", "scipy", "pyarrow", "tiktoken"
        ),
    script:
        "../../scripts/split_semantic.py"
