"""The messages of records: examples, which are features by name."""

from __future__ import annotations

from ..public import public
from .message_fields import MessageField
from .messages import Message
from .scalars import BYTES, FLOAT, INT64, STRING


@public("train.BytesList")
class BytesList(Message, name="tensorflow.BytesList"):
    """Strings of bytes: the value of a feature.

    >>> import cinta as tf
    >>> feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"cat", b"dog"]))
    >>> list(feature.bytes_list.value)
    [b'cat', b'dog']
    """

    value = MessageField(1, BYTES, repeated=True)


@public("train.FloatList")
class FloatList(Message, name="tensorflow.FloatList"):
    """Numbers in float32: the value of a feature.

    >>> import cinta as tf
    >>> list(tf.train.FloatList(value=[1.5, 2]).value)
    [1.5, 2.0]
    """

    value = MessageField(1, FLOAT, repeated=True)


@public("train.Int64List")
class Int64List(Message, name="tensorflow.Int64List"):
    """Whole numbers: the value of a feature.

    >>> import cinta as tf
    >>> list(tf.train.Int64List(value=[7, -1]).value)
    [7, -1]
    """

    value = MessageField(1, INT64, repeated=True)


@public("train.Feature")
class Feature(Message, name="tensorflow.Feature"):
    """A list of bytes, of floats or of whole numbers.

    It holds one of the three: to set another one clears the first.

    >>> import cinta as tf
    >>> feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> feature.WhichOneof("kind"), list(feature.int64_list.value)
    ('int64_list', [7])
    """

    bytes_list = MessageField(1, BytesList, oneof="kind")
    float_list = MessageField(2, FloatList, oneof="kind")
    int64_list = MessageField(3, Int64List, oneof="kind")


@public("train.Features")
class Features(Message, name="tensorflow.Features"):
    """Features by their names.

    >>> import cinta as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> features = tf.train.Features(feature={"age": age})
    >>> list(features.feature["age"].int64_list.value)
    [7]
    """

    feature = MessageField(1, Feature, key=STRING)


@public("train.Example")
class Example(Message, name="tensorflow.Example"):
    """Features that belong together, as records hold them.

    >>> import cinta as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": age}))
    >>> example.SerializeToString()
    b'\\n\\x0e\\n\\x0c\\n\\x03age\\x12\\x05\\x1a\\x03\\n\\x01\\x07'
    """

    features = MessageField(1, Features)


@public("train.FeatureList")
class FeatureList(Message, name="tensorflow.FeatureList"):
    """The features of one name in a sequence.

    >>> import cinta as tf
    >>> words = [tf.train.BytesList(value=[word]) for word in (b"a", b"tape")]
    >>> steps = tf.train.FeatureList(feature=[tf.train.Feature(bytes_list=w) for w in words])
    >>> len(steps.feature)
    2
    """

    feature = MessageField(1, Feature, repeated=True)


@public("train.FeatureLists")
class FeatureLists(Message, name="tensorflow.FeatureLists"):
    """Lists of features by their names.

    >>> import cinta as tf
    >>> steps = tf.train.FeatureList(feature=[tf.train.Feature(), tf.train.Feature()])
    >>> lists = tf.train.FeatureLists(feature_list={"words": steps})
    >>> len(lists.feature_list["words"].feature)
    2
    """

    feature_list = MessageField(1, FeatureList, key=STRING)


@public("train.SequenceExample")
class SequenceExample(Message, name="tensorflow.SequenceExample"):
    """Features that belong together, and lists of features, one for each step of a sequence.

    ``tf.io.parse_single_sequence_example`` reads it.

    >>> import cinta as tf
    >>> scores = [tf.train.FloatList(value=[score]) for score in (0.5, 1.5)]
    >>> steps = tf.train.FeatureList(feature=[tf.train.Feature(float_list=s) for s in scores])
    >>> example = tf.train.SequenceExample(
    ...     feature_lists=tf.train.FeatureLists(feature_list={"score": steps})
    ... )
    >>> _, sequences = tf.io.parse_single_sequence_example(
    ...     example.SerializeToString(),
    ...     sequence_features={"score": tf.io.FixedLenSequenceFeature([], tf.float32)},
    ... )
    >>> sequences["score"].numpy()
    array([0.5, 1.5], dtype=float32)
    """

    context = MessageField(1, Features)
    feature_lists = MessageField(2, FeatureLists)
