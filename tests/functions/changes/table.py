"""The table of changes, and what its rows share."""

import types

TABLE = {}
"""Programs by name: generators that yield a function, then change something and yield again."""


def change(program):
    """A row of the table, named after its module and itself."""
    name = f"{program.__module__.rpartition('.')[2]}.{program.__name__}"
    assert name not in TABLE, f"two rows are called {name}"
    TABLE[name] = program
    return program


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
