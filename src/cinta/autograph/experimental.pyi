# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..autograph.conversion import do_not_convert as do_not_convert
