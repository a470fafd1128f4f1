"""The messages of records: examples, which are features by name."""

from __future__ import annotations

from ..public import public
from .messages import Field, Message
from .scalars import BYTES, FLOAT, INT64, STRING


@public("train.BytesList")
class BytesList(Message, name="tensorflow.BytesList"):
    """Strings of bytes: the value of a feature."""

    value = Field(1, BYTES, repeated=True)


@public("train.FloatList")
class FloatList(Message, name="tensorflow.FloatList"):
    """Numbers in float32: the value of a feature."""

    value = Field(1, FLOAT, repeated=True)


@public("train.Int64List")
class Int64List(Message, name="tensorflow.Int64List"):
    """Whole numbers: the value of a feature."""

    value = Field(1, INT64, repeated=True)


@public("train.Feature")
class Feature(Message, name="tensorflow.Feature"):
    """A list of bytes, of floats or of whole numbers."""

    bytes_list = Field(1, BytesList, oneof="kind")
    float_list = Field(2, FloatList, oneof="kind")
    int64_list = Field(3, Int64List, oneof="kind")


@public("train.Features")
class Features(Message, name="tensorflow.Features"):
    """Features by their names."""

    feature = Field(1, Feature, key=STRING)


@public("train.Example")
class Example(Message, name="tensorflow.Example"):
    """Features that belong together, as records hold them.

    >>> import cinta as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": age}))
    >>> example.SerializeToString()
    b'\\n\\x0e\\n\\x0c\\n\\x03age\\x12\\x05\\x1a\\x03\\n\\x01\\x07'
    """

    features = Field(1, Features)


@public("train.FeatureList")
class FeatureList(Message, name="tensorflow.FeatureList"):
    """The features of one name in a sequence."""

    feature = Field(1, Feature, repeated=True)


@public("train.FeatureLists")
class FeatureLists(Message, name="tensorflow.FeatureLists"):
    """Lists of features by their names."""

    feature_list = Field(1, FeatureList, key=STRING)


@public("train.SequenceExample")
class SequenceExample(Message, name="tensorflow.SequenceExample"):
    """Features that belong together, and lists of features, one for each step of a sequence."""

    context = Field(1, Features)
    feature_lists = Field(2, FeatureLists)
