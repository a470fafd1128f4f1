# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import nn as nn
from ...compat.tensorflow1 import ConfigProto as ConfigProto
from ...compat.tensorflow1 import GPUOptions as GPUOptions
from ...compat.tensorflow1 import Session as Session
from ...compat.tensorflow1 import disable_v2_behavior as _disable_eager_execution
disable_eager_execution = _disable_eager_execution
from ...compat.tensorflow1 import disable_v2_behavior as disable_v2_behavior
from ...compat.tensorflow1 import enable_v2_behavior as _enable_eager_execution
enable_eager_execution = _enable_eager_execution
from ...compat.tensorflow1 import enable_v2_behavior as enable_v2_behavior
from ...compat.tensorflow1 import where as where
from ...ops.elementwise.clipping import clip_by_average_norm as clip_by_average_norm
from ...test.comparing import SparseTensorValue as SparseTensorValue
