# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import nn as nn
from ...ops.elementwise.clipping import clip_by_average_norm as clip_by_average_norm
from ...test.comparing import SparseTensorValue as SparseTensorValue
