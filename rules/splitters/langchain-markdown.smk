# Requires documents.parquet and blocks/. Makes chunks/langchain-markdown/<name>.parquet: a chunk a row.


rule split_langchain_markdown:
    """LangChain's MarkdownHeaderTextSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        f"{RESULTS}/chunks/langchain-markdown/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/langchain-markdown/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/langchain-markdown/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/langchain-markdown/{name}"),
        code=code(
            "../../scripts/split_langchain_markdown.py",
            "pyarrow",
            "langchain-text-splitters",
        ),
    script:
        "../../scripts/split_langchain_markdown.py"
