# Requires documents.parquet. Makes chunks/langchain-html-header/<name>.parquet: a chunk a row.


rule split_langchain_html_header:
    """LangChain's HTMLHeaderTextSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/langchain-html-header/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/langchain-html-header/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/langchain-html-header/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/langchain-html-header/{name}"),
        code=code(
            "../../scripts/split_langchain_html_header.py",
            "pyarrow",
            "langchain-text-splitters",
            "beautifulsoup4",
        ),
    script:
        "../../scripts/split_langchain_html_header.py"
