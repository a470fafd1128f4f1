# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .config.build import get_build_info as get_build_info
