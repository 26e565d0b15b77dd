PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
ECOSYSTEM := .venv-ecosystem
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test coverage mutants test-kernels test-oldest test-ecosystem fuzz fuzz-page test-slow lint format bench bench-speed bench-compare bench-peers bench-maps bench-balanced bench-number bench-cells bench-real bench-levels bench-scale results docs release-check browser browser-in-ci clean

help:
	@echo "make demo    clusters and a map of scikit-learn's digits on the screen and as a page, then all methods beside k-means and spectral clustering"
	@echo "make test    all tests but the slow ones (those of pages are skipped without Chromium; where CI is set, root installs it)"
	@echo "make coverage   the same tests, and which lines and branches of the package they run: fails below 95 %"
	@echo "make mutants   a sign or an index is changed at 200 random places of the numerics: how many do the tests notice? 35 minutes at most, and some before that to find out which tests reach which line"
	@echo "make test-kernels   the tests that compare numbers, under each kernel of OpenBLAS that this CPU can run"
	@echo "make test-oldest   the tests with the oldest versions that pyproject.toml allows"
	@echo "make test-ecosystem   the tests with scanpy, BERTopic, EVoC, toponymy, UMAP, Ray, Spark and xarray, in a venv of their own (2.5 GB)"
	@echo "make fuzz    cases that try to break estimators, files and models: an hour; CASES=1000 for a minute"
	@echo "make fuzz-page   write the tables of the last make fuzz to docs/reliability.md"
	@echo "make test-slow   every published table and figure, quickly (needs ANCHORGRAPH_DATA)"
	@echo "make docs    the documentation as a site in build/docs"
	@echo "make release-check   wheel and sdist, installed into clean venvs with the README run from them; PYTHONS=\"python3.12 python3.13\" for other interpreters, RELEASE=v0.2.0 to refuse what is not ready to be published"
	@echo "make browser   install Debian's Chromium, for the tests of the report (as root)"
	@echo "make lint    ruff, mypy, pyright's count of public types, and the import contracts"
	@echo "make bench   start-up of the program; speed and quality on MNIST, USPS, PenDigits, COIL-20 and COIL-100, and beside others on all data sets at hand: two hours or more (needs ANCHORGRAPH_DATA)"
	@echo "make bench-speed   the part of it that appends to the history of speed: some minutes (needs ANCHORGRAPH_DATA)"
	@echo "make bench-compare SINCE=HEAD~5   what has become slower or faster since that commit, by that history; measures nothing"
	@echo "make bench-peers   our clusterers beside FAISS, scikit-learn, UMAP, HDBSCAN and Leiden, on MNIST and 1,000,000 x 50: a table and the picture of the README; two hours, can be stopped and resumed (needs ANCHORGRAPH_DATA)"
	@echo "make bench-maps   AnchorMap beside PCA, UMAP and openTSNE on six sets of images and pen strokes, and on up to 10,000,000 rows: a table, and the picture of MNIST; an hour, can be stopped and resumed (needs ANCHORGRAPH_DATA)"
	@echo "make bench-balanced   BKHK's sizes and error beside k-means and k-means-constrained, as lists of a FAISS index, and from a file; outliers beside IsolationForest and LOF; and bench-number: an hour (needs ANCHORGRAPH_DATA)"
	@echo "make bench-number   how often the true number of clusters is found, beside silhouette, Calinski-Harabasz and the gap statistic: ten minutes (real data need ANCHORGRAPH_DATA)"
	@echo "make bench-cells   cells of an AnnData beside scanpy: neighbours and clusters of 100,000 and 1,000,000 made cells, in .venv-ecosystem: half an hour, can be stopped and resumed"
	@echo "make bench-real   Communities beside k-means, UMAP + k-means, FSC, Leiden and EVoC on every labelled data set at hand, with five seeds: a table; an hour or more, can be stopped and resumed (needs ANCHORGRAPH_DATA)"
	@echo "make bench-levels   clusters without a given number: Communities beside EVoC, PLSCAN, UMAP + HDBSCAN, Leiden, FSC and silhouettes, on real data, shapes, mixtures and rows without clusters: an hour or more, can be stopped and resumed (needs ANCHORGRAPH_DATA)"
	@echo "make bench-scale   data larger than memory, from files and on Dask, growth to a million rows, CSV and Parquet files as people have them, and the schedule of 10⁹ rows on 100 workers: two hours, 24 GB in TMPDIR (MNIST-extend needs ANCHORGRAPH_DATA)"
	@echo "make results   the papers' tables and figures beside ours, as pages: a day, can be stopped and resumed (needs ANCHORGRAPH_DATA)"

