# Requires the articles of the config. Makes blocks/, read/, documents.parquet, candidates.parquet, reading.csv
# and queries.parquet: everything that the splitters and retrievers start from.


rule blocks:
    """A batch of articles: their blocks, one Parquet an article, and a table of an article a row."""
    output:
        blocks=directory(f"{RESULTS}/blocks/{{batch}}"),
        articles=f"{RESULTS}/read/{{batch}}.parquet",
    log:
        f"{RESULTS}/logs/blocks/{{batch}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/blocks/{{batch}}.tsv"
    conda:
        "../environment.yml"
    params:
        sources=lookup(within=SOURCES, dpath="{batch}"),
        reading={key: config[key] for key in ("exclude", "on_error", "batches")}
        | {"questions": QUESTIONS["questions_from"]},
        code=code(
            "../scripts/blocks.py", "lxml", "cssselect", "markdown-it-py", "pyarrow"
        ),
    script:
        "../scripts/blocks.py"


# The next four run in this order, before any split: a run without a single question stops here, with
# documents.parquet and reading.csv made. So they take all cores and come first.


rule candidates:
    """A question a row, whether it is asked or not: those of the articles, or those of a file."""
    input:
        expand(f"{RESULTS}/read/{{batch}}.parquet", batch=BATCHES),
    output:
        f"{RESULTS}/candidates.parquet",
    log:
        f"{RESULTS}/logs/candidates.log",
    benchmark:
        f"{RESULTS}/benchmarks/candidates.tsv"
    priority: 3
    conda:
        "../environment.yml"
    threads: CORES
    params:
        questions=QUESTIONS,
        gold_places=config["gold_places"],
        sample=SAMPLE,
        code=code("../scripts/candidates.py", "numpy", "pyarrow"),
    script:
        "../scripts/candidates.py"


rule reading:
    """An article a row: how it was read, and what became of its questions."""
    input:
        expand(f"{RESULTS}/read/{{batch}}.parquet", batch=BATCHES),
        candidates=f"{RESULTS}/candidates.parquet",
    output:
        f"{RESULTS}/reading.csv",
    log:
        f"{RESULTS}/logs/reading.log",
    benchmark:
        f"{RESULTS}/benchmarks/reading.tsv"
    priority: 2
    conda:
        "../environment.yml"
    threads: CORES
    params:
        questions_from=QUESTIONS["questions_from"],
        left_out=LEFT_OUT,
        code=code("../scripts/reading.py", "pyarrow"),
    script:
        "../scripts/reading.py"


rule documents:
    """An article a row: its text and its HTML, without the questions that left."""
    input:
        expand(f"{RESULTS}/read/{{batch}}.parquet", batch=BATCHES),
    output:
        f"{RESULTS}/documents.parquet",
    log:
        f"{RESULTS}/logs/documents.log",
    benchmark:
        f"{RESULTS}/benchmarks/documents.tsv"
    conda:
        "../environment.yml"
    params:
        code=code("../scripts/documents.py", "pyarrow"),
    script:
        "../scripts/documents.py"


rule queries:
    """A question that is asked a row, with the place and the text of its answer."""
    input:
        candidates=f"{RESULTS}/candidates.parquet",
        reading=f"{RESULTS}/reading.csv",
        documents=f"{RESULTS}/documents.parquet",
    output:
        f"{RESULTS}/queries.parquet",
    log:
        f"{RESULTS}/logs/queries.log",
    benchmark:
        f"{RESULTS}/benchmarks/queries.tsv"
    priority: 1
    conda:
        "../environment.yml"
    threads: CORES
    params:
        questions=QUESTIONS,
        code=code("../scripts/queries.py", "numpy", "pyarrow"),
    script:
        "../scripts/queries.py"
