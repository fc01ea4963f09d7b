# Requires the chunks of another cell, documents.parquet and blocks/. Makes chunks/pre-label/<name>.parquet: a chunk a row.


rule split_pre_label:
    """The chunks of another cell, indexed with what says what their code is."""
    input:
        chunks=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/pre-label/{name}/of"),
        ),
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/pre-label/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/pre-label/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/pre-label/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/pre-label/{name}"),
        code=code("../../scripts/split_pre_label.py", "pyarrow"),
    script:
        "../../scripts/split_pre_label.py"
