"""The messages of saved models: the objects of a program, its functions, and their signatures."""

from __future__ import annotations

from .graphs import GraphDef, VersionDef
from .messages import Field, Message
from .scalars import BOOL, BYTES, INT32, INT64, STRING, Enum
from .structures import StructuredValue
from .tensors import DATA_TYPE, TensorShapeProto

JIT_COMPILE = Enum(DEFAULT=0, ON=1, OFF=2)
SAVER_VERSION = Enum(LEGACY=0, V1=1, V2=2)


class ObjectReference(
    Message, name="tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference"
):
    """An object in another one, under a name."""

    node_id = Field(1, INT32)
    local_name = Field(2, STRING)


class SavedUserObject(Message, name="tensorflow.SavedUserObject"):
    """An object with attributes, a list or a dictionary."""

    identifier = Field(1, STRING)
    version = Field(2, VersionDef)
    metadata = Field(3, STRING)


class SavedAsset(Message, name="tensorflow.SavedAsset"):
    """A file that belongs to the model: its place in the list of them."""

    asset_file_def_index = Field(1, INT32)


class FunctionSpec(Message, name="tensorflow.FunctionSpec"):
    """The parameters of a function."""

    fullargspec = Field(1, StructuredValue)
    is_method = Field(2, BOOL)
    input_signature = Field(5, StructuredValue)
    jit_compile = Field(6, JIT_COMPILE)


class SavedFunction(Message, name="tensorflow.SavedFunction"):
    """A function with the names of those that it has for some arguments each."""

    concrete_functions = Field(1, STRING, repeated=True)
    function_spec = Field(2, FunctionSpec)


class SavedVariable(Message, name="tensorflow.SavedVariable"):
    """A variable, whose value is in a checkpoint."""

    dtype = Field(1, DATA_TYPE)
    shape = Field(2, TensorShapeProto)
    trainable = Field(3, BOOL)
    name = Field(6, STRING)


class SavedBareConcreteFunction(Message, name="tensorflow.SavedBareConcreteFunction"):
    """A function for some arguments, which is called with tensors by name."""

    concrete_function_name = Field(1, STRING)
    argument_keywords = Field(2, STRING, repeated=True)
    allowed_positional_arguments = Field(3, INT64)
    function_spec = Field(4, FunctionSpec)


class SavedConstant(Message, name="tensorflow.SavedConstant"):
    """A tensor: the node that makes it."""

    operation = Field(1, STRING)


class SavedResource(Message, name="tensorflow.SavedResource"):
    """An object that functions of its own make and fill, such as a table."""

    device = Field(1, STRING)


class CapturedTensor(Message, name="tensorflow.CapturedTensor"):
    """A tensor that another function gives."""

    name = Field(1, STRING)
    concrete_function = Field(2, STRING)


class SavedObject(Message, name="tensorflow.SavedObject"):
    """An object, of one of the kinds."""

    children = Field(1, ObjectReference, repeated=True)
    user_object = Field(4, SavedUserObject, oneof="kind")
    asset = Field(5, SavedAsset, oneof="kind")
    function = Field(6, SavedFunction, oneof="kind")
    variable = Field(7, SavedVariable, oneof="kind")
    bare_concrete_function = Field(8, SavedBareConcreteFunction, oneof="kind")
    constant = Field(9, SavedConstant, oneof="kind")
    resource = Field(10, SavedResource, oneof="kind")
    captured_tensor = Field(12, CapturedTensor, oneof="kind")
    registered_name = Field(13, STRING)
    dependencies = Field(15, ObjectReference, repeated=True)


class SavedConcreteFunction(Message, name="tensorflow.SavedConcreteFunction"):
    """The structures of a function's arguments and results, and the objects it takes beside."""

    bound_inputs = Field(2, INT32, repeated=True)
    canonicalized_input_signature = Field(3, StructuredValue)
    output_signature = Field(4, StructuredValue)


class SavedObjectGraph(Message, name="tensorflow.SavedObjectGraph"):
    """All objects, of which the first is the model."""

    nodes = Field(1, SavedObject, repeated=True)
    concrete_functions = Field(2, SavedConcreteFunction, key=STRING)


class TensorInfo(Message, name="tensorflow.TensorInfo"):
    """A tensor of a graph: its name, dtype and shape."""

    name = Field(1, STRING, oneof="encoding")
    dtype = Field(2, DATA_TYPE)
    tensor_shape = Field(3, TensorShapeProto)


class SignatureDef(Message, name="tensorflow.SignatureDef"):
    """A call by name, for servers."""

    inputs = Field(1, TensorInfo, key=STRING)
    outputs = Field(2, TensorInfo, key=STRING)
    method_name = Field(3, STRING)


class AssetFileDef(Message, name="tensorflow.AssetFileDef"):
    """The name of a file, and the tensor that is to be its path."""

    tensor_info = Field(1, TensorInfo)
    filename = Field(2, STRING)


class MetaInfoDef(Message, name="tensorflow.MetaGraphDef.MetaInfoDef"):
    """Tags, and the version of the program that wrote the model."""

    tags = Field(4, STRING, repeated=True)
    tensorflow_version = Field(5, STRING)
    stripped_default_attrs = Field(7, BOOL)


class SaverDef(Message, name="tensorflow.SaverDef"):
    """The nodes that save and restore the variables of a graph."""

    filename_tensor_name = Field(1, STRING)
    save_tensor_name = Field(2, STRING)
    restore_op_name = Field(3, STRING)
    version = Field(7, SAVER_VERSION)


class NodeList(Message, name="tensorflow.CollectionDef.NodeList"):
    """Names of nodes."""

    value = Field(1, STRING, repeated=True)


class CollectionDef(Message, name="tensorflow.CollectionDef"):
    """A collection of nodes or of bytes."""

    node_list = Field(1, NodeList, oneof="kind")
    bytes_list = Field(2, BYTES, oneof="kind")


class MetaGraphDef(Message, name="tensorflow.MetaGraphDef"):
    """A graph with the objects that it was made of."""

    meta_info_def = Field(1, MetaInfoDef)
    graph_def = Field(2, GraphDef)
    saver_def = Field(3, SaverDef)
    collection_def = Field(4, CollectionDef, key=STRING)
    signature_def = Field(5, SignatureDef, key=STRING)
    asset_file_def = Field(6, AssetFileDef, repeated=True)
    object_graph_def = Field(7, SavedObjectGraph)


class SavedModel(Message, name="tensorflow.SavedModel"):
    """The whole file."""

    saved_model_schema_version = Field(1, INT64)
    meta_graphs = Field(2, MetaGraphDef, repeated=True)


class CheckpointValue(
    Message, name="tensorflow.TrackableObjectGraph.TrackableObject.SerializedTensor"
):
    """A value of an object: its name, and where it is in the checkpoint."""

    name = Field(1, STRING)
    checkpoint_key = Field(3, STRING)


class CheckpointNode(Message, name="tensorflow.TrackableObjectGraph.TrackableObject"):
    """An object of a checkpoint."""

    children = Field(1, ObjectReference, repeated=True)
    attributes = Field(2, CheckpointValue, repeated=True)


class CheckpointGraph(Message, name="tensorflow.TrackableObjectGraph"):
    """The objects of a checkpoint."""

    nodes = Field(1, CheckpointNode, repeated=True)
