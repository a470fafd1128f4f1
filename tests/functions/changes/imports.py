"""Imports at the time of the call, and modules that are loaded again."""

import contextlib
import importlib
import pathlib
import sys
import tempfile

from tests.functions.changes.table import change, module


@contextlib.contextmanager
def imported(source, name="a_program", package=None):
    """A module of a user that can be imported."""
    before = sys.modules.get(name)
    sys.modules[name] = made = module(source, name)
    try:
        yield made
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before


@contextlib.contextmanager
def written(**sources):
    """Modules of a user in files, in a folder that is searched."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in sources.items():
            pathlib.Path(folder, f"{name}.py").write_text(source)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield pathlib.Path(folder)
        finally:
            sys.path.remove(folder)
            for name in sources:
                sys.modules.pop(name, None)


@change
def an_import_inside():
    with imported("k = 2.0") as settings:

        def f(x):
            import a_program

            return x * a_program.k

        yield f
        settings.k = 3.0
        yield


@change
def an_import_from_inside():
    with imported("k = 2.0") as settings:

        def f(x):
            from a_program import k

            return x * k

        yield f
        settings.k = 3.0
        yield


@change
def an_import_of_another_module_inside():
    with imported("k = 2.0"):

        def f(x):
            import a_program

            return x * a_program.k

        yield f
        sys.modules["a_program"] = module("k = 3.0")
        yield


@change
def an_import_that_fails_at_first():
    def f(x):
        try:
            import a_missing_program
        except ImportError:
            return x * 2.0
        return x * a_missing_program.k

    yield f
    with imported("k = 3.0", "a_missing_program"):
        yield


@change
def an_import_by_name():
    with imported("k = 2.0") as settings:
        yield lambda x: x * importlib.import_module("a_program").k
        settings.k = 3.0
        yield


@change
def an_import_by_the_builtin():
    with imported("k = 2.0") as settings:
        yield lambda x: x * __import__("a_program").k
        settings.k = 3.0
        yield


@change
def a_module_found_in_the_table():
    with imported("k = 2.0") as settings:
        yield lambda x: x * sys.modules["a_program"].k
        settings.k = 3.0
        yield


@change
def whether_a_module_is_in_the_table():
    yield lambda x: x * (3.0 if "a_program" in sys.modules else 2.0)
    with imported(""):
        yield


@change
def its_own_module_found_by_name():
    with imported("k = 2.0\nimport sys\ndef f(x): return x * sys.modules[__name__].k") as settings:
        yield settings.f
        settings.k = 3.0
        yield


@change
def a_module_that_is_loaded_again():
    with written(a_program="k = 2.0") as folder:
        settings = importlib.import_module("a_program")
        yield lambda x: x * settings.k
        (folder / "a_program.py").write_text("k = 3.0  # another size")
        importlib.reload(settings)
        yield


@change
def a_function_whose_module_is_loaded_again():
    with written(a_program="def f(x): return x * 2.0") as folder:
        program = importlib.import_module("a_program")
        yield lambda x: program.f(x)
        (folder / "a_program.py").write_text("def f(x): return 3.0 * x + 0.0")
        importlib.reload(program)
        yield


@change
def a_module_on_which_another_depends():
    with written(
        a_program="import a_setting\ndef f(x): return x * a_setting.k", a_setting="k = 2.0"
    ):
        program = importlib.import_module("a_program")
        yield program.f
        sys.modules["a_setting"].k = 3.0
        yield
