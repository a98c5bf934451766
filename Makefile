# Every target works from a fresh clone, alone, without an activated environment and without a
# terminal. ARGS is handed to the program: `make demo ARGS="--help"`, `make test ARGS="-k odessa"`.

SHELL := bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
PROTOS := protos/kozyr/v1 $(wildcard protos/kozyr/v1/*.proto)
PACKAGES := kozyr/__init__.py $(wildcard services/*/__init__.py plugins/*/__init__.py)
CACHES := .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
NODE_PLUGIN := examples/plugin-node
ARGS ?=

# Stamps: each says that its step was finished with these inputs.
ENVIRONMENT := .venv/.environment
DEPENDENCIES := .venv/.dependencies
INSTALLED := .venv/.installed
NODE_MODULES := $(NODE_PLUGIN)/node_modules/.installed

.PHONY: help setup proto native node demo test test-native check check-style check-types check-imports check-protos \
	check-breaking format bench soak pins dist clean distclean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-16s %s\n", $$1, $$2}' Makefile

# --- setting up ---------------------------------------------------------------------------------

setup: $(INSTALLED) ## Make .venv, install the pinned packages and kozyr itself, generate protobuf

proto: $(INSTALLED) ## Generate kozyr/v1 from protos/ (part of setup; only when a proto is newer)

native: $(INSTALLED) ## Compile the rules in place, as a wheel has them (needs gcc and python3-dev)
	@$(BIN)/python setup.py -q build_ext --inplace

node: $(NODE_MODULES) ## Install what the example of a plugin in JavaScript needs

$(NODE_MODULES): $(DEPENDENCIES) $(NODE_PLUGIN)/package.json
	@cd $(NODE_PLUGIN) && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --no-audit --no-fund \
		--no-package-lock --silent || { \
		echo 'The packages of $(NODE_PLUGIN) could not be installed: is the npm registry reachable?' >&2; \
		exit 1; \
	}
	@touch $@

# The environment, made by the first Python that is new enough. A step that fails says what to
# install.
$(ENVIRONMENT):
	@python=$$(for candidate in python3 python3.11 python3.12 python3.13 python3.14; do \
		if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo $$candidate; \
			break; \
		fi; \
	done); \
	if [ -z "$$python" ]; then \
		echo 'kozyr needs Python 3.11 or newer. On Debian 12: apt install python3 python3-venv' >&2; \
		exit 1; \
	fi; \
	if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "$$python cannot make environments. On Debian: apt install python3-venv" >&2; \
		exit 1; \
	fi; \
	$$python -m venv .venv
	@touch $@

$(DEPENDENCIES): $(ENVIRONMENT) constraints.txt
	@echo 'Installing the pinned packages into .venv'
	@$(PIP) install --require-hashes -r constraints.txt || { \
		echo 'The pinned packages could not be installed: is the package index reachable?' >&2; \
		echo 'A package without a wheel for this machine needs: apt install gcc python3-dev' >&2; \
		exit 1; \
	}
	@touch $@

# PACKAGES, because an editable install knows the packages there were when it was made.
$(INSTALLED): $(DEPENDENCIES) pyproject.toml setup.py $(PACKAGES) $(PROTOS)
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# --- using it -----------------------------------------------------------------------------------

demo: $(INSTALLED) ## Play one whole match of four bots through the real services
	@$(BIN)/kozyr demo $(ARGS)

# With ARGS, only the tests that these name.
test: $(INSTALLED) ## Run every test that needs no container, those of the rules compiled too
	@$(MAKE) node || echo 'The tests of $(NODE_PLUGIN) are skipped'
	@$(BIN)/pytest --numprocesses auto --dist loadfile $(ARGS)
	@$(if $(ARGS),,$(BIN)/python -m tests.native)

test-native: $(INSTALLED) ## … only the tests of the rules, compiled, in a copy of the tree
	@$(BIN)/python -m tests.native $(ARGS)

bench: $(INSTALLED) ## Measure rules and services, with the ratios to their baselines
	@$(BIN)/python -m benchmarks $(ARGS)

soak: $(INSTALLED) ## Run the long fault, load and differential tests
	@HYPOTHESIS_PROFILE=soak $(BIN)/pytest -m soak --timeout 0 $(ARGS)
	@$(if $(ARGS),,$(BIN)/python -m tests.native -m soak --timeout 0 tests/native)

# --- checking -----------------------------------------------------------------------------------

check: check-style check-types check-imports check-protos check-breaking ## Everything CI checks, but the tests

check-style: $(INSTALLED) ## … ruff: style and layout
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

check-types: $(INSTALLED) ## … mypy --strict over code, tests and benchmarks
	@$(BIN)/mypy

check-imports: $(INSTALLED) ## … import-linter: who may import whom
	@$(BIN)/lint-imports --no-logo

check-protos: $(INSTALLED) ## … buf: names and comments in protos/
	@$(BIN)/buf lint
	@echo 'Protos: no complaint'

# Compares with the newest release or, before the first, with the main branch.
check-breaking: $(INSTALLED) ## … buf: nothing that was released is broken
	@base=$$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null || \
		git merge-base HEAD origin/main 2>/dev/null || \
		git merge-base HEAD main 2>/dev/null); \
	if ! git cat-file -e "$$base:protos" 2>/dev/null; then \
		echo 'Protos: no earlier version to compare with'; \
		exit; \
	fi; \
	set -eo pipefail; \
	before=$$(mktemp -d); \
	trap 'rm -rf "$$before"' EXIT; \
	git archive "$$base" protos | tar -x -C "$$before"; \
	$(BIN)/buf breaking --against "$$before" --against-config buf.yaml; \
	echo "Protos: nothing that worked at $$base is broken"

format: $(INSTALLED) ## Let ruff mend what it can and lay out the code
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

# --- releasing and cleaning ---------------------------------------------------------------------

dist: $(INSTALLED) ## Build the wheel and the sdist into dist/
	@rm -rf build dist
	@$(BIN)/python -m build --no-isolation --outdir dist .

pins: $(INSTALLED) ## Choose the versions and hashes in constraints.txt anew
	@$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-annotate --custom-compile-command 'make pins' \
		--quiet --output-file constraints.txt

clean: ## Remove everything built, generated or cached; keep .venv
	@rm -rf build dist *.egg-info kozyr/v1 $(NODE_PLUGIN)/node_modules $(CACHES) $(INSTALLED)
	@find . -path ./.venv -prune -o -path ./.git -prune \
		-o -name __pycache__ -prune -exec rm -rf {} + -o -name '*.so' -exec rm -f {} +

distclean: clean ## Remove .venv too
	@rm -rf .venv
