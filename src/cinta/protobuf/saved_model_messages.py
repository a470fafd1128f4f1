"""The messages of saved models: the objects of a program, its functions, and their signatures."""

from __future__ import annotations

from .graph_messages import GraphDef, VersionDef
from .message_fields import MessageField
from .messages import Message
from .scalars import BOOL, BYTES, INT32, INT64, STRING, UINT64, Enum
from .structures import StructuredValue
from .tensor_messages import DATA_TYPE, TensorShapeProto

JIT_COMPILE = Enum(DEFAULT=0, ON=1, OFF=2)
SAVER_VERSION = Enum(LEGACY=0, V1=1, V2=2)


class ObjectReference(
    Message, name="tensorflow.TrackableObjectGraph.TrackableObject.ObjectReference"
):
    """An object in another one, under a name."""

    node_id = MessageField(1, INT32)
    local_name = MessageField(2, STRING)


class SavedUserObject(Message, name="tensorflow.SavedUserObject"):
    """An object with attributes, a list or a dictionary."""

    identifier = MessageField(1, STRING)
    version = MessageField(2, VersionDef)
    metadata = MessageField(3, STRING)


class SavedAsset(Message, name="tensorflow.SavedAsset"):
    """A file that belongs to the model: its place in the list of them."""

    asset_file_def_index = MessageField(1, INT32)


class FunctionSpec(Message, name="tensorflow.FunctionSpec"):
    """The parameters of a function."""

    fullargspec = MessageField(1, StructuredValue)
    is_method = MessageField(2, BOOL)
    input_signature = MessageField(5, StructuredValue)
    jit_compile = MessageField(6, JIT_COMPILE)


class SavedFunction(Message, name="tensorflow.SavedFunction"):
    """A function with the names of those that it has for some arguments each."""

    concrete_functions = MessageField(1, STRING, repeated=True)
    function_spec = MessageField(2, FunctionSpec)


class SavedVariable(Message, name="tensorflow.SavedVariable"):
    """A variable, whose value is in a checkpoint."""

    dtype = MessageField(1, DATA_TYPE)
    shape = MessageField(2, TensorShapeProto)
    trainable = MessageField(3, BOOL)
    name = MessageField(6, STRING)


class SavedBareConcreteFunction(Message, name="tensorflow.SavedBareConcreteFunction"):
    """A function for some arguments, which is called with tensors by name."""

    concrete_function_name = MessageField(1, STRING)
    argument_keywords = MessageField(2, STRING, repeated=True)
    allowed_positional_arguments = MessageField(3, INT64)
    function_spec = MessageField(4, FunctionSpec)


class SavedConstant(Message, name="tensorflow.SavedConstant"):
    """A tensor: the node that makes it."""

    operation = MessageField(1, STRING)


class SavedResource(Message, name="tensorflow.SavedResource"):
    """An object that functions of its own make and fill, such as a table."""

    device = MessageField(1, STRING)


class CapturedTensor(Message, name="tensorflow.CapturedTensor"):
    """A tensor that another function gives."""

    name = MessageField(1, STRING)
    concrete_function = MessageField(2, STRING)


class SavedObject(Message, name="tensorflow.SavedObject"):
    """An object, of one of the kinds."""

    children = MessageField(1, ObjectReference, repeated=True)
    user_object = MessageField(4, SavedUserObject, oneof="kind")
    asset = MessageField(5, SavedAsset, oneof="kind")
    function = MessageField(6, SavedFunction, oneof="kind")
    variable = MessageField(7, SavedVariable, oneof="kind")
    bare_concrete_function = MessageField(8, SavedBareConcreteFunction, oneof="kind")
    constant = MessageField(9, SavedConstant, oneof="kind")
    resource = MessageField(10, SavedResource, oneof="kind")
    captured_tensor = MessageField(12, CapturedTensor, oneof="kind")
    registered_name = MessageField(13, STRING)
    dependencies = MessageField(15, ObjectReference, repeated=True)


class SavedConcreteFunction(Message, name="tensorflow.SavedConcreteFunction"):
    """The structures of a function's arguments and results, and the objects it takes beside."""

    bound_inputs = MessageField(2, INT32, repeated=True)
    canonicalized_input_signature = MessageField(3, StructuredValue)
    output_signature = MessageField(4, StructuredValue)


