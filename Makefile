# make demo    makes a world, plays games in it, judges them, ends with a report
# make check   style, types, the house's walls, docs, spelling
# make test    the whole test suite
# make bench   speeds beside their rivals, written to bench/results.json
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Debian keeps Python's venv module in a package of its own; root gets it installed, others are told.
VENV_MODULE = { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing Debian's python3-venv" \
	&& apt-get update -qq && apt-get install -y -qq python3-venv; } \
	|| { echo "Python has no venv module: on Debian, apt-get install python3-venv"; exit 2; }

# The tests of the real WordNet are passed over where there is none: root gets Debian's, others are told.
WORDNET = [ -e /usr/share/wordnet/data.noun ] || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& echo "installing Debian's wordnet-base" && apt-get update -qq && apt-get install -y -qq wordnet-base >/dev/null; } \
	|| echo "no WordNet: its tests are passed over (on Debian, apt-get install wordnet-base)"

.PHONY: help demo check test bench docs constraints clean

help:
	@sed -n '1,4s/^# //p' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Referee needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 2; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(VENV_MODULE)
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -q -c constraints.txt -e '.[report]'
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) install -q -c constraints.txt -e '.[report,text,neural,wordnet,dev]'
	@touch $@

demo: $(VENV)/.demo
	@$(BIN)/referee demo

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: $(VENV)/.dev
	@$(WORDNET)
	$(BIN)/python -m pytest -n 2 --durations=10

bench: $(VENV)/.dev
	$(BIN)/python bench/run.py

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# what a fresh resolution gives today, for constraints.txt; torch stays at the build that pip finds for the CPU
constraints:
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -q torch==2.13.0
	$(PIP) install -q -e '.[all,dev]' torch==2.13.0
	$(PIP) freeze --exclude-editable --exclude referee | sed "s/^torch==.*/torch==2.13.0/" > constraints.txt

clean:
	rm -rf $(VENV) site dist demo
