# Requires documents.parquet. Makes chunks/sentence/<name>.parquet: a chunk a row.


rule split_sentence:
    """Whole sentences, packed up to a size."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/sentence/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/sentence/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/sentence/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/sentence/{name}"),
        code=code("../../scripts/split_sentence.py", "pyarrow", "tiktoken"),
    script:
        "../../scripts/split_sentence.py"
