"""The messages of event files, which TensorBoard shows."""

from __future__ import annotations

from ..public import public
from .message_fields import MessageField
from .messages import Message
from .scalars import BYTES, DOUBLE, FLOAT, INT64, STRING, Enum
from .tensor_messages import TensorProto

DATA_CLASS = Enum(
    DATA_CLASS_UNKNOWN=0,
    DATA_CLASS_SCALAR=1,
    DATA_CLASS_TENSOR=2,
    DATA_CLASS_BLOB_SEQUENCE=3,
)
SCALAR, TENSOR, BLOB_SEQUENCE = 1, 2, 3


class PluginData(Message, name="tensorflow.SummaryMetadata.PluginData"):
    """The part of TensorBoard that shows a summary, and whatever it has to be told."""

    plugin_name = MessageField(1, STRING)
    content = MessageField(2, BYTES)


@public("compat.v1.SummaryMetadata")
class SummaryMetadata(Message, name="tensorflow.SummaryMetadata"):
    """How a summary is to be shown.

    >>> import cinta as tf
    >>> PluginData = tf.compat.v1.SummaryMetadata.PluginData
    >>> tf.compat.v1.SummaryMetadata(plugin_data=PluginData(plugin_name="images"))
    plugin_data {
      plugin_name: "images"
    }
    <BLANKLINE>
    """

    PluginData = PluginData
    plugin_data = MessageField(1, PluginData)
    display_name = MessageField(2, STRING)
    summary_description = MessageField(3, STRING)
    data_class = MessageField(4, DATA_CLASS)


class Value(Message, name="tensorflow.Summary.Value"):
    """A value with its tag."""

    tag = MessageField(1, STRING)
    simple_value = MessageField(2, FLOAT, oneof="value")
    node_name = MessageField(7, STRING)
    tensor = MessageField(8, TensorProto, oneof="value")
    metadata = MessageField(9, SummaryMetadata)


@public("compat.v1.Summary")
class Summary(Message, name="tensorflow.Summary"):
    """Values that were found at one step.

    >>> import cinta as tf
    >>> loss = tf.compat.v1.Summary.Value(tag="loss", simple_value=0.5)
    >>> [(each.tag, each.simple_value) for each in tf.compat.v1.Summary(value=[loss]).value]
    [('loss', 0.5)]
    """

    Value = Value
    value = MessageField(1, Value, repeated=True)


class TaggedRunMetadata(Message, name="tensorflow.TaggedRunMetadata"):
    """Graphs that were run, under a tag."""

    tag = MessageField(1, STRING)
    run_metadata = MessageField(2, BYTES)


class SourceMetadata(Message, name="tensorflow.SourceMetadata"):
    """The writer of a file."""

    writer = MessageField(1, STRING)


@public("compat.v1.Event")
class Event(Message, name="tensorflow.Event"):
    """An entry of an event file: when it was made, at which step, and its content.

    >>> import cinta as tf
    >>> tf.compat.v1.Event(step=3, file_version="brain.Event:2").WhichOneof("what")
    'file_version'
    """

    wall_time = MessageField(1, DOUBLE)
    step = MessageField(2, INT64)
    file_version = MessageField(3, STRING, oneof="what")
    graph_def = MessageField(4, BYTES, oneof="what")
    summary = MessageField(5, Summary, oneof="what")
    tagged_run_metadata = MessageField(8, TaggedRunMetadata, oneof="what")
    meta_graph_def = MessageField(9, BYTES, oneof="what")
    source_metadata = MessageField(10, SourceMetadata)