demo: $(VENV)/.program
	@mkdir -p build
	$(BIN)/anchorgraph demo --report build/demo.html

# the workers of pytest use all cores already: a third less time; test-kernels and test-oldest run with threads
test coverage: export OMP_NUM_THREADS ?= 1
test coverage: export OPENBLAS_NUM_THREADS ?= 1

test: $(VENV)/.test browser-in-ci
	$(BIN)/python -m pytest -n auto -m "not slow"

coverage: $(VENV)/.test $(VENV)/.coverage browser-in-ci
	$(BIN)/python -m pytest -n auto -m "not slow" --cov --cov-report=json:build/coverage/report.json
	@$(BIN)/python tests/least_covered.py build/coverage/report.json

SEED ?= 0
COUNT ?= 200
MINUTES ?= 35
mutants: $(VENV)/.test $(VENV)/.coverage
	$(BIN)/python tests/mutants.py --count $(COUNT) --seed $(SEED) --minutes $(MINUTES)

test-kernels: $(VENV)/.test
	$(BIN)/python tests/kernels.py

# what new packages say to old ones is not for us
test-oldest: $(OLDEST)/.test
	$(OLDEST)/bin/python -m pytest -n auto -m "not slow" -W ignore::DeprecationWarning

test-ecosystem: $(ECOSYSTEM)/.test
	$(ECOSYSTEM)/bin/python -m pytest -n auto tests/ecosystem

