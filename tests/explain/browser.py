"""A browser without a window, for tests of pages: Chromium of the system, driven by Playwright.

Without one these tests are skipped, which is said at the end of the run; they fail with
CINTA_TESTS_NEED_BROWSER=1. CINTA_BROWSER names another one than Chromium of the system.
"""

import contextlib
import os
import shutil
import subprocess

import pytest

_NAMES = "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"
PATIENCE = 120_000  # milliseconds that anything on a page may take on a busy machine
STILL = "document.getAnimations().every((each) => each.playState !== 'running')"
MISSING = "No browser was found: apt-get install chromium brings one"


@contextlib.contextmanager
def browser():
    """A browser that runs; the test is skipped, or fails, if there is none."""
    path = _path()
    if path is None:
        report = pytest.fail if os.environ.get("CINTA_TESTS_NEED_BROWSER") == "1" else pytest.skip
        report(MISSING)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, timeout=PATIENCE)
        try:
            yield found
        finally:
            found.close()


def _path():
    """The first browser that can tell its version: some systems install a program that cannot."""
    given = [os.environ["CINTA_BROWSER"]] if "CINTA_BROWSER" in os.environ else _NAMES
    for path in filter(None, map(shutil.which, given)):
        command = [path, "--version", "--no-sandbox"]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return path
    return None
