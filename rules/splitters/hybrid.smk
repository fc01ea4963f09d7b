# Requires the chunks of other cells, documents.parquet and blocks/. Makes chunks/hybrid/<name>.parquet: a chunk a row.


rule split_hybrid:
    """Each document, or each stretch of it, cut as suits what it is made of."""
    input:
        unpack(
            lambda wildcards: {
                route: f"{RESULTS}/chunks/{cell}.parquet"
                for route, cell in GRID["split"]["hybrid"][wildcards.name].items()
                if route in ("prose", "code", "table", "list")
            }
        ),
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/hybrid/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/hybrid/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/hybrid/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/hybrid/{name}"),
        code=code("../../scripts/split_hybrid.py", "pyarrow"),
    script:
        "../../scripts/split_hybrid.py"
