# Requires documents.parquet. Makes chunks/semantic-text-splitter/<name>.parquet: a chunk a row.


rule split_semantic_text_splitter:
    """The Rust crate text-splitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/semantic-text-splitter/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/semantic-text-splitter/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/semantic-text-splitter/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/semantic-text-splitter/{name}"),
        code=code(
            "../../scripts/split_semantic_text_splitter.py",
            "pyarrow",
            "semantic-text-splitter",
            "tiktoken",
        ),
    script:
        "../../scripts/split_semantic_text_splitter.py"
