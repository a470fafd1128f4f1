# The commands of this project; each makes the environment that it needs, once.

PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard kernels/*.* kernels/src/cinta_kernels/*)
PYTHON_BENCH ?= $(if $(wildcard .venv-bench/bin/python),.venv-bench/bin/python,$(BIN)/python)

# Tests with browsers and processes may run out of time on a machine that does other work: what
# failed is shown, runs once more with nothing beside it, and has to pass.
ALONE := $(BIN)/python -m pytest --last-failed --last-failed-no-failures none

.PHONY: help demo test checked quick matrix long format namespaces pictures gallery docs bench bench-peers clean

help:
	@echo 'make demo         the guided tour, in the terminal'
	@echo 'make test         formatter, linter, types and the whole test suite, and the time that they take'
	@echo 'make quick        the tests of what has changed since the last commit, within a minute or so'
	@echo 'make matrix       the whole suite on all versions of Python that are here, and some tests on the oldest dependencies'
	@echo 'make long         the tests that take long: thousands of damaged files, all junk for all arguments'
	@echo 'make format       lay the code out and mend what the linter can mend'
	@echo 'make namespaces   renew the tables of public names'
	@echo 'make pictures     draw the pictures of the documentation again'
	@echo 'make gallery      run the programs of the gallery in full, for their pictures and times'
	@echo 'make docs         build the site in all languages, in build/site'
	@echo 'make bench        time cinta against the peers that are installed, and draw the times'
	@echo 'make bench-peers  install the peers (large) in .venv-bench, for make bench'
	@echo 'make clean        remove environments and caches'

demo: .venv/.installed
	@$(BIN)/python -m cinta

test:
	@bash -c 'time $(MAKE) --no-print-directory checked'

checked: .venv/.installed-dev
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy --strict src tests/test_typing.py
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal || $(ALONE)

quick: .venv/.installed-dev
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m pytest --exitfirst --numprocesses auto $$($(BIN)/python tools/related_tests.py)

matrix:
	.ci/matrix

long: .venv/.installed-dev
	$(BIN)/python -m pytest -m long

format: .venv/.installed-dev
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

namespaces: .venv/.installed
	$(BIN)/python tools/namespaces.py

pictures: .venv/.installed
	$(BIN)/python tools/pictures.py

gallery: .venv/.installed-dev
	$(BIN)/python tools/gallery.py

docs: .venv/.installed-docs
	$(BIN)/python tools/website/build.py
	@echo 'open build/site/index.html'

bench: .venv/.installed
	PYTHONPATH=src $(PYTHON_BENCH) -m bench --keep

bench-peers: .venv-bench/.installed

clean:
	rm -rf .venv .venv-bench .matrix .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'cinta needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...'; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

# The stamps: an environment is brought up to date when pyproject.toml is newer than its stamp.
.venv/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.installed-dev: pyproject.toml $(KERNELS) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check ./kernels || \
		echo 'No compiled kernels, as they need a C compiler: their tests will be skipped.'
	@touch $@ .venv/.installed

.venv/.installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ .venv/.installed

.venv-bench/.installed: pyproject.toml bench/peers.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check \
		--editable . --requirement bench/peers.txt
	@touch $@
