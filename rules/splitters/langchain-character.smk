# Requires documents.parquet. Makes chunks/langchain-character/<name>.parquet: a chunk a row.


rule split_langchain_character:
    """LangChain's CharacterTextSplitter."""
    input:
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/chunks/langchain-character/{{name}}.parquet",
    log:
        f"{RESULTS}/logs/chunks/langchain-character/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/chunks/langchain-character/{{name}}.tsv"
    conda:
        "../../environment.yml"
    params:
        cell=lookup(within=GRID, dpath="split/langchain-character/{name}"),
        code=code(
            "../../scripts/split_langchain_character.py",
            "pyarrow",
            "langchain-text-splitters",
            "tiktoken",
        ),
    script:
        "../../scripts/split_langchain_character.py"
