# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
# Needed: Python >= 3.11 with venv, git, make and a C compiler. Nothing here needs root or a running server.

SHELL  := /bin/bash
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# The first Python on the path that is new enough; PYTHON=… chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
# One process more than there are processors: many tests wait for servers and browsers.
JOBS   ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
ARGS   ?=
GATE_DIR ?=
# The checker is inside its wheel; without this it would ask the network whether there is a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1
# Some machines forbid it; then each of the many processes of a test run compiles every module for itself.
export PYTHONDONTWRITEBYTECODE =
# The type checkers run side by side; a make that can do it keeps what each of them says together.
SIDE_BY_SIDE = --no-print-directory --jobs 2 --keep-going $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.DEFAULT_GOAL := help
.PHONY: help install demo test check mypy pyright imports soak bench gate schemas docs fixtures catalogs format build clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1	\2/' | expand -t 18

install: $(STAMP) ## make .venv and install into it

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "No Python >= 3.11 on the path. Install one, or say: make install PYTHON=/path/to/python"; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make a virtual environment. Debian: apt install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP) ## play a whole game by mail on this machine (ARGS="--players 4 --seed … --keep DIR")
	@$(BIN)/python -m pbem.demo $(ARGS)

test: $(STAMP) ## the whole test suite (ARGS="tests/log -k chain" for a part)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

check: $(STAMP) ## format, lint, types, import contracts; make says which of them failed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) $(SIDE_BY_SIDE) pyright mypy imports

mypy: $(STAMP)
	$(BIN)/mypy

pyright: $(STAMP)
	$(BIN)/pyright --project pyproject.toml

imports: $(STAMP)
	$(BIN)/lint-imports

soak: $(STAMP) ## the long tests: many seeds, many examples
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --soak --hypothesis-profile=soak $(ARGS)

bench: $(STAMP) ## ratios measured side by side, into bench/results.json
	@$(BIN)/python -c "import chess, catanatron" 2>/dev/null || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]' || \
		echo "make bench: python-chess and catanatron cannot be installed; their figures are left out"
	@$(BIN)/python -m bench $(ARGS)

gate: $(STAMP) ## play every archive of fixtures/games again, byte for byte (GATE_DIR=… for a folder more)
	@$(BIN)/python -m pbem.cli.gate fixtures/games $(GATE_DIR)

schemas: $(STAMP) ## write schemas/ anew from the Structs
	@$(BIN)/python -m pbem.cli.schemas schemas

docs: $(STAMP) ## write docs/refusals.md anew from the tables of codes
	@$(BIN)/python -m pbem.cli.refusals_page docs/refusals.md

fixtures: $(STAMP) ## write fixtures/ anew, byte for byte
	@$(BIN)/python -m fixtures.make $(ARGS)

catalogs: $(STAMP) ## bring the translations up to date (ARGS="--missing new.json" or "--take new.json")
	@$(BIN)/python -m fixtures.catalogs $(ARGS)

format: $(STAMP) ## format and sort imports
	$(BIN)/ruff check --select I --fix .
	$(BIN)/ruff format .

build: $(STAMP) ## wheel and source archive into dist/
	@rm -rf dist
	@$(BIN)/python -m hatchling build

clean: ## remove everything that is made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
