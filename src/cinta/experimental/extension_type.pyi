# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..extension_types.as_dict import as_dict as as_dict
