# Requires documents.parquet. Makes chunks/llamaindex-semantic/<name>.parquet, a chunk a row, and cut_costs/llamaindex-semantic/<name>.parquet, one row; vectors
# of a model go to the folder that the config names.


rule split_llamaindex_semantic:
    """LlamaIndex's SemanticSplitterNodeParser over vectors of the corpus."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        chunks=f"{RESULTS}/chunks/llamaindex-semantic/{{name}}.parquet",
        costs=f"{RESULTS}/cut_costs/llamaindex-semantic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/llamaindex-semantic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/llamaindex-semantic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/llamaindex-semantic/{name}"),
        model=model_of("split", "llamaindex-semantic"),
        cache=config["cache"],
        seed=SAMPLE["seed"],
        code=code(
            "../../scripts/split_llamaindex_semantic.py",
            "pyarrow",
            "llama-index-core",
            "nltk",
            "numpy",
            "scipy",
            "tiktoken",
        ),
    script:
        "../../scripts/split_llamaindex_semantic.py"
