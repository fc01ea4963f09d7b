# Requires chunks/, queries.parquet and the rankings of other retrievers. Makes rankings/<split>/hybrid/<name>.parquet, a
# hit a row, and coverage/<split>/hybrid/<name>.parquet, a question a row.


rule retrieve_hybrid:
    """The rankings of several retrievers fused."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
        rankings=collect(
            f"{RESULTS}/rankings/{{{{split}}}}/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="retrieve/hybrid/{name}/of"),
        ),
    output:
        ranking=f"{RESULTS}/rankings/{{split}}/hybrid/{{name}}.parquet",
        coverage=f"{RESULTS}/coverage/{{split}}/hybrid/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/coverage/{{split}}/hybrid/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/coverage/{{split}}/hybrid/{{name}}.tsv"
    wildcard_constraints:
        split="[^/]+/[^/]+",
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="retrieve/hybrid/{name}"),
        depth=DEPTH,
        code=code("../../scripts/retrieve_hybrid.py", "numpy", "pyarrow", *TOKENIZER),
    script:
        "../../scripts/retrieve_hybrid.py"
