# Each target makes what it needs and is quick the second time.
#   make demo    the main job on pages the package carries
#   make test    the whole test suite (also what continuous integration runs)
#   make hosts   environments with the lowest and newest versions of the plug-ins' hosts (part of `make test`)
#   make check   format, lint and types of Python, lint of JavaScript
#   make docs    docs/ as a web site in build/site
#   make bench   the measured figures of the README
#   make fuzz    INPUTS mutated inputs over every parser (default: 100000); finds are kept in build/fuzz
#   make clean-machines  wheel and source archive in empty environments, each extra alone, lowest versions
#   make audit   published advisories for the lowest versions that pyproject.toml allows (needs the network)
#   make mutation  SAMPLE changes of each module of the engine that its tests should notice (default: 20)
#   make coverage  lines and branches that the tests of TESTS reach (default: all), those of the programs they start too
#   make faults  `collect` ended at random moments, RUNS runs of each kind with 4 ends each (default: 13)

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes half of pip's time and compiles on every core; it reads no settings of pip, so pip installs where uv cannot.
install = $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --constraint constraints.txt --editable '$(1)' 2>/dev/null \
  || $(PIP) --constraint constraints.txt --editable '$(1)'
FOR_DEMO := .[collect,evaluate,documents,semantic]
DEBIAN := chromium chromium-driver faketime wordnet-base mythes-en-us mythes-fr mythes-ar fonts-noto-core nodejs zsh fish
JAVASCRIPT := evaluation/report reducepp/service/page extras tests
# One more than cores: tests also wait for browsers and servers.
WORKERS ?= $(shell expr $$(nproc) + 1)
# Every program that a test starts would compile the source again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test hosts check docs faults fuzz clean-machines audit mutation coverage bench format setup debian clean

setup: $(VENV)/.ready

$(VENV)/.ready: $(VENV)/.demo-ready
	@echo "installing everything else" >&2
	@$(call install,.[dev])
	@touch $@

# What the demo needs is less than all: who only looks waits less.
$(VENV)/.demo-ready: pyproject.toml constraints.txt
	@echo "setting up $(VENV)" >&2
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { apt-get update -q && apt-get install -y -q python3-venv && $(PYTHON) -m venv $(VENV); }
	@$(PIP) --constraint constraints.txt --upgrade 'pip>=25' uv
	@$(call install,$(FOR_DEMO))
	@touch $@

# Browser, WordNet, thesauri and Node, where we may install them; tests that need a missing one say so.
debian:
	@missing=""; for p in $(DEBIAN); do dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'install ok' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing$$missing" >&2; \
	    apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null; \
	  else echo "not installed (needs root and apt):$$missing" >&2; fi; fi

demo: $(VENV)/.demo-ready
	@$(BIN)/python -m reducepp demo

test: setup debian hosts
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Built once; the tests of the docs' examples run in them.
hosts: setup
	@$(BIN)/python -m tests.reducepp.plugins.host_environments

check: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/oxlint --quiet --deny-warnings $(JAVASCRIPT)

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

faults: setup debian
	@REDUCEPP_FAULT_RUNS=$(or $(RUNS),13) $(BIN)/python -m pytest -n $(WORKERS) tests/scraping/test_resume.py tests/scraping/test_hostile_collect.py tests/scraping/store/test_store_trouble.py

# Coverage guidance by atheris, where it can be installed; without it inputs are only mutated.
fuzz: setup
	@$(PIP) atheris || true
	@$(BIN)/python -m tests.fuzz --inputs $(or $(INPUTS),100000)

clean-machines: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.clean_machines

audit: setup
	@$(PIP) pip-audit
	@mkdir -p build && $(BIN)/uv pip compile --quiet --system-certs --resolution lowest-direct --extra all pyproject.toml --output-file build/lowest.txt
	@$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement build/lowest.txt

mutation: setup
	@$(PIP) cosmic-ray
	@$(BIN)/python -m tests.mutation --sample $(or $(SAMPLE),20)

coverage: setup debian
	@$(PIP) coverage
	@$(BIN)/python -m coverage run -m pytest -n $(WORKERS) $(TESTS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

docs: setup
	@$(PIP) mkdocs-material
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: setup
	@$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
