# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...ops.nn.normalization import fused_batch_norm as fused_batch_norm
