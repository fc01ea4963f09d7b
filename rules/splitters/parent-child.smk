# Requires the chunks of two other cells. Makes chunks/parent-child/<name>.parquet: a chunk a row.


rule split_parent_child:
    """The child cell's chunks are searched, the parent cell's chunks around them handed over."""
    input:
        child=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/parent-child/{name}/child"),
        ),
        parent=collect(
            f"{RESULTS}/chunks/{{cell}}.parquet",
            cell=lookup(within=GRID, dpath="split/parent-child/{name}/parent"),
        ),
    output:
        f"{RESULTS}/chunks/parent-child/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/parent-child/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/parent-child/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/parent-child/{name}"),
        code=code("../../scripts/split_parent_child.py", "pyarrow"),
    script:
        "../../scripts/split_parent_child.py"
