# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..test.built_with import sync_devices as sync_devices
