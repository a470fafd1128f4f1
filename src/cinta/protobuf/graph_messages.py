"""The messages of graphs: nodes, and what is said of them."""

from __future__ import annotations

from ..public import public
from .message_fields import MessageField
from .messages import Message
from .scalars import BOOL, BYTES, FLOAT, INT32, INT64, STRING, UINT32
from .tensor_messages import DATA_TYPE, TensorProto, TensorShapeProto


class NameAttrList(Message, name="tensorflow.NameAttrList"):
    """A function by its name, with attributes."""

    name = MessageField(1, STRING)
    attr = MessageField(2, lambda: AttrValue, key=STRING)


class ListValue(Message, name="tensorflow.AttrValue.ListValue"):
    """A list in the place of an attribute."""

    s = MessageField(2, BYTES, repeated=True)
    i = MessageField(3, INT64, repeated=True)
    f = MessageField(4, FLOAT, repeated=True)
    b = MessageField(5, BOOL, repeated=True)
    type = MessageField(6, DATA_TYPE, repeated=True)
    shape = MessageField(7, TensorShapeProto, repeated=True)
    tensor = MessageField(8, TensorProto, repeated=True)
    func = MessageField(9, NameAttrList, repeated=True)


@public("compat.v1.AttrValue")
class AttrValue(Message, name="tensorflow.AttrValue"):
    """The value of an attribute of a node.

    >>> import cinta as tf
    >>> tf.compat.v1.AttrValue(f=2.0).WhichOneof("value")
    'f'
    """

    ListValue = ListValue
    list = MessageField(1, ListValue, oneof="value")
    s = MessageField(2, BYTES, oneof="value")
    i = MessageField(3, INT64, oneof="value")
    f = MessageField(4, FLOAT, oneof="value")
    b = MessageField(5, BOOL, oneof="value")
    type = MessageField(6, DATA_TYPE, oneof="value")
    shape = MessageField(7, TensorShapeProto, oneof="value")
    tensor = MessageField(8, TensorProto, oneof="value")
    placeholder = MessageField(9, STRING, oneof="value")
    func = MessageField(10, NameAttrList, oneof="value")


@public("compat.v1.NodeDef")
class NodeDef(Message, name="tensorflow.NodeDef"):
    """A call of an op: its name, the op, and the names of its inputs.

    >>> import cinta as tf
    >>> tf.compat.v1.NodeDef(name="y", op="Sin", input=["x"])
    name: "y"
    op: "Sin"
    input: "x"
    <BLANKLINE>
    """

    name = MessageField(1, STRING)
    op = MessageField(2, STRING)
    input = MessageField(3, STRING, repeated=True)
    device = MessageField(4, STRING)
    attr = MessageField(5, AttrValue, key=STRING)


class VersionDef(Message, name="tensorflow.VersionDef"):
    """The version of a graph."""

    producer = MessageField(1, INT32)
    min_consumer = MessageField(2, INT32)
    bad_consumers = MessageField(3, INT32, repeated=True)


class ArgDef(Message, name="tensorflow.OpDef.ArgDef"):
    """An argument or a result of a function, with its dtype."""

    name = MessageField(1, STRING)
    type = MessageField(3, DATA_TYPE)


class OpDef(Message, name="tensorflow.OpDef"):
    """The arguments and the results of a function."""

    ArgDef = ArgDef
    name = MessageField(1, STRING)
    input_arg = MessageField(2, ArgDef, repeated=True)
    output_arg = MessageField(3, ArgDef, repeated=True)
    is_stateful = MessageField(17, BOOL)
    control_output = MessageField(20, STRING, repeated=True)


class ArgAttrs(Message, name="tensorflow.FunctionDef.ArgAttrs"):
    """The attributes of an argument."""

    attr = MessageField(1, AttrValue, key=STRING)


class FunctionDef(Message, name="tensorflow.FunctionDef"):
    """A function: nodes that take its arguments, and which of their values are its results."""

    ArgAttrs = ArgAttrs
    signature = MessageField(1, OpDef)
    node_def = MessageField(3, NodeDef, repeated=True)
    ret = MessageField(4, STRING, key=STRING)
    attr = MessageField(5, AttrValue, key=STRING)
    control_ret = MessageField(6, STRING, key=STRING)
    arg_attr = MessageField(7, ArgAttrs, key=UINT32)


class RegisteredGradient(Message, name="tensorflow.RegisteredGradient"):
    """The function that is the gradient of ops of some type."""

    gradient_func = MessageField(1, STRING)
    registered_op_type = MessageField(2, STRING)


class FunctionDefLibrary(Message, name="tensorflow.FunctionDefLibrary"):
    """Functions that nodes call by name."""

    function = MessageField(1, FunctionDef, repeated=True)
    registered_gradients = MessageField(3, RegisteredGradient, repeated=True)


@public("compat.v1.GraphDef")
class GraphDef(Message, name="tensorflow.GraphDef"):
    """A graph: a node for each call of an op, and the functions that nodes call.

    >>> import cinta as tf
    >>> graph = tf.compat.v1.GraphDef(node=[tf.compat.v1.NodeDef(name="x", op="Placeholder")])
    >>> tf.compat.v1.GraphDef.FromString(graph.SerializeToString()).node[0].name
    'x'
    """

    node = MessageField(1, NodeDef, repeated=True)
    library = MessageField(2, FunctionDefLibrary)
    versions = MessageField(4, VersionDef)


class FunctionGraphs(Message, name="tensorflow.RunMetadata.FunctionGraphs"):
    """The graphs of a function before and after it was changed."""

    partition_graphs = MessageField(1, GraphDef, repeated=True)
    pre_optimization_graph = MessageField(2, GraphDef)
    post_optimization_graph = MessageField(3, GraphDef)


@public("compat.v1.RunMetadata")
class RunMetadata(Message, name="tensorflow.RunMetadata"):
    """The graphs that were run.

    >>> import cinta as tf
    >>> len(tf.compat.v1.RunMetadata().partition_graphs)
    0
    """

    FunctionGraphs = FunctionGraphs
    partition_graphs = MessageField(3, GraphDef, repeated=True)
    function_graphs = MessageField(4, FunctionGraphs, repeated=True)
