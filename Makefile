# `make` measures the sample corpus, `make test` runs the tests; both set up .venv first.
PYTHON ?= python3
CORES ?= 2
BIN := .venv/bin

.PHONY: run test test-browser check bench bench-full lock clean

run: .venv/ready
	@touch .venv/started
	$(BIN)/snakemake --cores $(CORES)
	@# A run prints the answer; where there was nothing to do, it is printed here.
	@if [ results/summary.txt -ot .venv/started ]; then cat results/summary.txt; fi

test: .venv/ready
	$(BIN)/python -m pytest

# Looks at the report in a real browser: wants Chromium installed (Debian: apt-get install chromium).
test-browser: .venv/browser
	$(BIN)/python -m pytest tests/browser -n 0

# What CI asks besides the tests.
check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/mypy
	$(BIN)/snakemake --lint --configfile config/sweep.yaml

# How fast, beside other libraries (docs/benchmarks.md): on the sample, or ARTICLES='pages/*.html'.
bench: .venv/ready
	$(BIN)/python benchmarks/bench.py $(if $(ARTICLES),--articles '$(ARTICLES)')

# The whole table, written into docs/benchmarks.md: make bench-full ARTICLES='pages/*.html', a large corpus.
bench-full: .venv/ready
	$(if $(ARTICLES),,$(error say on which articles: make bench-full ARTICLES='pages/*.html'))
	$(BIN)/python benchmarks/bench.py --articles '$(ARTICLES)' --full --rounds 5 --out docs/benchmarks.md

.venv/ready: requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else "chunkgrid needs Python 3.11 to 3.13, and $(PYTHON) is %d.%d: make PYTHON=python3.12" % v)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/browser: requirements-browser.lock .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-browser.lock
	@touch $@

# Pins every package, with hashes, for Python 3.11 to 3.13; what only the browser's tests want by itself.
COMPILE = .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-strip-extras --custom-compile-command "make lock" pyproject.toml
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(COMPILE) $(addprefix --extra ,progress tokens peers dense bench dev) -o requirements.lock
	$(COMPILE) --extra browser -c requirements.lock -o requirements-browser.lock
	rm -rf .venv-lock

clean:
	rm -rf .venv .snakemake results/*/ results/*.*sv results/*.parquet results/*.txt
