# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import io as io
from . import logging as logging
from . import nn as nn
from ...compat.scopes import AUTO_REUSE as AUTO_REUSE
from ...compat.scopes import VariableScope as VariableScope
from ...compat.scopes import get_variable as get_variable
from ...compat.scopes import get_variable_scope as get_variable_scope
from ...compat.scopes import NameScope as _name_scope
name_scope = _name_scope
from ...compat.scopes import variable_scope as variable_scope
from ...compat.tensorflow1 import ConfigProto as ConfigProto
from ...compat.tensorflow1 import GPUOptions as GPUOptions
from ...compat.tensorflow1 import Session as Session
from ...compat.tensorflow1 import colocate_with as colocate_with
from ...compat.tensorflow1 import behaves_as_version_2 as _control_flow_v2_enabled
control_flow_v2_enabled = _control_flow_v2_enabled
from ...compat.tensorflow1 import disable_v2_behavior as _disable_eager_execution
disable_eager_execution = _disable_eager_execution
from ...compat.tensorflow1 import disable_v2_behavior as disable_v2_behavior
from ...compat.tensorflow1 import enable_control_flow_v2 as enable_control_flow_v2
from ...compat.tensorflow1 import enable_v2_behavior as _enable_eager_execution
enable_eager_execution = _enable_eager_execution
from ...compat.tensorflow1 import enable_v2_behavior as enable_v2_behavior
from ...compat.tensorflow1 import behaves_as_version_2 as _executing_eagerly_outside_functions
executing_eagerly_outside_functions = _executing_eagerly_outside_functions
from ...compat.tensorflow1 import global_variables_initializer as global_variables_initializer
from ...compat.tensorflow1 import global_variables_initializer as _initialize_all_variables
initialize_all_variables = _initialize_all_variables
from ...compat.tensorflow1 import placeholder_with_default as placeholder_with_default
from ...compat.tensorflow1 import reset_default_graph as reset_default_graph
from ...compat.tensorflow1 import where as where
from ...engine.dimension import Dimension as Dimension
from ...engine.sparse_tensor import SparseTensorValue as SparseTensorValue
from ...ops.elementwise.clipping import clip_by_average_norm as clip_by_average_norm
from ...ops.random.state import set_seed as _set_random_seed
set_random_seed = _set_random_seed
from ...protobuf.event_messages import Event as Event
from ...protobuf.event_messages import Summary as Summary
from ...protobuf.event_messages import SummaryMetadata as SummaryMetadata
from ...protobuf.graph_messages import AttrValue as AttrValue
from ...protobuf.graph_messages import GraphDef as GraphDef
from ...protobuf.graph_messages import NodeDef as NodeDef
from ...protobuf.graph_messages import RunMetadata as RunMetadata
from ...protobuf.tensor_messages import TensorProto as TensorProto
from ...protobuf.tensor_messages import TensorShapeProto as TensorShapeProto
