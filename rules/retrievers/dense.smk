# Requires chunks/ and queries.parquet. Makes rankings/<split>/dense/<name>.parquet, a hit a row,
# coverage/<split>/dense/<name>.parquet, a question a row, and costs/<split>/dense/<name>.parquet, one row; vectors go
# to the folder that the config names.


rule retrieve_dense:
    """Embeddings of a model, by cosine."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/dense/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/dense/{{name}}.parquet",
        costs=f"{RESULTS}/costs/{{split}}/dense/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/dense/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/dense/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        model=model_of("retrieve", "dense"),
        depth=DEPTH,
        cache=config["cache"],
        code=code("../../scripts/retrieve_dense.py", "numpy", "pyarrow", "tiktoken"),
    script:
        "../../scripts/retrieve_dense.py"
