# Requires chunks/ and queries.parquet. Makes rankings/<split>/lsa/<name>.parquet, a hit a row,
# coverage/<split>/lsa/<name>.parquet, a question a row, and costs/<split>/lsa/<name>.parquet, one row.


rule retrieve_lsa:
    """Latent semantic analysis over character 2-grams, by cosine."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/lsa/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/lsa/{{name}}.parquet",
        costs=f"{RESULTS}/costs/{{split}}/lsa/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/lsa/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/lsa/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="retrieve/lsa/{name}"),
        depth=DEPTH,
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/retrieve_lsa.py",
            "numpy",
            "scipy",
            "pyarrow",
            *TOKENIZER,
        ),
    script:
        "../../scripts/retrieve_lsa.py"
