# Kupa's door for people. Needs Python 3.11 or newer with pip, git and make; the rest comes from requirements.lock.

BIN := .venv/bin
EXTERNAL := $(wildcard tests/external/test_*.py tests/external/*/test_*.py)

.PHONY: help setup serve test soak bench cover fmt lock
.SILENT:

help:
	echo 'make serve      start Kupa on http://127.0.0.1:8000 (KUPA_HOST, KUPA_PORT and the other settings are obeyed)'
	echo 'make test       format check, lint, types, tests: what a change must pass'
ifneq ($(EXTERNAL),)
	echo 'make test-all   the same, and the tests that need Debian or npm packages'
endif
	echo 'make soak       for five minutes: the service and PostgreSQL killed again and again under load, two servers on one database'
	echo 'make bench      moves a second over HTTP, SQLite and PostgreSQL; needs wrk (apt-get install wrk)'
	echo 'make cover      the tests again, with the branches of domain/ that none of them took; below 100 % it fails'
	echo 'make fmt        format, and mend what the linter can mend'
	echo 'make lock       bring requirements.lock in step with pyproject.toml; UPGRADE=--upgrade takes the newest'
	echo 'make setup      only make .venv, with the first Python of 3.11 or newer; PYTHON=... chooses one'

# The Python in .venv comes first, so that an environment that works is kept and only brought in step.
setup:
	for python in $(PYTHON) $(BIN)/python python3.13 python3.12 python3.11 python3 python; do \
	    if $$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        exec $$python .ci/environment.py; \
	    fi; \
	done; \
	echo 'setup: found no Python 3.11 or newer that can make virtual environments.' >&2; \
	echo 'setup: install one (on Debian and Ubuntu: apt-get install python3 python3-venv) or name it: make PYTHON=/path/to/python3.' >&2; \
	exit 1

serve: setup
	exec $(BIN)/kupa serve

# All four run even when one fails, so that one run shows everything; pytest speaks last.
test: setup
	failed=''; \
	$(BIN)/ruff format --check . || failed="$$failed format"; \
	$(BIN)/ruff check . || failed="$$failed lint"; \
	$(BIN)/mypy || failed="$$failed types"; \
	if [ -n "$$failed" ]; then echo "failed before the tests:$$failed"; fi; \
	$(BIN)/pytest -n 2 || failed="$$failed tests"; \
	[ -z "$$failed" ]

ifneq ($(EXTERNAL),)
.PHONY: test-all
test-all: test
	$(BIN)/pytest tests/external
endif

soak: setup
	KUPA_SOAK=1 $(BIN)/pytest tests/faults

bench: setup
	$(BIN)/python -m tests.bench.moves

cover: setup
	$(BIN)/pytest -n 2 --cov

fmt: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# uv resolves once for every Python and platform; it lives in a folder of its own, for it is needed here only.
lock: setup
	tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && \
	$(BIN)/python -m venv "$$tools" && "$$tools/bin/pip" install -qq 'uv>=0.9' && \
	"$$tools/bin/uv" pip compile pyproject.toml --extra test --universal --python-version 3.11 $(UPGRADE) \
	    --generate-hashes --no-emit-index-url --quiet --custom-compile-command 'make lock' -o requirements.lock
