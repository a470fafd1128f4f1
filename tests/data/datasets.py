"""Common parts of the tests of datasets: making them of lists, and taking them apart."""

import numpy as np

import cinta as tf

Dataset = tf.data.Dataset


def values(dataset):
    """The elements with lists in place of arrays."""
    return [tf.nest.map_structure(np.ndarray.tolist, np_of(x)) for x in dataset.as_numpy_iterator()]


def np_of(element):
    return tf.nest.map_structure(np.asarray, element)


def of(xs):
    return Dataset.from_tensor_slices(np.array(xs, np.int64))


def through_python(dataset):
    """The same elements by a way that knows nothing of rows."""
    return dataset.map(tf.identity)
