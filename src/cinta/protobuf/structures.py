"""The messages of structures: nests of specs and plain values."""

from __future__ import annotations

from .message_fields import MessageField
from .messages import Message
from .scalars import BOOL, DOUBLE, INT32, SINT64, STRING, Enum
from .tensor_messages import DATA_TYPE, TensorProto, TensorShapeProto

TYPE_SPEC_CLASS = Enum(
    UNKNOWN=0,
    SPARSE_TENSOR_SPEC=1,
    INDEXED_SLICES_SPEC=2,
    RAGGED_TENSOR_SPEC=3,
    TENSOR_ARRAY_SPEC=4,
    DATA_DATASET_SPEC=5,
    DATA_ITERATOR_SPEC=6,
    OPTIONAL_SPEC=7,
    PER_REPLICA_SPEC=8,
    VARIABLE_SPEC=9,
    ROW_PARTITION_SPEC=10,
    REGISTERED_TYPE_SPEC=12,
    EXTENSION_TYPE_SPEC=13,
)


class NoneValue(Message, name="tensorflow.NoneValue"):
    """None."""


class TensorSpecProto(Message, name="tensorflow.TensorSpecProto"):
    """A TensorSpec."""

    name = MessageField(1, STRING)
    shape = MessageField(2, TensorShapeProto)
    dtype = MessageField(3, DATA_TYPE)


class BoundedTensorSpecProto(Message, name="tensorflow.BoundedTensorSpecProto"):
    """A TensorSpec with bounds of the values."""

    name = MessageField(1, STRING)
    shape = MessageField(2, TensorShapeProto)
    dtype = MessageField(3, DATA_TYPE)
    minimum = MessageField(4, TensorProto)
    maximum = MessageField(5, TensorProto)


class TypeSpecProto(Message, name="tensorflow.TypeSpecProto"):
    """Another spec: its class, and the parts that it is made of."""

    type_spec_class = MessageField(1, TYPE_SPEC_CLASS)
    type_state = MessageField(2, lambda: StructuredValue)
    type_spec_class_name = MessageField(3, STRING)
    num_flat_components = MessageField(4, INT32)


class ListValue(Message, name="tensorflow.ListValue"):
    """A list."""

    values = MessageField(1, lambda: StructuredValue, repeated=True)


class TupleValue(Message, name="tensorflow.TupleValue"):
    """A tuple."""

    values = MessageField(1, lambda: StructuredValue, repeated=True)


class DictValue(Message, name="tensorflow.DictValue"):
    """A dict with texts for keys."""

    fields = MessageField(1, lambda: StructuredValue, key=STRING)


class PairValue(Message, name="tensorflow.PairValue"):
    """A field of a named tuple."""

    key = MessageField(1, STRING)
    value = MessageField(2, lambda: StructuredValue)


class NamedTupleValue(Message, name="tensorflow.NamedTupleValue"):
    """A named tuple."""

    name = MessageField(1, STRING)
    values = MessageField(2, PairValue, repeated=True)


class StructuredValue(Message, name="tensorflow.StructuredValue"):
    """A nest of specs and plain values."""

    none_value = MessageField(1, NoneValue, oneof="kind")
    float64_value = MessageField(11, DOUBLE, oneof="kind")
    int64_value = MessageField(12, SINT64, oneof="kind")
    string_value = MessageField(13, STRING, oneof="kind")
    bool_value = MessageField(14, BOOL, oneof="kind")
    tensor_shape_value = MessageField(31, TensorShapeProto, oneof="kind")
    tensor_dtype_value = MessageField(32, DATA_TYPE, oneof="kind")
    tensor_spec_value = MessageField(33, TensorSpecProto, oneof="kind")
    type_spec_value = MessageField(34, TypeSpecProto, oneof="kind")
    bounded_tensor_spec_value = MessageField(35, BoundedTensorSpecProto, oneof="kind")
    list_value = MessageField(51, ListValue, oneof="kind")
    tuple_value = MessageField(52, TupleValue, oneof="kind")
    dict_value = MessageField(53, DictValue, oneof="kind")
    named_tuple_value = MessageField(54, NamedTupleValue, oneof="kind")
    tensor_value = MessageField(55, TensorProto, oneof="kind")
    numpy_value = MessageField(56, TensorProto, oneof="kind")
