"""The raw ops of TensorFlow that Keras calls, and the layers that need them."""

import numpy as np
import pytest

import cinta as tf
from cinta.raw_ops.projecting import project
from tests.references import REFERENCES

OF_TENSORFLOW = np.load(REFERENCES / "projective_transforms.npz")
IMAGES, TRANSFORMS = OF_TENSORFLOW["images"], OF_TENSORFLOW["transforms"]
WAYS = [name.split() for name in OF_TENSORFLOW if name.isupper()]


@pytest.mark.parametrize(("interpolation", "fill_mode"), WAYS)
def test_images_are_mapped_as_by_tensorflow(interpolation, fill_mode):
    def mapped(images):
        return project(images, TRANSFORMS, [4, 7], 0.3, interpolation, fill_mode)

    expected = OF_TENSORFLOW[f"{interpolation} {fill_mode}"]
    np.testing.assert_allclose(mapped(tf.constant(IMAGES)), expected, rtol=1e-6, atol=1e-6)
    tf.check_grads(mapped, [tf.constant(IMAGES, "float64")], order=1)


def test_one_map_for_all_images():
    found = project(IMAGES, TRANSFORMS[:1], [5, 6])
    assert found.shape == IMAGES.shape


@pytest.mark.parametrize("x", [[-1.0, 0.0, 0.5, 1.0, 9.0], [[0, 1], [2, 3]]], ids=["float", "int"])
def test_buckets(x):
    found = tf.raw_ops.Bucketize(input=x, boundaries=[0.0, 1.0, 2.0])
    assert found.dtype == tf.int32
    np.testing.assert_array_equal(found, np.digitize(x, [0.0, 1.0, 2.0]))


def test_buckets_do_not_round_boundaries_for_integers():
    found = tf.raw_ops.Bucketize(input=[0, 1, 2], boundaries=[0.5, 1.5])
    np.testing.assert_array_equal(found, [0, 1, 2])


def test_different_slices():
    x = tf.constant([[3, 1], [1, 2], [3, 1], [0, 0]])
    values, inverse, counts = tf.raw_ops.UniqueWithCountsV2(x=x, axis=[0])
    np.testing.assert_array_equal(values, [[3, 1], [1, 2], [0, 0]])
    np.testing.assert_array_equal(inverse, [0, 1, 0, 2])
    np.testing.assert_array_equal(counts, [2, 1, 1])
    np.testing.assert_array_equal(tf.raw_ops.UniqueV2(x=x, axis=[0]).y, values)


@pytest.mark.parametrize(
    "layer",
    ["RandomRotation", "RandomZoom", "RandomShear", "RandomTranslation"],
)
def test_layers_that_move_images_about(layer):
    k = tf.keras.layers
    made = getattr(k, layer)(*[0.2] * (1 if layer == "RandomRotation" else 2), seed=1)
    images = tf.constant(np.abs(IMAGES))
    moved = made(images, training=True)
    assert moved.shape == images.shape
    assert (moved.numpy() != images.numpy()).any()
    np.testing.assert_array_equal(made(images, training=False), images)
