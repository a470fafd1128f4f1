"""Captures: all that a function's Python can reach beside its arguments, compared at each call.

A thing is *understood* if ``kinds`` has an entry for its kind, which says why, what is compared
and what is reached next; so are the callables of Python and of libraries that ``callables`` lists.
If a function reaches anything else, it runs as Python.
"""

from .captures import Captures as Captures
from .unseeded_generators import observed as observed
