# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..ops.linalg.operators.conjugate_gradient import conjugate_gradient as conjugate_gradient
