# Requires documents.parquet. Makes chunks/langchain-recursive/<name>.parquet: a chunk a row.


rule split_langchain_recursive:
    """LangChain's RecursiveCharacterTextSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/langchain-recursive/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/langchain-recursive/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/langchain-recursive/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/langchain-recursive/{name}"),
        code=code(
            "../../scripts/split_langchain_recursive.py",
            "pyarrow",
            "langchain-text-splitters",
            "tiktoken",
        ),
    script:
        "../../scripts/split_langchain_recursive.py"
