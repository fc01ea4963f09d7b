# Requires chunks/ and queries.parquet, and a file of hits. Makes rankings/<split>/own-hits/<name>.parquet, a hit a
# row, and coverage/<split>/own-hits/<name>.parquet, a question a row, for the one split that the hits are of.


rule retrieve_own_hits:
    """The hits that another system found."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/own-hits/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/own-hits/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/own-hits/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/own-hits/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="retrieve/own-hits/{name}"),
        depth=DEPTH,
        code=code("../../scripts/retrieve_own_hits.py", "numpy", "pyarrow", *TOKENIZER),
    script:
        "../../scripts/retrieve_own_hits.py"
