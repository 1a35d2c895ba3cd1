# Everything a person or CI runs. Nothing outside this folder is touched but pip's own cache.
.PHONY: demo fuzz test test-slow test-clients lint types contracts check bench clean

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
CLIENTS := .venv-clients
# One worker more than cores: many tests wait for a program or a server.
WORKERS = $(shell $(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 1)')
BENCH := .venv-bench

# The package alone: what a user of kit gets.
$(VENV)/.kit: pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: kit needs Python 3.11 or newer; name one with PYTHON=/path/to/python3.12" >&2; exit 4; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -U "pip>=25.1"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

# What the tests, and what the linters need beside it.
$(VENV)/.test: $(VENV)/.kit
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group test
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	@$(BIN)/python -m pip install -q --disable-pip-version-check --group lint
	@touch $@

demo: $(VENV)/.kit  ## replay, record from the stub model, change a prompt: the whole product without model, key or network
	@PATH="$(CURDIR)/$(BIN):$$PATH" docs/demo.sh

test: $(VENV)/.test  ## the whole suite
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-slow: $(VENV)/.test  ## what takes longer than the suite may
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m slow

# The clients of models stay apart: their pins and their pytest plugins never reach the suite.
$(CLIENTS)/.kit: pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: kit needs Python 3.11 or newer; name one with PYTHON=/path/to/python3.12" >&2; exit 4; }
	@test -x $(CLIENTS)/bin/python || "$(PYTHON)" -m venv $(CLIENTS)
	@$(CLIENTS)/bin/python -m pip install -q --disable-pip-version-check -U "pip>=25.1"
	@$(CLIENTS)/bin/python -m pip install -q --disable-pip-version-check -e . --group clients
	@touch $@

test-clients: $(CLIENTS)/.kit  ## every client and framework of docs/clients.md, recorded and replayed
	@$(CLIENTS)/bin/python -W ignore -m pytest -q -W ignore -p no:unraisableexception -p no:cacheprovider tests/clients

# A peer of the benchmarks brings a pytest plugin, which must not enter the suite's venv.
$(BENCH)/.kit: pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: kit needs Python 3.11 or newer; name one with PYTHON=/path/to/python3.12" >&2; exit 4; }
	@test -x $(BENCH)/bin/python || "$(PYTHON)" -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install -q --disable-pip-version-check -U "pip>=25.1"
	@$(BENCH)/bin/python -m pip install -q --disable-pip-version-check -e . --group test --group bench
	@touch $@

bench: $(BENCH)/.kit  ## speed as ratios against a floor in the same run
	@$(BENCH)/bin/python -m tests.bench

fuzz: $(VENV)/.test  ## parsers of scenarios, cassettes, journals and wire against mutated input; SECONDS=3600 for an hour
	@$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),60)

lint: $(VENV)/.lint
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml

types: $(VENV)/.lint
	@$(BIN)/mypy

contracts: $(VENV)/.lint
	@$(BIN)/lint-imports

check: lint types contracts test
	@$(BIN)/kit replay
	@$(BIN)/kit golden --mode replay
	@$(BIN)/kit scan cassettes

clean:
	rm -rf $(VENV) $(CLIENTS) $(BENCH) .kit .pytest_cache .mypy_cache .ruff_cache .hypothesis