class SavedObjectGraph(Message, name="tensorflow.SavedObjectGraph"):
    """All objects, of which the first is the model."""

    nodes = MessageField(1, SavedObject, repeated=True)
    concrete_functions = MessageField(2, SavedConcreteFunction, key=STRING)


class TensorInfo(Message, name="tensorflow.TensorInfo"):
    """A tensor of a graph: its name, dtype and shape."""

    name = MessageField(1, STRING, oneof="encoding")
    dtype = MessageField(2, DATA_TYPE)
    tensor_shape = MessageField(3, TensorShapeProto)


class SignatureDef(Message, name="tensorflow.SignatureDef"):
    """A call by name, for servers."""

    inputs = MessageField(1, TensorInfo, key=STRING)
    outputs = MessageField(2, TensorInfo, key=STRING)
    method_name = MessageField(3, STRING)


class AssetFileDef(Message, name="tensorflow.AssetFileDef"):
    """The name of a file, and the tensor that is to be its path."""

    tensor_info = MessageField(1, TensorInfo)
    filename = MessageField(2, STRING)


class MetaInfoDef(Message, name="tensorflow.MetaGraphDef.MetaInfoDef"):
    """Tags, and the version of the program that wrote the model."""

    tags = MessageField(4, STRING, repeated=True)
    tensorflow_version = MessageField(5, STRING)
    stripped_default_attrs = MessageField(7, BOOL)


class SaverDef(Message, name="tensorflow.SaverDef"):
    """The nodes that save and restore the variables of a graph."""

    filename_tensor_name = MessageField(1, STRING)
    save_tensor_name = MessageField(2, STRING)
    restore_op_name = MessageField(3, STRING)
    version = MessageField(7, SAVER_VERSION)


class NodeList(Message, name="tensorflow.CollectionDef.NodeList"):
    """Names of nodes."""

    value = MessageField(1, STRING, repeated=True)


class CollectionDef(Message, name="tensorflow.CollectionDef"):
    """A collection of nodes or of bytes."""

    node_list = MessageField(1, NodeList, oneof="kind")
    bytes_list = MessageField(2, BYTES, oneof="kind")


class MetaGraphDef(Message, name="tensorflow.MetaGraphDef"):
    """A graph with the objects that it was made of."""

    meta_info_def = MessageField(1, MetaInfoDef)
    graph_def = MessageField(2, GraphDef)
    saver_def = MessageField(3, SaverDef)
    collection_def = MessageField(4, CollectionDef, key=STRING)
    signature_def = MessageField(5, SignatureDef, key=STRING)
    asset_file_def = MessageField(6, AssetFileDef, repeated=True)
    object_graph_def = MessageField(7, SavedObjectGraph)


class SavedModel(Message, name="tensorflow.SavedModel"):
    """The whole file."""

    saved_model_schema_version = MessageField(1, INT64)
    meta_graphs = MessageField(2, MetaGraphDef, repeated=True)


class CheckpointValue(
    Message, name="tensorflow.TrackableObjectGraph.TrackableObject.SerializedTensor"
):
    """A value of an object: its name, and where it is in the checkpoint."""

    name = MessageField(1, STRING)
    checkpoint_key = MessageField(3, STRING)


class CheckpointNode(Message, name="tensorflow.TrackableObjectGraph.TrackableObject"):
    """An object of a checkpoint."""

    children = MessageField(1, ObjectReference, repeated=True)
    attributes = MessageField(2, CheckpointValue, repeated=True)


class CheckpointGraph(Message, name="tensorflow.TrackableObjectGraph"):
    """The objects of a checkpoint."""

    nodes = MessageField(1, CheckpointNode, repeated=True)


class FingerprintDef(Message, name="tensorflow.FingerprintDef"):
    """Numbers by which saved models are told apart."""

    saved_model_checksum = MessageField(1, UINT64)
    graph_def_program_hash = MessageField(2, UINT64)
    signature_def_hash = MessageField(3, UINT64)
    saved_object_graph_hash = MessageField(4, UINT64)
    checkpoint_hash = MessageField(5, UINT64)
    version = MessageField(6, VersionDef)
    uuid = MessageField(7, STRING)
