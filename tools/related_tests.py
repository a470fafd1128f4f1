"""Print the tests that have to do with what has changed, for `make quick`.

    python tools/related_tests.py [REVISION]    # changes since the revision, by default since HEAD

A changed test file is related to itself. A changed module is related to the test file of its name,
and to those that mention the module, or a public name or an op that it makes: the most specific and
those in the same folders first.
"""

import pathlib
import re
import subprocess
import sys

from namespaces import ROOT, declared_in, home_of, made_in

TESTS = ROOT.parent.parent / "tests"
MOST = 8  # files; more take longer than a minute


def changed(revision: str) -> list[pathlib.Path]:
    """The files whose text differs from the revision, and those that git does not know yet."""
    top = ROOT.parent.parent
    commands = (
        ["git", "diff", "--name-only", "--find-renames=100%", "--diff-filter=dr", revision],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    lines = [subprocess.check_output(c, cwd=top, text=True).split() for c in commands]
    return [top / line for each in lines for line in each if line.endswith(".py")]


def names_of(path: pathlib.Path) -> set[str]:
    """The names by which tests call the things of a module."""
    public = {
        f"tf.{f'{namespace}.' if namespace else ''}{each.name}"
        for namespace, each in declared_in(path)
    }
    return {f"cinta.{home_of(path)}", *public, *made_in(path)}


def related(paths: list[pathlib.Path]) -> list[pathlib.Path]:
    """The test files for these changed files, the most specific first."""
    modules = [path for path in paths if ROOT in path.parents]
    tests = sorted(TESTS.rglob("test_*.py"))
    own = [path for path in tests if path in paths or any(is_of(path, each) for each in modules)]
    words = {word for path in modules for word in names_of(path)}
    weights = {
        path: weight(path.read_text(), words) * 2 ** nearness(path, modules)
        for path in tests
        if words
    }
    found = sorted((path for path in weights if weights[path]), key=lambda path: -weights[path])
    return [*own, *[path for path in found if path not in own][:MOST]]


def is_of(test: pathlib.Path, module: pathlib.Path) -> bool:
    """Whether a test file has the name of a module, and stands in one of the folders around it."""
    named = test.name == f"test_{module.name}"
    return named and nearness(test, [module]) == len(test.parent.relative_to(TESTS).parts)


def nearness(test: pathlib.Path, modules: list[pathlib.Path]) -> int:
    """How many folders a test file and one of the modules have in common."""
    own = test.parent.relative_to(TESTS).parts
    folders = [module.parent.relative_to(ROOT).parts for module in modules]
    return max(sum(own[: i + 1] == each[: i + 1] for i in range(len(own))) for each in folders)


def weight(text: str, words: set[str]) -> float:
    """How much of the text of a test file is about these words."""
    return sum(any(part in words for part in beginnings(name)) for name in named(text)) / len(text)


def named(text: str) -> list[str]:
    """The dotted names in a text, and those that its imports bring: `from cinta import errors`."""
    imports = re.findall(r"^from (cinta[\w.]*) import (.+)", text, re.MULTILINE)
    brought = [f"{home}.{name}" for home, names in imports for name in re.findall(r"\w+", names)]
    return re.findall(r"[\w.]+", text) + brought


def beginnings(name: str) -> list[str]:
    """`tf.math.exp` begins with `tf`, `tf.math` and itself."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


if __name__ == "__main__":
    tests = related(changed(sys.argv[1] if len(sys.argv) > 1 else "HEAD"))
    print(*[path.relative_to(TESTS.parent) for path in tests])
