"""Every test leaves the process as it found it."""

import gc
import os
import sys
from importlib.metadata import version
from importlib.util import find_spec

# The suite is for NumPy alone; tests/kernels runs parts of it with the compiled functions.
os.environ.setdefault("CINTA_KERNELS", "0")

import hypothesis
import numpy as np
import pytest

from cinta.distribute import contexts
from cinta.engine import listeners, name_scopes, op, parallel, settings
from cinta.engine.gradient_plan import Plan
from cinta.explain.enable import disable_explanations, is_explaining
from cinta.ops.random import op_numbering
from cinta.ops.random import state as random_state
from tests.explain.browser import MISSING

# XLA is to compile many small programs soon, rather than to make each of them fast. A flag that it
# does not know ends the process.
QUICK_TO_COMPILE = [
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
    "--xla_cpu_parallel_codegen_split_count=1",
]
if find_spec("jaxlib") and [int(part) for part in version("jaxlib").split(".")[:2]] <= [0, 10]:
    QUICK_TO_COMPILE.append("--xla_cpu_use_fusion_emitters=false")  # gone since 0.11.1
os.environ.setdefault("XLA_FLAGS", " ".join(QUICK_TO_COMPILE))

# Tests start many processes: they read byte code, rather than compile the source each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A test that other work on the machine slows down is not wrong.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")

collect_ignore = ["typing/right.py", "typing/wrong.py"]
"""Programs for type checkers, half of them wrong, which are not to be run."""

collect_ignore_glob = [
    "functions/changes/*",
    "functions/programs/*",
    "explain/scripts/*",
    "left_out/*/*",
]
"""Programs, and tables of some, which do something when they are imported, and hold no doctest."""


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Let the collector of garbage pass over the million objects that pytest keeps of the tests.

    It would look at all of them in each of its full collections, for which many tests ask.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def leaves_nothing_behind():
    """No tape may be left on, no scope open, no gradient replaced, no setting changed.

    The random seed and determinism are set back, because tests may set them.
    """
    settings.deterministic = False  # examples in docstrings may have set it
    before = _settings()
    yield
    settings.deterministic = False  # no function sets it back
    after = _settings()
    random_state.set_seed(None)
    disable_explanations()  # they would reach all tests that follow
    assert listeners._listening == {}
    assert op_numbering.current() is None
    assert name_scopes.scoped("") == ""
    assert _changed_gradients() == set()
    assert after == before


def pytest_terminal_summary(terminalreporter):
    """Say loudly that there was no browser, for dots and letters do not tell it."""
    skipped = terminalreporter.stats.get("skipped", ())
    count = sum(MISSING in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.section("no browser", sep="!")
        terminalreporter.write_line(f"{count} tests of the page were skipped. {MISSING}.")


_known = {}
"""How the ops that are loaded are differentiated, as the last test has left them."""


def _changed_gradients():
    """The names of the ops whose gradients differ from those that the last test has left."""
    found = {
        each.name: (dict(each.rules), each.joint, each.differentiable, each.broadcasts)
        for each in op.registry.all()
    }
    changed = {name for name, was in _known.items() if found.get(name) != was}
    _known.update(found)
    return changed


def _settings():
    ours = {name: value for name, value in vars(settings).items() if not name.startswith("_")}
    return {
        **ours,
        "threads": parallel.chosen_threads(),
        "errors": np.geterr(),
        "checks": Plan.guard is not None,
        "explanations": is_explaining(),
        "strategy": list(contexts._chosen),
        "tensorflow": os.environ.get("CINTA_AS_TENSORFLOW"),
    }
