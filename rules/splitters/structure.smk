# Requires documents.parquet and blocks/. Makes chunks/structure/<name>.parquet: a chunk a row.


rule split_structure:
    """Whole blocks packed up to a size, within h2 and h3 sections."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/structure/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/structure/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/structure/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/structure/{name}"),
        code=code("../../scripts/split_structure.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_structure.py"
