# Requires documents.parquet and blocks/. Makes chunks/markdown/<name>.parquet: a chunk a row.


rule split_markdown:
    """Whole blocks packed up to a size, each heading beginning a chunk, with the heading path."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/markdown/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/markdown/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/markdown/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/markdown/{name}"),
        code=code("../../scripts/split_markdown.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_markdown.py"
