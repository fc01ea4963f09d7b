# Requires chunks/, coverage/, queries.parquet and blocks/. Makes cuts/, splits/, ceilings/,
# questions.parquet, metrics and intervals.


rule cuts:
    """A table or pre block a row, whether it is cut; and the split's own measures, in one row."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        documents=f"{RESULTS}/documents.parquet",
        blocks=expand(f"{RESULTS}/blocks/{{batch}}", batch=BATCHES),
    output:
        cuts=f"{RESULTS}/cuts/{{split}}.parquet",
        measures=f"{RESULTS}/splits/{{split}}.parquet",
    log:
        f"{RESULTS}/logs/cuts/{{split}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/cuts/{{split}}.tsv"
    conda:
        "../environment.yml"
    params:
        unit=MEASURE["unit"],
        code=code("../scripts/cuts.py", "numpy", "pyarrow", *TOKENIZER),
    script:
        "../scripts/cuts.py"


rule ceilings:
    """A question and budget a row: the best coverage that this split could give."""
    input:
        chunks=f"{RESULTS}/chunks/{{split}}.parquet",
        queries=f"{RESULTS}/queries.parquet",
    output:
        f"{RESULTS}/ceilings/{{split}}.parquet",
    log:
        f"{RESULTS}/logs/ceilings/{{split}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/ceilings/{{split}}.tsv"
    conda:
        "../environment.yml"
    params:
        budgets=MEASURE["budgets"],
        unit=MEASURE["unit"],
        code=code("../scripts/ceilings.py", "numpy", "pyarrow", *TOKENIZER),
    script:
        "../scripts/ceilings.py"


rule questions:
    """A question in a cell a row, with every measure."""
    input:
        queries=f"{RESULTS}/queries.parquet",
        coverage=expand(f"{RESULTS}/coverage/{{cell}}.parquet", cell=CELLS),
        ceilings=expand(f"{RESULTS}/ceilings/{{split}}.parquet", split=SPLITS),
    output:
        f"{RESULTS}/questions.parquet",
    log:
        f"{RESULTS}/logs/questions.log",
    benchmark:
        f"{RESULTS}/benchmarks/questions.tsv"
    conda:
        "../environment.yml"
    params:
        splits=SPLITS,
        cells=PAIRS,
        measure=MEASURE,
        code=code("../scripts/questions.py", "numpy", "pyarrow"),
    script:
        "../scripts/questions.py"


rule metrics:
    """A cell a row: means, standard errors, the measures of its split, and costs."""
    input:
        questions=f"{RESULTS}/questions.parquet",
        measures=expand(f"{RESULTS}/splits/{{split}}.parquet", split=SPLITS),
        costs=sorted({file for _, of in COSTS for file, _ in of or []}),
    output:
        parquet=f"{RESULTS}/metrics.parquet",
        csv=report(
            f"{RESULTS}/metrics.csv",
            caption="captions/metrics.rst",
            category="Tables",
            labels={"what": "every cell"},
        ),
    log:
        f"{RESULTS}/logs/metrics.log",
    benchmark:
        f"{RESULTS}/benchmarks/metrics.tsv"
    conda:
        "../environment.yml"
    params:
        splits=SPLITS,
        costs=COSTS,
        measure=MEASURE,
        code=code("../scripts/metrics.py", "numpy", "pyarrow"),
    script:
        "../scripts/metrics.py"


rule intervals:
    """A pair of cells and a measure a row, once by question and once by article."""
    input:
        questions=f"{RESULTS}/questions.parquet",
        metrics=f"{RESULTS}/metrics.parquet",
    output:
        parquet=f"{RESULTS}/intervals.parquet",
        csv=report(
            f"{RESULTS}/intervals.csv",
            caption="captions/intervals.rst",
            category="Tables",
            labels={"what": "differences between cells"},
        ),
    log:
        f"{RESULTS}/logs/intervals.log",
    benchmark:
        f"{RESULTS}/benchmarks/intervals.tsv"
    conda:
        "../environment.yml"
    params:
        compare=config["compare"],
        measure=MEASURE,
        code=code("../scripts/intervals.py", "numpy", "pyarrow"),
    script:
        "../scripts/intervals.py"
