# Requires the chunks of another cell, documents.parquet and blocks/. Makes chunks/table-header/<name>.parquet: a chunk a row.


rule split_table_header:
    """The chunks of another cell, indexed with the header row of the table that they begin in."""
    input:
        chunks=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/table-header/{name}/of"),
        ),
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/table-header/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/table-header/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/table-header/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/table-header/{name}"),
        code=code("../../scripts/split_table_header.py", "pyarrow"),
    script:
        "../../scripts/split_table_header.py"
