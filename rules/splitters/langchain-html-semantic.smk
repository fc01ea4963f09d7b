# Requires documents.parquet. Makes chunks/langchain-html-semantic/<name>.parquet: a chunk a row.


rule split_langchain_html_semantic:
    """LangChain's HTMLSemanticPreservingSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/langchain-html-semantic/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/langchain-html-semantic/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/langchain-html-semantic/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/langchain-html-semantic/{name}"),
        code=code(
            "../../scripts/split_langchain_html_semantic.py",
            "pyarrow",
            "langchain-text-splitters",
            "beautifulsoup4",
        ),
    script:
        "../../scripts/split_langchain_html_semantic.py"
