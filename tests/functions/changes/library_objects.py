"""Objects of this library that hold what programs put into them."""

import os
import tempfile

import cinta as tf
from tests.functions.changes.table import change


@change
def an_object_in_a_checkpoint():
    checkpoint = tf.train.Checkpoint(model=tf.Module())
    checkpoint.model.k = 2.0
    yield lambda x: x * checkpoint.model.k
    checkpoint.model.k = 3.0
    yield
    checkpoint.model = tf.Module()
    checkpoint.model.k = 5.0
    yield


@change
def a_variable_in_a_checkpoint():
    checkpoint = tf.train.Checkpoint(step=tf.Variable(2.0))
    yield lambda x: x * checkpoint.step
    checkpoint.step.assign(3.0)
    yield
    checkpoint.step = tf.Variable(5.0)
    yield


@change
def what_a_checkpoint_gets_later():
    checkpoint = tf.train.Checkpoint()
    yield lambda x: x * getattr(checkpoint, "rate", tf.constant(2.0))
    checkpoint.rate = tf.Variable(3.0)
    yield


@change
def how_many_checkpoints_there_are():
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=5)
    yield lambda x: x * len(manager.checkpoints)
    manager.save()
    yield


@change
def the_latest_checkpoint_of_a_manager():
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=5)
    yield lambda x: x * (1.0 if manager.latest_checkpoint is None else 2.0)
    manager.save()
    yield


@change
def an_attribute_of_a_function():
    inner = tf.function(lambda x: x * 2.0)
    inner.rate = 2.0
    yield lambda x: inner(x) * inner.rate
    inner.rate = 3.0
    yield


@change
def an_attribute_of_a_dataset():
    dataset = tf.data.Dataset.range(3)
    dataset.k = 2.0
    yield lambda x: x * dataset.k
    dataset.k = 3.0
    yield


@change
def an_attribute_of_a_generator_of_tensors():
    generator = tf.random.Generator.from_seed(1)
    generator.scale = 2.0
    yield lambda x: x * generator.scale
    generator.scale = 3.0
    yield


@change
def a_number_of_an_initializer():
    initializer = tf.initializers.RandomNormal(seed=1)
    yield lambda x: x * initializer((2,))
    initializer.stddev = 3.0
    yield


@change
def the_value_of_an_initializer():
    initializer = tf.initializers.Constant(2.0)
    yield lambda x: x * initializer(())
    initializer.value = 3.0
    yield


@change
def an_option_of_datasets():
    options = tf.data.Options()
    options.deterministic = True
    yield lambda x: x * (2.0 if options.deterministic else 1.0)
    options.deterministic = False
    yield


@change
def an_option_in_options_of_datasets():
    options = tf.data.Options()
    options.threading.private_threadpool_size = 2
    yield lambda x: x * options.threading.private_threadpool_size
    options.threading.private_threadpool_size = 3
    yield


@change
def an_option_of_saving():
    options = tf.saved_model.SaveOptions()
    options.function_aliases = {"a": 1}
    yield lambda x: x * len(options.function_aliases)
    options.function_aliases = {}
    yield


def _example(value):
    example = tf.train.Example()
    example.features.feature["a"].float_list.value.append(value)
    return example


@change
def a_field_of_a_message():
    example = _example(2.0)
    yield lambda x: x * example.features.feature["a"].float_list.value[0]
    example.features.feature["a"].float_list.value[0] = 3.0
    yield


@change
def a_message_that_is_parsed():
    example, features = _example(2.0), {"a": tf.io.FixedLenFeature([], tf.float32)}
    yield lambda x: x * tf.io.parse_single_example(example.SerializeToString(), features)["a"]
    example.features.feature["a"].float_list.value[0] = 3.0
    yield


@change
def a_feature_to_parse():
    text = _example(2.0).SerializeToString()
    features = {"b": tf.io.FixedLenFeature([], tf.float32, 4.0)}
    yield lambda x: x * tf.io.parse_single_example(text, features)["b"]
    features["b"] = tf.io.FixedLenFeature([], tf.float32, 5.0)
    yield


@change
def a_record_that_is_written():
    path = tempfile.mkdtemp() + "/records"
    writer = tf.io.TFRecordWriter(path)

    def write(x):
        writer.write(b"abc")
        return x

    write = tf.function(write)

    def step(x):
        write(x)
        writer.flush()
        return x * os.path.getsize(path)

    yield step
    yield


@change
def a_tensor_array_that_is_replaced():
    arrays = [tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack([1.0, 2.0])]
    yield lambda x: x * arrays[0].read(1)
    arrays[0] = arrays[0].write(1, 5.0)
    yield


@change
def a_ragged_tensor_with_other_rows():
    found = [tf.ragged.constant([[1.0], [2.0, 3.0]])]
    yield lambda x: x * tf.reduce_sum(found[0], axis=1)
    found[0] = tf.ragged.constant([[1.0, 2.0], [3.0]])
    yield


@change
def a_field_of_an_extension_type():
    class Scaled(tf.experimental.ExtensionType):
        value: tf.Tensor
        k: float

    found = [Scaled(tf.constant(2.0), 2.0)]
    yield lambda x: x * found[0].value * found[0].k
    found[0] = Scaled(tf.constant(2.0), 5.0)
    yield
