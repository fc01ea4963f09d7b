# Requires chunks/ and queries.parquet. Makes rankings/<split>/bm25/<name>.parquet, a hit a row, and
# coverage/<split>/bm25/<name>.parquet, a question a row.


rule retrieve_bm25:
    """BM25 over character 2-grams, or over words."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/bm25/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/bm25/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/bm25/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/bm25/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="retrieve/bm25/{name}"),
        depth=DEPTH,
        code=code(
            "../../scripts/retrieve_bm25.py", "numpy", "scipy", "pyarrow", *TOKENIZER
        ),
    script:
        "../../scripts/retrieve_bm25.py"
