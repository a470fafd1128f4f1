"""Training steps and simulations as people write them, none of which may run as Python.

A program is a generator, as the rows of the table of changes are: it yields a function and what the
function is called with, and then what later calls get.
"""

import importlib
import pkgutil

for _found in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_found.name}")
