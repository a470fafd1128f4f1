"""The messages of graphs: nodes, and what is said of them."""

from __future__ import annotations

from ..public import public
from .messages import Field, Message
from .scalars import BOOL, BYTES, FLOAT, INT32, INT64, STRING, UINT32
from .tensors import DATA_TYPE, TensorProto, TensorShapeProto


class NameAttrList(Message, name="tensorflow.NameAttrList"):
    """A function by its name, with attributes."""

    name = Field(1, STRING)
    attr = Field(2, lambda: AttrValue, key=STRING)


class ListValue(Message, name="tensorflow.AttrValue.ListValue"):
    """A list in the place of an attribute."""

    s = Field(2, BYTES, repeated=True)
    i = Field(3, INT64, repeated=True)
    f = Field(4, FLOAT, repeated=True)
    b = Field(5, BOOL, repeated=True)
    type = Field(6, DATA_TYPE, repeated=True)
    shape = Field(7, TensorShapeProto, repeated=True)
    tensor = Field(8, TensorProto, repeated=True)
    func = Field(9, NameAttrList, repeated=True)


@public("compat.v1.AttrValue")
class AttrValue(Message, name="tensorflow.AttrValue"):
    """The value of an attribute of a node."""

    ListValue = ListValue
    list = Field(1, ListValue, oneof="value")
    s = Field(2, BYTES, oneof="value")
    i = Field(3, INT64, oneof="value")
    f = Field(4, FLOAT, oneof="value")
    b = Field(5, BOOL, oneof="value")
    type = Field(6, DATA_TYPE, oneof="value")
    shape = Field(7, TensorShapeProto, oneof="value")
    tensor = Field(8, TensorProto, oneof="value")
    placeholder = Field(9, STRING, oneof="value")
    func = Field(10, NameAttrList, oneof="value")


@public("compat.v1.NodeDef")
class NodeDef(Message, name="tensorflow.NodeDef"):
    """A call of an op: its name, the op, and the names of its inputs."""

    name = Field(1, STRING)
    op = Field(2, STRING)
    input = Field(3, STRING, repeated=True)
    device = Field(4, STRING)
    attr = Field(5, AttrValue, key=STRING)


class VersionDef(Message, name="tensorflow.VersionDef"):
    """The version of a graph."""

    producer = Field(1, INT32)
    min_consumer = Field(2, INT32)


class ArgDef(Message, name="tensorflow.OpDef.ArgDef"):
    """An argument or a result of a function, with its dtype."""

    name = Field(1, STRING)
    type = Field(3, DATA_TYPE)


class OpDef(Message, name="tensorflow.OpDef"):
    """The arguments and the results of a function."""

    ArgDef = ArgDef
    name = Field(1, STRING)
    input_arg = Field(2, ArgDef, repeated=True)
    output_arg = Field(3, ArgDef, repeated=True)
    is_stateful = Field(17, BOOL)
    control_output = Field(20, STRING, repeated=True)


class ArgAttrs(Message, name="tensorflow.FunctionDef.ArgAttrs"):
    """The attributes of an argument."""

    attr = Field(1, AttrValue, key=STRING)


class FunctionDef(Message, name="tensorflow.FunctionDef"):
    """A function: nodes that take its arguments, and which of their values are its results."""

    ArgAttrs = ArgAttrs
    signature = Field(1, OpDef)
    node_def = Field(3, NodeDef, repeated=True)
    ret = Field(4, STRING, key=STRING)
    attr = Field(5, AttrValue, key=STRING)
    control_ret = Field(6, STRING, key=STRING)
    arg_attr = Field(7, ArgAttrs, key=UINT32)


class RegisteredGradient(Message, name="tensorflow.RegisteredGradient"):
    """The function that is the gradient of ops of some type."""

    gradient_func = Field(1, STRING)
    registered_op_type = Field(2, STRING)


class FunctionDefLibrary(Message, name="tensorflow.FunctionDefLibrary"):
    """Functions that nodes call by name."""

    function = Field(1, FunctionDef, repeated=True)
    registered_gradients = Field(3, RegisteredGradient, repeated=True)


@public("compat.v1.GraphDef")
class GraphDef(Message, name="tensorflow.GraphDef"):
    """A graph: a node for each call of an op, and the functions that nodes call."""

    node = Field(1, NodeDef, repeated=True)
    library = Field(2, FunctionDefLibrary)
    versions = Field(4, VersionDef)


class FunctionGraphs(Message, name="tensorflow.RunMetadata.FunctionGraphs"):
    """The graphs of a function before and after it was changed."""

    partition_graphs = Field(1, GraphDef, repeated=True)
    pre_optimization_graph = Field(2, GraphDef)
    post_optimization_graph = Field(3, GraphDef)


@public("compat.v1.RunMetadata")
class RunMetadata(Message, name="tensorflow.RunMetadata"):
    """The graphs that were run."""

    FunctionGraphs = FunctionGraphs
    partition_graphs = Field(3, GraphDef, repeated=True)
    function_graphs = Field(4, FunctionGraphs, repeated=True)
