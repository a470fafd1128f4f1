"""The messages of tensors and their shapes."""

from __future__ import annotations

from ..public import public
from .message_fields import MessageField
from .messages import Message
from .scalars import BOOL, BYTES, DOUBLE, FLOAT, INT32, INT64, STRING, UINT32, UINT64, Enum

_TYPES = (
    "INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 "
    "BFLOAT16 QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 FLOAT8_E5M2 "
    "FLOAT8_E4M3FN FLOAT8_E4M3FNUZ FLOAT8_E4M3B11FNUZ FLOAT8_E5M2FNUZ INT4 UINT4 INT2 UINT2 "
    "FLOAT4_E2M1FN"
)
DATA_TYPE = Enum(**{f"DT_{name}": i for i, name in enumerate(_TYPES.split())})


class Dim(Message, name="tensorflow.TensorShapeProto.Dim"):
    """The length of an axis; -1 if it is not known."""

    size = MessageField(1, INT64)
    name = MessageField(2, STRING)


@public("compat.v1.TensorShapeProto")
class TensorShapeProto(Message, name="tensorflow.TensorShapeProto"):
    """A shape.

    >>> import cinta as tf
    >>> [dim.size for dim in tf.TensorShape([2, 3]).as_proto().dim]
    [2, 3]
    """

    Dim = Dim
    dim = MessageField(2, Dim, repeated=True)
    unknown_rank = MessageField(3, BOOL)


@public("compat.v1.TensorProto")
class TensorProto(Message, name="tensorflow.TensorProto"):
    """A tensor, with its elements in the field of their dtype, or all in one piece.

    >>> import cinta as tf
    >>> tf.make_ndarray(tf.compat.v1.TensorProto(dtype=1, float_val=[0.5]))
    array(0.5, dtype=float32)
    """

    dtype = MessageField(1, DATA_TYPE)
    tensor_shape = MessageField(2, TensorShapeProto)
    version_number = MessageField(3, INT32)
    tensor_content = MessageField(4, BYTES)
    float_val = MessageField(5, FLOAT, repeated=True)
    double_val = MessageField(6, DOUBLE, repeated=True)
    int_val = MessageField(7, INT32, repeated=True)
    string_val = MessageField(8, BYTES, repeated=True)
    scomplex_val = MessageField(9, FLOAT, repeated=True)
    int64_val = MessageField(10, INT64, repeated=True)
    bool_val = MessageField(11, BOOL, repeated=True)
    dcomplex_val = MessageField(12, DOUBLE, repeated=True)
    half_val = MessageField(13, INT32, repeated=True)
    uint32_val = MessageField(16, UINT32, repeated=True)
    uint64_val = MessageField(17, UINT64, repeated=True)
    float8_val = MessageField(18, BYTES)
