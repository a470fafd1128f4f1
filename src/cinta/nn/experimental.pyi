# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..ops.nn.dropout import general_dropout as general_dropout
from ..ops.nn.dropout import stateless_dropout as stateless_dropout