CASES ?= 100000
fuzz: $(VENV)/.test
	@mkdir -p build
	@failed=0; for suite in estimators:$(CASES) files:$$(($(CASES) / 5)) models:$$(($(CASES) / 5)); do \
		PYTHONPATH=tests $(BIN)/python -m fuzz $${suite%:*} --cases $${suite#*:} --seed $(SEED) --json build/fuzz-$${suite%:*}.json || failed=1; \
	done; exit $$failed

fuzz-page: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python -m fuzz table build/fuzz-estimators.json build/fuzz-files.json build/fuzz-models.json --page docs/reliability.md

test-slow: $(VENV)/.test
	$(BIN)/python -m pytest -n auto -m slow

lint: $(VENV)/.lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/public_types.py

format: $(VENV)/.lint
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench-speed: $(VENV)/.package
	$(BIN)/python benchmarks/speed.py

bench: bench-speed $(VENV)/.bench $(VENV)/.program
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/foundation.py
	$(BIN)/python benchmarks/embeddings.py
	$(BIN)/python benchmarks/clusterers.py
	$(BIN)/python benchmarks/supervised.py
	$(BIN)/python benchmarks/shapes.py
	$(BIN)/python benchmarks/row_graph.py
	$(BIN)/python benchmarks/communities.py
	$(BIN)/python benchmarks/real.py --again
	$(BIN)/python benchmarks/wide_sparse.py
	$(BIN)/python benchmarks/maps.py mnist --again

bench-compare: $(VENV)/.package
	@test -n "$(SINCE)" || { echo "make bench-compare SINCE=<commit>"; exit 1; }
	@$(BIN)/python benchmarks/compare_speed.py "$(SINCE)"

bench-peers: $(VENV)/.peers
	$(BIN)/python benchmarks/peers.py

bench-maps: $(VENV)/.peers
	$(BIN)/python benchmarks/maps.py
	$(BIN)/python benchmarks/maps.py --picture

bench-balanced: $(VENV)/.balanced
	$(BIN)/python benchmarks/balanced.py
	$(BIN)/python benchmarks/outliers.py
	$(BIN)/python benchmarks/how_many.py

bench-number: $(VENV)/.package
	$(BIN)/python benchmarks/how_many.py

bench-cells: $(ECOSYSTEM)/.tutorials
	$(ECOSYSTEM)/bin/python benchmarks/single_cells.py

bench-real: $(VENV)/.real
	$(BIN)/python benchmarks/real.py
	$(BIN)/python benchmarks/real.py --table

bench-levels: $(VENV)/.levels
	$(BIN)/python benchmarks/levels.py
	$(BIN)/python benchmarks/levels.py --times

bench-scale: $(VENV)/.scale
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/growth.py --extend --sample
	$(BIN)/python benchmarks/formats.py
	$(BIN)/python benchmarks/rehearsal.py

results: $(VENV)/.program
	@mkdir -p build
	test -f build/reproduced.jsonl || gunzip -c docs/results/records.jsonl.gz > build/reproduced.jsonl
	$(BIN)/anchorgraph reproduce --enough 300 --limit 600 --memory 12 --shared build/shared --records build/reproduced.jsonl --report build/results.html --quiet
	$(BIN)/anchorgraph reproduce --show --records build/reproduced.jsonl --report docs/results/tables.md --quiet
	gzip -9 -n -c build/reproduced.jsonl > docs/results/records.jsonl.gz

docs: $(ECOSYSTEM)/.docs
	$(ECOSYSTEM)/bin/sphinx-build -W -q -b html docs build/docs
	@echo "begin at build/docs/index.html"

release-check: $(VENV)/.release
	$(BIN)/python tests/release_check.py $(addprefix --python ,$(PYTHONS)) $(addprefix --release ,$(RELEASE))

HAS_BROWSER := command -v chromium > /dev/null && command -v chromedriver > /dev/null

browser:
	$(HAS_BROWSER) || { apt-get update -q && apt-get install -y -q --no-install-recommends chromium chromium-driver; }

# nobody's own machine gets packages that were not asked for
browser-in-ci:
	@if $(HAS_BROWSER); then :; \
	elif [ -n "$$CI" ] && [ "$$(id -u)" = 0 ]; then $(MAKE) --no-print-directory browser || echo "No Chromium: the tests of pages are skipped."; \
	else echo "No Chromium: the tests of pages are skipped; as root on Debian, 'make browser' installs it."; fi

clean:
	rm -rf $(VENV) $(OLDEST) $(ECOSYSTEM) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

# --group needs pip 25.1
$(VENV)/.pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.package: $(VENV)/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# the tests read every kind of source
$(VENV)/.test: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable ".[cli,dask,faiss,io,plot,report]" --group test
	@touch $@

$(OLDEST)/.test: pyproject.toml tests/oldest.py
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(OLDEST)/bin/python tests/oldest.py > $(OLDEST)/oldest.txt
	$(OLDEST)/bin/python -m pip install --quiet --constraint $(OLDEST)/oldest.txt --editable ".[anndata,cli,dask,faiss,io,plot,report]" --group test
	@touch $@

# BERTopic's own dependencies bring PyTorch, which topics of given embeddings do not need; the others are in the group
$(ECOSYSTEM)/.tutorials: pyproject.toml
	$(PYTHON) -m venv $(ECOSYSTEM)
	$(ECOSYSTEM)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(ECOSYSTEM)/bin/python -m pip install --quiet --editable ".[all]" --group tutorials
	$(ECOSYSTEM)/bin/python -m pip install --quiet --no-deps "bertopic>=0.17.1"
	@touch $@

$(ECOSYSTEM)/.test: $(ECOSYSTEM)/.tutorials
	$(ECOSYSTEM)/bin/python -m pip install --quiet --group ecosystem --group test
	@touch $@

$(ECOSYSTEM)/.docs: $(ECOSYSTEM)/.tutorials
	$(ECOSYSTEM)/bin/python -m pip install --quiet --group docs
	@touch $@

$(VENV)/.program: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable ".[cli,report]"
	@touch $@

$(VENV)/.scale: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable ".[cli,dask,io]"
	@touch $@

$(VENV)/.%: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@
