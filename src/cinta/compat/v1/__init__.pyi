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
from ...protobuf.events import Event as Event
from ...protobuf.events import Summary as Summary
from ...protobuf.events import SummaryMetadata as SummaryMetadata
from ...protobuf.graphs import AttrValue as AttrValue
from ...protobuf.graphs import GraphDef as GraphDef
from ...protobuf.graphs import NodeDef as NodeDef
from ...protobuf.graphs import RunMetadata as RunMetadata
from ...protobuf.tensors import TensorProto as TensorProto
from ...protobuf.tensors import TensorShapeProto as TensorShapeProto
from ...test.comparing import SparseTensorValue as SparseTensorValue
