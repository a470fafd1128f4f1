"""The tests that belong to changed files, which `make quick` runs."""

import pathlib
import sys

import pytest

TOP = pathlib.Path(__file__).parent.parent


@pytest.fixture
def related(monkeypatch):
    """The names of the test files for changed files, which are named from the top of the tree."""
    monkeypatch.syspath_prepend(TOP / "tools")
    monkeypatch.delitem(sys.modules, "namespaces", raising=False)  # tests have one of that name
    import related_tests

    def names(*changed):
        found = related_tests.related([TOP / each for each in changed])
        return [str(path.relative_to(TOP / "tests")) for path in found]

    yield names
    for module in ("related_tests", "namespaces"):
        sys.modules.pop(module, None)


def test_a_module_has_the_tests_that_name_what_it_makes(related):
    assert "ops/nn/test_convolution.py" in related("src/cinta/ops/nn/conv/functions.py")


def test_tests_in_folders_are_found(related):
    found = related("src/cinta/explain/magics.py", "tests/functions/test_interrupts.py")
    assert {"explain/test_magics.py", "functions/test_interrupts.py"} <= {*found}


def test_imports_from_a_package_name_its_modules(related):
    from related_tests import named

    assert "cinta.explain.magics" in named("from cinta.explain import enable, magics")


def test_other_files_have_no_tests(related):
    assert related("bench/limits.py", "tests/conftest.py") == []
