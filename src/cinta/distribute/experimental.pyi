# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..distribute.inputs import ValueContext as ValueContext
from ..distribute.strategy import TPUStrategy as TPUStrategy
