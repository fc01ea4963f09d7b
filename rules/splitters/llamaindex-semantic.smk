# Requires documents.parquet. Makes chunks/llamaindex-semantic/<name>.parquet: a chunk a row.


rule split_llamaindex_semantic:
    """LlamaIndex's SemanticSplitterNodeParser over vectors of the corpus."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/llamaindex-semantic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/llamaindex-semantic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/llamaindex-semantic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/llamaindex-semantic/{name}"),
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_llamaindex_semantic.py",
            "pyarrow",
            "llama-index-core",
            "nltk",
            "numpy",
            "scipy",
        ),
    script:
        "../../scripts/split_llamaindex_semantic.py"
