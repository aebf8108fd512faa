# Commands for players and developers; `make help` lists them.
# Each target creates the environment first if it is missing or out of date.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run play test proof browser postgres soak golden lint format bench fuzz differential docs node picture clean

ENV := .venv
BIN := $(ENV)/bin
# The environment is built in two stages: what running needs, and then what developers need.
RUNNABLE := $(ENV)/.runnable
READY := $(ENV)/.ready

# The first Python that is new enough; choose another with `make PYTHON=… test`.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start Handful hundreds of times; without bytecode each start takes twice as long.
unexport PYTHONDONTWRITEBYTECODE

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUNNABLE) ## open the table in your browser; ARGS=--lan for friends on the same network
	@$(BIN)/handful serve --open $(ARGS)

play: $(RUNNABLE) ## play in the terminal
	@$(BIN)/handful $(ARGS)

test: $(READY) browser postgres node ## test every feature, browser included, in 6 minutes; ARGS='-k odds' is passed to pytest
	@$(call NODE,node --test $(wildcard tests/js/*.test.js),the tests of the pages' modules)
	$(PYTEST) -m "not proof" $(ARGS)

proof: $(READY) browser postgres ## run the long proofs in 10 minutes: seed sweeps, kills, load, every screen, the solver twice
	HANDFUL_PROOF=1 $(PYTEST) -m "proof or sampled" $(ARGS)
	$(if $(ARGS),,HANDFUL_CHECK=1 $(PYTEST) -q -m "not proof" $(CHECKED))

# Two workers more than cores, because browser tests wait a lot: with one more, two cores were idle for a
# quarter of the time.  A worker that has finished takes over half of the tests another has left.
PYTEST := $(BIN)/pytest -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2) --dist worksteal

# Solver tests that `make proof` repeats with every answer computed twice and compared.
CHECKED := $(addprefix tests/solver/test_, $(addsuffix .py, cookbook explore families generated_python \
	order_independence policies random_rules survey unbounded_rolls))

# Browser tests use Debian's Chromium. As root on Debian or Ubuntu this installs it; elsewhere the
# tests are skipped and the end of the run says so. With CI set, a missing browser fails them.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
		|| { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
			--no-install-recommends chromium; } || true

# Tests of tables in PostgreSQL start a private cluster with the programs of Debian's package, which are
# installed like Chromium.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
		|| [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
		|| { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
			--no-install-recommends postgresql; } || true

# The pages need no build; Node and npm only check them. They are installed like Chromium; where they are
# missing, what needs them is skipped with a note. With CI set, that fails.
node:
	@command -v npm >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
		|| { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
			--no-install-recommends nodejs npm; } || true

TSC := node_modules/.bin/tsc
NODE = if command -v npm >/dev/null; then $(MAKE) -s node_modules/.ready && { $(1); }; \
	elif [ -n "$$CI" ]; then echo "There is no npm, so that $(2) cannot be checked." >&2; exit 1; \
	else echo "Not checked: $(2), for there is no npm. On Debian and Ubuntu: apt-get install nodejs npm."; fi

# No lock file: it would name a package index on every line. Each version is exact in package.json.
node_modules/.ready: package.json
	@echo "Installing what checks the pages (node_modules) …"
	@rm -rf node_modules
	@npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

soak: $(READY) ## send a million random commands to tables
	HANDFUL_SOAK=1000000 $(BIN)/pytest tests/properties/test_random_tables.py $(ARGS)

fuzz: $(READY) ## fuzz rulesets for ten minutes; ARGS='--minutes 60'
	$(BIN)/python fuzz $(ARGS)

differential: $(READY) ## compare every method of computing odds on generated games; ARGS='--minutes 60'
	$(BIN)/python differential $(ARGS)

golden: $(READY) ## record the scenes of tests/golden that have no log yet
	$(BIN)/python tests/golden/record.py $(ARGS)

lint: $(READY) node ## check style, types and imports between packages
	@$(call NODE,$(TSC) && $(TSC) -p tsconfig.strict.json,the types of the pages' modules)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-cache

format: $(READY) ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## measure exact odds against icepool and dyce, and a long session; ARGS='--only keep'
	@$(BIN)/python bench $(ARGS)

docs: $(READY) ## build docs/ and the example rulebook into build/docs and build/rulebook
	$(BIN)/sphinx-build -W --keep-going -q docs build/docs
	$(BIN)/sphinx-build -W --keep-going -q examples/rulebook build/rulebook
	@echo "build/docs/index.html, build/rulebook/index.html"

picture: $(READY) browser ## take the screenshots of README and docs again
	$(BIN)/python tools/screens.py

clean: ## remove everything that make created
	rm -rf $(ENV) node_modules .bench .fuzz build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Created from scratch, never updated: it holds exactly the versions of constraints.txt.
# The build backend comes first, so that its version is pinned too.
$(RUNNABLE): pyproject.toml constraints.txt packaging/package_page.py
	@test -n "$(PYTHON)" || { echo "Handful needs Python 3.11 or newer." >&2; exit 1; }
	@echo "Creating the environment ($(ENV)) and installing what running needs …"
	@$(PYTHON) -m venv --clear $(ENV)
	@$(BIN)/python -m pip install -q -c constraints.txt hatchling
	@$(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -e '.[web]'
	@touch $@

# A change that runs the first stage again has removed this file, too: it stands in the environment.
$(READY): $(RUNNABLE)
	@echo "Installing what developers need, about a minute …"
	@$(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -e '.[dev,sim,plots,web,postgres,docs]'
	@touch $@
	@echo "Ready."
