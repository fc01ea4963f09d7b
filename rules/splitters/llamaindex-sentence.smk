# Requires documents.parquet. Makes chunks/llamaindex-sentence/<name>.parquet: a chunk a row.


rule split_llamaindex_sentence:
    """LlamaIndex's SentenceSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/llamaindex-sentence/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/llamaindex-sentence/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/llamaindex-sentence/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/llamaindex-sentence/{name}"),
        code=code(
            "../../scripts/split_llamaindex_sentence.py",
            "pyarrow",
            "llama-index-core",
            "nltk",
            "tiktoken",
        ),
    script:
        "../../scripts/split_llamaindex_sentence.py"
