"""The world of a function: all that its Python can reach beside its arguments.

It is closed. A thing is *understood* if ``understood`` has an entry for its kind, which says why,
what is compared and what is reached next; of Python's and of libraries' callables, those are
understood that ``callables`` lists. If a function reaches anything else, it runs as Python.
"""

from .asking import observed as observed
from .captures import Captures as Captures
