"""Ways to change something between two calls of a function, by family.

A row is a generator. It yields a function, changes something of what the function looks at, and
yields again; the function is called at each yield. Rows make all that they use anew, so they can be
run in several modes.
"""

import importlib
import pkgutil

for _found in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_found.name}")
