# Requires documents.parquet and blocks/. Makes chunks/adaptive/<name>.parquet: a chunk a row.


rule split_adaptive:
    """Whole blocks packed up to a size that grows with the code and tables of the section."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/adaptive/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/adaptive/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/adaptive/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/adaptive/{name}"),
        code=code("../../scripts/split_adaptive.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_adaptive.py"
