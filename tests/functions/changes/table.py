"""The table of changes, and what its rows share."""

import types

from tests.functions.running import row_of

TABLE = {}
"""Programs by name: generators that yield a function, then change something and yield again."""


change = row_of(TABLE)
"""Adds a row to the table."""


def module(source, name="a_program"):
    """A module of a user, with this source."""
    made = types.ModuleType(name)
    exec(source, vars(made))
    return made


def doubled(x):
    return x * 2.0


def tripled(x):
    return x * 3.0


class Box:
    """An object with the attributes that it is given."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


def defining(**methods):
    """An object of a class that has these special methods."""
    return type("Mine", (), {f"__{name}__": method for name, method in methods.items()})()
