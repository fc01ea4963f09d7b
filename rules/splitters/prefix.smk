# Requires the chunks of another cell, documents.parquet and blocks/. Makes chunks/prefix/<name>.parquet: a chunk a row.


rule split_prefix:
    """The chunks of another cell, indexed with a line in front."""
    input:
        chunks=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/prefix/{name}/of"),
        ),
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/prefix/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/prefix/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/prefix/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/prefix/{name}"),
        code=code("../../scripts/split_prefix.py", "pyarrow"),
    script:
        "../../scripts/split_prefix.py"
