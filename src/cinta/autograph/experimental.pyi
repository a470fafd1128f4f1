# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..autograph.conversion import Feature as Feature
from ..autograph.conversion import do_not_convert as do_not_convert
from ..autograph.conversion import set_loop_options as set_loop_options
