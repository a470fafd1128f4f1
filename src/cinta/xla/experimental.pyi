# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..programs.xla_functions import compile as compile
from ..programs.xla_functions import jit_scope as jit_scope
