# Two commands do everything on a machine with python3, pip, g++ and make: `make demo` and `make test`.
# The first run sets up .venv and builds the core; stamps in .venv let the next one start at once.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
unexport PYTHONDONTWRITEBYTECODE   # else every process that a test starts compiles the package again

export PYTHON ?= python3
PY := .venv/bin/python
PIP := tools/pip.sh
NATIVE := CMakeLists.txt $(shell find native -type f 2>/dev/null)
CPP := $(filter %.cpp %.hpp,$(NATIVE))
PYTEST_ARGS ?= -n $(WORKERS) --dist worksteal
BESIDE ?= ../shared
TIMES ?= 30
# one more than there are cores: browsers, databases and clusters are waited for
WORKERS := $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))

.PHONY: help demo test test-recorded test-random test-all ready browser web lint types size format bench accuracy model-trees sizes rule-sets docs screenshot docs-update fuzz-files sanitize clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | awk -F ':.*## ' '{ printf "  make %-14s %s\n", $$1, $$2 }'

demo: .venv/.package ## the whole story on a bundled table: check, fit, show, explain, predict
	@$(PY) -m treewright demo

test: ready ## every check: tests, lint, types, sizes
	@$(PY) -m pytest -q $(PYTEST_ARGS)
	@$(MAKE) -j2 lint types size

test-recorded: .venv/.package .venv/.dev ## the tests of recorded cases and real tables on all that the folder BESIDE=../shared has
	@[ -d "$(BESIDE)/golden" ] || { echo "BESIDE must be a folder with golden/ and data/. Got $(BESIDE)."; exit 1; }
	@TREEWRIGHT_BESIDE="$(abspath $(BESIDE))" $(PY) -m pytest -q -m "recorded and not slow" $(PYTEST_ARGS)

test-random: .venv/.package .venv/.dev ## new drawn cases, TIMES=30 as many as usual; a failure prints how to repeat it
	@TREEWRIGHT_PROFILE=random TREEWRIGHT_TIMES=$(TIMES) $(PY) -m pytest -q -m "hypothesis and not slow" --timeout 3600 $(PYTEST_ARGS)

test-all: ready ## the slow and exhaustive tests too
	@$(PY) -m pytest -q -m "" $(PYTEST_ARGS)

ready: # what all tests need: packages and the browser are installed while the core is built
	@$(MAKE) -j2 .venv/.package .venv/.dev .venv/.web browser

# without a browser the tests of the page fail, rather than be skipped
test test-all: export TREEWRIGHT_BROWSER = required

browser: ## install the browser that the page is tested in
	@tools/browser.sh >/dev/null

web: .venv/.web ## build the page of reports from its source in web/
	@cd web && export PATH="$(CURDIR)/.venv/bin:$$PATH" && npx tsc --noEmit && node build.mjs

lint: .venv/.dev ## ruff, clang-format, and the one-way flow of imports
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet . || { echo "make format puts these files in shape"; exit 1; }
	@$(if $(CPP),.venv/bin/clang-format --dry-run --Werror $(CPP))
	@said=$$(PYTHONPATH=src .venv/bin/lint-imports --no-cache 2>&1) || { echo "$$said"; exit 1; }
	@echo "lint: clean"

types: .venv/.dev ## mypy --strict
	@$(PY) -m mypy

size: .venv/.python ## files and functions that have grown too long
	@$(PY) tools/size.py

format: .venv/.dev ## rewrite the sources in the house's layout
	@$(PY) -m ruff check --quiet --fix-only . && $(PY) -m ruff format --quiet .
	@$(if $(CPP),.venv/bin/clang-format -i $(CPP))

BENCH_ARGS ?= --write
bench: .venv/.package .venv/.bench ## measure speed beside other libraries, and write docs/benchmarks.md and the README's table
	@$(PY) -m benchmarks $(BENCH_ARGS)

accuracy: .venv/.package .venv/.bench ## measure accuracy beside other libraries, and write docs/accuracy.md and the README's table
	@$(PY) -m benchmarks.tables --write
model-trees: .venv/.package .venv/.bench ## compare R² of linear leaves, M5P and Cubist on many tables (DATA=folder)
	@$(PY) -m benchmarks.model_tree_tables $(if $(DATA),--data $(DATA))

sizes: .venv/.package .venv/.bench ## compare the simple and the best tree of fit on many tables (DATA=folder)
	@$(PY) -m benchmarks.sizes $(if $(DATA),--data $(DATA))

rule-sets: .venv/.package .venv/.bench ## compare trees with their simplified rules on many tables (DATA=folder), and write docs/rule-sets.md
	@$(PY) -m benchmarks.rule_sets --write $(if $(DATA),--data $(DATA))

screenshot: .venv/.package .venv/.dev browser ## the picture of the report page, docs/img/report.png
	@$(PY) tools/screenshots.py

docs: .venv/.package .venv/.docs ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet && echo "open site/index.html"

docs-update: .venv/.package .venv/.docs ## renew the printed output and the pictures of the documentation
	@$(PY) docs/pictures.py
	@$(PY) -m tools.doc_pages --write

fuzz-files: .venv/.package .venv/.dev ## 100,000 damaged model files: each loads or is refused
	@$(PY) -m tools.fuzz_files $(FUZZ_ARGS)

sanitize: .venv/.package .venv/.dev ## the tests under the address, undefined-behaviour and thread sanitizers
	@tools/sanitize.sh $(PYTEST_ARGS)

clean: ## remove everything that make has made
	@rm -rf .venv build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} +

.venv/.python: tools/venv.sh
	@tools/venv.sh $(PYTHON)
	@touch $@

.venv/.runtime: .venv/.python pyproject.toml
	@echo "installing what the package and its build need ..."
	@$(PIP) install $$($(PY) tools/requirements.py build run)
	@touch $@

.venv/.package: .venv/.runtime pyproject.toml $(NATIVE)
	@echo "building the core ..."
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.web: .venv/.dev web/package.json web/package-lock.json
	@echo "installing what the page is built with ..."
	@cd web && PATH="$(CURDIR)/.venv/bin:$$PATH" npm ci --silent
	@touch $@

# .venv/.dev .venv/.bench .venv/.docs: the extras of pyproject.toml
.venv/.dev .venv/.bench .venv/.docs: .venv/.%: .venv/.python pyproject.toml | .venv/.runtime
	@echo "installing the packages of the extra '$*' ..."
	@$(PIP) install $$($(PY) tools/requirements.py $*)
	@touch $@
