# Requires chunks/, queries.parquet and the rankings of one or two other retrievers. Makes rankings/<split>/rerank/<name>.parquet, a
# hit a row, and coverage/<split>/rerank/<name>.parquet, a question a row.


rule retrieve_rerank:
    """The best hits of one retriever in the order of another, or of a cross-encoder."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
        ranking=collect(
            f"{RESULTS}/rankings/{{{{split}}}}/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="retrieve/rerank/{name}/of"),
        ),
        other=collect(
            f"{RESULTS}/rankings/{{{{split}}}}/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="retrieve/rerank/{name}/by", default=[]),
        ),
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/rerank/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/rerank/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/rerank/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/rerank/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="retrieve/rerank/{name}"),
        model=model_of("retrieve", "rerank"),
        cache=config["cache"],
        depth=DEPTH,
        code=code("../../scripts/retrieve_rerank.py", "numpy", "pyarrow", *TOKENIZER),
    script:
        "../../scripts/retrieve_rerank.py"
