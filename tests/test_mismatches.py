"""Shapes that do not go together: told in words, with what may have been meant."""

import operator

import pytest

import cinta as tf
from tests.test_messages import refused


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ((2, 3), (3, 4), r"\[2,3\] vs\. \[3,4\]\. Is the product of matrices meant\?.*a @ b"),
        ((7, 2, 3), (3, 4), "tf.matmul"),
        ((4, 3), (4,), r"The second one would fit with one more axis: x\[\.\.\., tf\.newaxis\]"),
        ((4,), (4, 3), "The first one would fit"),
        ((4,), (3,), r"\[4\] vs\. \[3\] \[Op"),
        ((2, 3), (4, 3), r"\[2,3\] vs\. \[4,3\] \[Op"),
    ],
)
@pytest.mark.parametrize("operate", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_shapes_that_are_those_of_something_else(operate, a, b, words):
    replayed = tf.function(operate)
    replayed(tf.ones(a), tf.ones(a))
    for call in (operate, replayed):
        with refused(tf.errors.InvalidArgumentError, "^Incompatible shapes", words):
            call(tf.ones(a), tf.ones(b))


def test_nobody_means_a_product_of_matrices_by_a_maximum():
    with refused(
        tf.errors.InvalidArgumentError, r"^Incompatible shapes: \[2,3\] vs\. \[3,4\] \[Op"
    ):
        tf.maximum(tf.ones([2, 3]), tf.ones([3, 4]))


IMAGE = tf.ones([1, 4, 4, 3])
CONVOLUTIONS = {
    "uneven": lambda: tf.nn.conv2d(IMAGE, tf.ones([2, 2, 2, 5]), 1, "SAME"),
    "groups": lambda: tf.nn.conv2d(IMAGE, tf.ones([2, 2, 1, 5]), 1, "SAME"),
    "1-d": lambda: tf.nn.conv1d(IMAGE[0], tf.ones([2, 1, 5]), 1, "SAME"),
    "3-d": lambda: tf.nn.conv3d(IMAGE[tf.newaxis], tf.ones([2, 2, 2, 1, 5]), [1] * 5, "SAME"),
    "depthwise": lambda: tf.nn.depthwise_conv2d(IMAGE, tf.ones([2, 2, 1, 5]), [1] * 4, "SAME"),
    "separable": lambda: tf.nn.separable_conv2d(
        IMAGE, tf.ones([2, 2, 1, 5]), tf.ones([1, 1, 5, 5]), [1] * 4, "SAME"
    ),
    "transposed": lambda: tf.nn.conv2d_transpose(
        IMAGE, tf.ones([2, 2, 5, 1]), [1, 8, 8, 5], 2, "SAME"
    ),
}


@pytest.mark.parametrize("call", CONVOLUTIONS.values(), ids=CONVOLUTIONS)
def test_filters_that_do_not_go_with_the_image(call):
    with refused(
        tf.errors.InvalidArgumentError,
        r"the input \[[\d,]*3\] has 3 channels, but the filters \[[\d,]*\] expect [12], which",
    ):
        call()


def test_a_single_image_is_no_batch():
    with refused(tf.errors.InvalidArgumentError, r"4-dimensional.*x\[tf\.newaxis\]"):
        tf.nn.conv2d(IMAGE[0], tf.ones([2, 2, 3, 5]), 1, "SAME")


@pytest.mark.parametrize(
    ("loss", "labels", "error", "words"),
    [
        ("softmax", [1, 2], tf.errors.InvalidArgumentError, "sparse_softmax_cross_entropy"),
        ("sparse_softmax", tf.ones([2, 4]), ValueError, "nn.softmax_cross_entropy"),
        ("sparse_softmax", tf.ones([2, 4], tf.int32), ValueError, "nn.softmax_cross_entropy"),
        ("sparse_softmax", [1, 4], tf.errors.InvalidArgumentError, "have 4 columns"),
        ("sigmoid", tf.ones([8]), ValueError, r"tf\.reshape\(labels, \[2, 4\]\)"),
        ("sigmoid", tf.ones([2]), ValueError, r"\(2,\)\)\.$"),
    ],
)
def test_labels_that_do_not_go_with_the_logits(loss, labels, error, words):
    with refused(error, words):
        getattr(tf.nn, f"{loss}_cross_entropy_with_logits")(labels=labels, logits=tf.ones([2, 4]))


def test_axes_over_which_to_sum_are_equally_long():
    with refused(
        tf.errors.InvalidArgumentError,
        r"axes \[1\] of shape \[2,3\] are \[3\] long, axes \[0\] of shape \[4,3\] are \[4\] long",
    ):
        tf.tensordot(tf.ones([2, 3]), tf.ones([4, 3]), 1)


def test_a_format_is_for_one_number():
    x = tf.constant([1.0, 2.0])
    with refused(TypeError, r"'\.2f' is for one number.*shape \(2,\)"):
        f"{x:.2f}"
    with refused(TypeError, r"'\.2f' is for one number"):
        f"{tf.Variable([1.0, 2.0]):.2f}"


# -- values that are not tensors ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "A gradient that is None, or a function without `return`"),
        ({1, 2}, r"Make a list of it: list\(x\)"),
        ((i for i in range(3)), r"Make a list of it: list\(x\)"),
        ({"a": 1}, r"list\(x\.values\(\)\)"),
        (object(), r"to a Tensor\.$"),
    ],
)
def test_values_of_which_no_tensor_can_be_made(value, words):
    with refused(ValueError, "^Attempt to convert a value", words):
        tf.constant([1.0]) * value


def test_a_mask_and_a_list_are_no_index():
    x = tf.constant([1.0, 2.0])
    with refused(TypeError, "tf.boolean_mask"):
        x[[True, False]]
    with refused(tf.errors.InvalidArgumentError, r"tf\.gather\(x, indices\)"):
        x[[0, 1]]


def test_a_model_is_no_source():
    class Model(tf.Module):
        def __init__(self):
            self.w = tf.Variable(2.0)

    model = Model()
    with tf.GradientTape() as tape:
        y = model.w * 3.0
    with refused(TypeError, r"x\.trainable_variables"):
        tape.gradient(y, model)
