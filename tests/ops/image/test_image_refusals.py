"""Images and boxes that make no sense are refused where TensorFlow refuses them."""

import numpy as np
import pytest

import cinta as tf

image = tf.image
PHOTO = tf.ones([4, 4, 3])
BATCH = tf.ones([1, 4, 4, 1])
WHOLE = [[[0.0, 0.0, 1.0, 1.0]]]


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_boxes_to_crop_are_finite(bad):
    with pytest.raises(tf.errors.InvalidArgumentError, match="not finite"):
        image.crop_and_resize(BATCH, [[0.0, 0.0, bad, 1.0]], [0], [2, 2])


@pytest.mark.parametrize("factor", [[2.0], tf.constant([]), tf.constant(2.0, tf.float64)])
@pytest.mark.parametrize(
    "adjust", [image.adjust_contrast, image.adjust_saturation, image.adjust_hue]
)
def test_the_factor_of_an_adjustment_is_one_number(adjust, factor):
    with pytest.raises(tf.errors.InvalidArgumentError, match="one number"):
        adjust(PHOTO, factor)


def test_gamma_is_a_number():
    with pytest.raises(ValueError, match="Gamma"):
        image.adjust_gamma(PHOTO, float("nan"))


EMPTY = {
    "flip_left_right": image.flip_left_right,
    "flip_up_down": image.flip_up_down,
    "rot90": image.rot90,
    "transpose": image.transpose,
    "central_crop": lambda x: image.central_crop(x, 0.5),
    "pad_to_bounding_box": lambda x: image.pad_to_bounding_box(x, 0, 0, 9, 9),
    "resize_with_crop_or_pad": lambda x: image.resize_with_crop_or_pad(x, 9, 9),
    "per_image_standardization": image.per_image_standardization,
}


@pytest.mark.parametrize("change", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("shape", [[0, 2, 1], [2, 0, 1], [2, 2, 0]])
def test_images_have_a_height_a_width_and_channels(change, shape):
    with pytest.raises(ValueError, match="inner 3 dims"):
        change(tf.ones(shape))
    assert change(tf.ones([0, 2, 2, 1])).shape[0] == 0


def test_images_without_channels_are_not_resized():
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-zero size"):
        image.resize(tf.ones([2, 2, 0]), [3, 3])


def test_images_to_compare_have_one_shape():
    with pytest.raises(ValueError, match="incompatible"):
        image.psnr(tf.ones([2, 2, 1]), tf.ones([2, 2, 2]), 1.0)
    with pytest.raises(ValueError, match="incompatible"):
        image.psnr(tf.ones([2, 2]), tf.ones([2, 2]), 1.0)
    assert image.psnr(tf.ones([2, 2, 1]), tf.zeros([3, 2, 2, 1]), 1.0).shape == (3,)


def test_a_gray_image_is_at_least_a_line():
    with pytest.raises(ValueError, match="two-dimensional"):
        image.grayscale_to_rgb([1.0])


def test_colors_that_are_no_numbers_stay_so():
    found = image.rgb_to_hsv([[np.nan, 1.0, 0.5], [0.0, 0.5, 0.0]]).numpy()
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], [1 / 3, 1, 0.5], rtol=1e-6)


@pytest.mark.parametrize(
    ("size", "boxes", "options"),
    [
        ([-8, 8, 3], WHOLE, {}),
        ([8, 8, 3], WHOLE[0], {}),
        ([8, 8, 3], [[[0.0, 0.0, 1.0, 1.5]]], {}),
        ([8, 8, 3], [[[np.nan, 0.0, 1.0, 1.0]]], {}),
        ([8, 8, 3], WHOLE, {"area_range": [0.5, 2.0]}),
        ([8, 8, 3], WHOLE, {"area_range": [0.0, 1.0]}),
        ([8, 8, 3], WHOLE, {"aspect_ratio_range": [0.0, 1.0]}),
        ([8, 8, 3], WHOLE, {"min_object_covered": -0.1}),
        ([8, 8, 3], WHOLE, {"max_attempts": 0}),
    ],
)
def test_parts_that_cannot_be_drawn(size, boxes, options):
    with pytest.raises(tf.errors.InvalidArgumentError):
        image.stateless_sample_distorted_bounding_box(size, boxes, [1, 2], **options)


@pytest.mark.parametrize("kind", ["int32", "int64", "uint8"])
def test_a_part_has_the_dtype_of_the_size(kind):
    part = image.stateless_sample_distorted_bounding_box(
        tf.constant([8, 8, 3], kind), WHOLE, [1, 2]
    )
    assert (part.begin.dtype, part.size.dtype) == (kind, kind)
    assert tf.cast(part.size[2], "int8") == -1


def test_scores_are_of_some_class():
    with pytest.raises(tf.errors.InvalidArgumentError, match="scores"):
        image.combined_non_max_suppression(tf.ones([1, 2, 1, 4]), tf.ones([1, 2, 0]), 1, 1)


@pytest.mark.parametrize("method", ["bilinear", "area", "nearest"])
def test_sizes_that_no_memory_holds_are_refused(method):
    with pytest.raises(tf.errors.InvalidArgumentError, match="overflow when multiplying"):
        tf.image.resize(np.ones((5, 1, 1, 2)), [1610637938, 1610637938], method)


@pytest.mark.parametrize(
    ("argument", "function"),
    [
        ("max_output_size", lambda: tf.image.non_max_suppression([[0.0] * 4], [0.9], [3])),
        ("iou_threshold", lambda: tf.image.non_max_suppression([[0.0] * 4], [0.9], 3, [[0.5]])),
        (
            "soft_nms_sigma",
            lambda: tf.image.non_max_suppression_with_scores(
                [[0.0] * 4], [0.9], 3, soft_nms_sigma=[0.1]
            ),
        ),
        (
            "overlap_threshold",
            lambda: tf.image.non_max_suppression_overlaps([[1.0]], [0.9], 3, [0.5]),
        ),
    ],
)
def test_limits_of_boxes_are_scalars(argument, function):
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{argument} must be 0-D"):
        function()
