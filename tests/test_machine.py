"""The memory policy does what it says, respects the user, and is told and undone."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from cinta import machine

USERS_VARIABLES = {
    "CINTA_TUNE": "off",
    "GLIBC_TUNABLES": "glibc.malloc.trim_threshold=4096",
    "LD_PRELOAD": "libjemalloc.so.2",
    "MALLOC_TRIM_THRESHOLD_": "4096",
    "MALLOC_MMAP_THRESHOLD_": "4096",
    "MALLOC_MMAP_MAX_": "0",
}
needs_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc's allocator is tuned"
)


@pytest.fixture(autouse=True)
def no_settings_of_the_user(monkeypatch):
    """Start without settings in the environment, and leave the process tuned as on import."""
    with monkeypatch.context() as environment:
        for name in USERS_VARIABLES:
            environment.delenv(name, raising=False)
        yield environment
    machine.tune()


def printed_by(code):
    """The number that is printed by code which runs in a fresh process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return int(result.stdout)


def page_faults_after(call):
    """Count the page faults of an array chain after `machine.<call>`."""
    return printed_by(
        "import resource, numpy as np\n"
        "from cinta import machine\n"
        f"machine.tune(); machine.{call}()\n"
        "def chain(x): return np.exp(-x * x) + x * x\n"
        "faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "x = np.ones((1000, 1000), np.float32); chain(x)\n"
        "before = faults()\n"
        "for _ in range(10): chain(x)\n"
        "print(faults() - before)\n"
    )


@needs_glibc
def test_dropped_arrays_cost_no_page_faults_until_left_alone():
    pages_of_one_array = 4_000_000 // 4096
    assert page_faults_after("tune") < pages_of_one_array
    assert page_faults_after("leave_alone") > 10 * pages_of_one_array


@needs_glibc
def test_leave_alone_gives_memory_back():
    pages_given_back = printed_by(
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from cinta import machine\n"
        "pages = lambda: int(Path('/proc/self/statm').read_text().split()[1])\n"
        "arrays = [np.ones(2 << 20) for _ in range(8)]  # 16 MiB each\n"
        "del arrays\n"
        "kept = pages()\n"
        "machine.leave_alone()\n"
        "print(kept - pages())\n"
    )
    assert pages_given_back > (100 << 20) // os.sysconf("SC_PAGE_SIZE")


@needs_glibc
def test_the_report_tells_the_memory_policy():
    machine.tune()
    assert machine.report().memory.startswith("kept: freed blocks of up to 32 MiB")
    machine.leave_alone()
    assert machine.report().memory == "left alone: leave_alone() was called"


@needs_glibc
@pytest.mark.parametrize(("name", "value"), USERS_VARIABLES.items())
def test_what_the_user_set_is_left_alone(no_settings_of_the_user, name, value):
    machine.leave_alone()
    no_settings_of_the_user.setenv(name, value)
    machine.tune()
    report = machine.report().memory
    assert report.startswith("left alone")
    assert name in report


@pytest.mark.parametrize(("value", "wanted"), [("on", True), ("1", True), ("", True), ("0", False)])
def test_the_environment_says_on_or_off(no_settings_of_the_user, value, wanted):
    no_settings_of_the_user.setenv("CINTA_TUNE", value)
    machine.tune()
    assert ("CINTA_TUNE" not in machine.report().memory) == wanted


def test_another_word_in_the_environment_is_an_error(no_settings_of_the_user):
    no_settings_of_the_user.setenv("CINTA_TUNE", "fast")
    with pytest.raises(ValueError, match="CINTA_TUNE is 'fast'; set it to 'on' or 'off'"):
        machine.tune()


def test_without_glibc_nothing_is_changed(monkeypatch):
    machine.leave_alone()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(machine.sys, "platform", "darwin")
        machine.tune()
    assert machine.report().memory == "left alone: memory does not come from glibc"


def test_without_proc_the_report_still_stands(monkeypatch):
    def no_such_file(*_args, **_options):
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", no_such_file)
    assert machine._processor() == ("unknown processor", False)
    assert machine._loaded_openblas() == ()


def test_the_report_names_numpys_library_and_versions():
    report = machine.report()
    assert report.cores >= 1
    assert report.versions["numpy"] == np.__version__
    configured = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
    if sys.platform == "linux" and configured == "scipy-openblas":
        library = report.blas[0]
        assert library.file.startswith("libscipy_openblas")
        assert library.kernels not in ("", "unnamed")
        assert library.threads >= 1
        assert str(library) in str(report)


@pytest.mark.parametrize("avx512", [True, False])
@pytest.mark.parametrize("kernels", ["Haswell", "SkylakeX"])
@pytest.mark.parametrize("chosen", ["Haswell", None])
def test_idle_avx512_is_told_with_its_remedy(monkeypatch, avx512, kernels, chosen):
    library = machine.OpenBlas("libopenblas.so", "0.3.31", kernels, threads=2)
    monkeypatch.setattr(machine, "_processor", lambda: ("some processor", avx512))
    monkeypatch.setattr(machine, "_loaded_openblas", lambda: (library,))
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    if chosen:
        monkeypatch.setenv("OPENBLAS_CORETYPE", chosen)
    report = machine.report()
    if avx512 and kernels == "Haswell":
        remedy = "remove OPENBLAS_CORETYPE=Haswell" if chosen else "set OPENBLAS_CORETYPE=SkylakeX"
        assert remedy in report.advice
        assert f"advice     {report.advice}" in str(report).splitlines()
    else:
        assert report.advice == ""
        assert "advice" not in str(report)


def test_tuning_does_not_import_numpy():
    code = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('machine', {machine.__file__!r})\n"
        "machine = sys.modules['machine'] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(machine)\n"
        "machine.tune()\n"
        "print('numpy' in sys.modules)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"
