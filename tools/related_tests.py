"""Print the tests that have to do with what has changed, for `make quick`.

    python tools/related_tests.py [REVISION]    # changes since the revision, by default since HEAD

A changed test file is related to itself. A changed module is related to the test files that mention
the module, or a public name or an op that it makes; the most specific come first.
"""

import pathlib
import re
import subprocess
import sys

from namespaces import ROOT, collected, home_of, ops

TESTS = ROOT.parent.parent / "tests"
MOST = 8  # files; more take longer than a minute


def changed(revision: str) -> list[pathlib.Path]:
    """The files that differ from the revision, and those that git does not know yet."""
    top = ROOT.parent.parent
    commands = (
        ["git", "diff", "--name-only", "--diff-filter=d", revision],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    lines = [subprocess.check_output(c, cwd=top, text=True).split() for c in commands]
    return [top / line for each in lines for line in each if line.endswith(".py")]


def names_of(path: pathlib.Path) -> set[str]:
    """The names by which tests call the things of a module."""
    home = home_of(path)
    public = {
        f"tf.{f'{namespace}.' if namespace else ''}{each.name}"
        for namespace, names in collected().items()
        for each in names
        if each.home == home
    }
    return {f"cinta.{home}", *public, *ops().get(home, [])}


def related(paths: list[pathlib.Path]) -> list[pathlib.Path]:
    """The test files for these changed files, the most specific first."""
    own = [path for path in paths if path.name.startswith("test_") and TESTS in path.parents]
    words = {w for path in paths if ROOT in path.parents for w in names_of(path)}
    if not words:
        return own
    pattern = re.compile("|".join(rf"(?<![\w.]){re.escape(word)}(?!\w)" for word in words))
    weights = {path: weight(path, pattern) for path in TESTS.glob("test_*.py")}
    found = sorted((path for path in weights if weights[path]), key=lambda path: -weights[path])
    return [*own, *[path for path in found if path not in own][:MOST]]


def weight(path: pathlib.Path, pattern: re.Pattern[str]) -> float:
    """How much of a test file is about what the pattern finds."""
    text = path.read_text()
    return len(pattern.findall(text)) / len(text)


if __name__ == "__main__":
    tests = related(changed(sys.argv[1] if len(sys.argv) > 1 else "HEAD"))
    print(*[path.relative_to(TESTS.parent) for path in tests])
