"""The messages of graphs: nodes, and what is said of them."""

from __future__ import annotations

from ..public import public
from .messages import Field, Message
from .scalars import BOOL, BYTES, FLOAT, INT32, INT64, STRING
from .tensors import DATA_TYPE, TensorProto, TensorShapeProto


class ListValue(Message, name="tensorflow.AttrValue.ListValue"):
    """A list in the place of an attribute."""

    s = Field(2, BYTES, repeated=True)
    i = Field(3, INT64, repeated=True)
    f = Field(4, FLOAT, repeated=True)
    b = Field(5, BOOL, repeated=True)
    type = Field(6, DATA_TYPE, repeated=True)
    shape = Field(7, TensorShapeProto, repeated=True)
    tensor = Field(8, TensorProto, repeated=True)


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


@public("compat.v1.GraphDef")
class GraphDef(Message, name="tensorflow.GraphDef"):
    """A graph: a node for each call of an op."""

    node = Field(1, NodeDef, repeated=True)
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
