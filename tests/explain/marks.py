"""Programs with a mark at the line that an explanation is to name.

A program is a function; the line that is to blame ends with ``# <cause>``, as in ``# <no-path>``.
"""

import inspect
import re

_MARK = re.compile(r"#\s*<([\w-]+)>")


def programs(module):
    """The programs of a module, by name."""
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_"
    }


def marks(program):
    """The causes that a program is marked with, and their lines."""
    lines, first = inspect.getsourcelines(program)
    return marks_in(lines, first)


def marks_in(lines, first=1):
    """The causes that lines are marked with, and their numbers."""
    return [(found[1], first + i) for i, line in enumerate(lines) if (found := _MARK.search(line))]
