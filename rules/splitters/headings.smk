# Requires documents.parquet and blocks/. Makes chunks/headings/<name>.parquet: a chunk a row.


rule split_headings:
    """A chunk from each heading to the next."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/headings/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/headings/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/headings/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/headings/{name}"),
        code=code("../../scripts/split_headings.py", "pyarrow"),
    script:
        "../../scripts/split_headings.py"
