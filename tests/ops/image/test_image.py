"""Images: resized, cut, mirrored, colored, compared."""

import colorsys

import numpy as np
import pytest

import cinta as tf

image = tf.image
InvalidArgument = tf.errors.InvalidArgumentError
draw = np.random.default_rng(0)
PHOTO = draw.uniform(0, 1, (2, 6, 5, 3)).astype(np.float32)
METHODS = ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5")
SMOOTHING = ("gaussian", "mitchellcubic")


# -- resizing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", METHODS + SMOOTHING)
def test_resizing_keeps_what_is_even(method, antialias):
    even = np.full((1, 7, 5, 1), 3.0, np.float32)
    for size in ([3, 11], [14, 2], [1, 1], [7, 5]):
        resized = image.resize(even, size, method, antialias=antialias)
        assert resized.shape == (1, *size, 1)
        np.testing.assert_allclose(resized, np.full((1, *size, 1), 3.0), rtol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_resizing_to_the_same_size_changes_nothing(method):
    np.testing.assert_allclose(image.resize(PHOTO, [6, 5], method), PHOTO, atol=1e-6)


def test_resizing_down_by_antialias_looks_at_all_elements():
    spikes = np.zeros((9, 9, 1), np.float32)
    spikes[::3, ::3] = 1
    blind = image.resize(spikes, [3, 3])
    seeing = image.resize(spikes, [3, 3], antialias=True)
    assert np.all(blind.numpy() == 0)
    assert np.all(seeing.numpy() > 0)


@pytest.mark.parametrize("method", ["bilinear", "bicubic", "lanczos3"])
def test_infinity_does_not_count_far_away(method):
    x = np.ones([1, 300, 400, 1], np.float32)
    x[0, 3, 4] = np.inf
    found = image.resize(x, [40, 50], method, antialias=True).numpy()
    assert not np.isfinite(found[0, 0, 0, 0])
    np.testing.assert_allclose(found[0, 20:, 20:], 1, rtol=1e-5)


def test_values_of_resizing():
    ramp = np.arange(4, dtype=np.float32).reshape(1, 4, 1)
    for method, expected in (
        ("bilinear", [0.5, 2.5]),
        ("nearest", [1, 3]),
        ("area", [0.5, 2.5]),
        ("bicubic", [7 / 17, 44 / 17]),
    ):
        found = image.resize(ramp, [1, 2], method).numpy().ravel()
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("method", ["bilinear", "bicubic", "lanczos3", "nearest"])
def test_resizing_is_linear_and_its_gradient_is_the_transpose(method):
    x, seed = tf.constant(PHOTO), draw.standard_normal((2, 4, 8, 3)).astype(np.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = image.resize(x, [4, 8], method)
    back = tape.gradient(y, x, tf.constant(seed))
    np.testing.assert_allclose(np.sum(y.numpy() * seed), np.sum(PHOTO * back.numpy()), rtol=1e-3)


def test_resizing_gives_floats_except_by_nearest():
    for dtype in ("uint8", "int32", "float16", "float64"):
        x = tf.cast(PHOTO * 9, dtype)
        assert image.resize(x, [3, 3]).dtype == tf.float32
        assert image.resize(x, [3, 3], "nearest").dtype == dtype


def test_places_at_the_edge_of_a_kernel_count_as_in_tensorflow():
    x = tf.reshape(tf.range(7.0), [7, 1, 1])
    found = image.resize(x, [4, 1], "gaussian", antialias=True).numpy().ravel()
    np.testing.assert_allclose(found[-1], 5.37932, rtol=1e-5)


def test_the_aspect_ratio_is_kept_on_request():
    x = tf.zeros([10, 20, 1])
    assert image.resize(x, [8, 8], preserve_aspect_ratio=True).shape == (4, 8, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        image.resize(tf.zeros([1, 5, 1]), [5, 1], preserve_aspect_ratio=True)
    padded = image.resize_with_pad(x + 1.0, 8, 8).numpy()[:, :, 0]
    np.testing.assert_array_equal(padded[:, 0], [0, 0, 1, 1, 1, 1, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([4, 4], "cubic"), ValueError, "not implemented: cubic"),
        (([4],), ValueError, "2 elements"),
        (([4.0, 4.0],), ValueError, "int32"),
        (([0, 4],), InvalidArgument, "must be positive"),
    ],
)
def test_sizes_and_methods_that_make_no_sense_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        image.resize(PHOTO, *arguments)
    with pytest.raises(ValueError, match="3 or 4 dimensions"):
        image.resize(PHOTO[0, 0], [4, 4])
    with pytest.raises(InvalidArgument, match="non-zero size"):
        image.resize(PHOTO[:, :0], [4, 4])


# -- turned, cut, framed -----------------------------------------------------------------------


@pytest.mark.parametrize("quarters", range(-1, 6))
def test_rot90_turns_as_numpy_does(quarters):
    np.testing.assert_array_equal(
        image.rot90(PHOTO, quarters), np.rot90(PHOTO, quarters, axes=(1, 2))
    )


def test_flips_and_transpose():
    np.testing.assert_array_equal(image.flip_left_right(PHOTO), PHOTO[:, :, ::-1])
    np.testing.assert_array_equal(image.flip_up_down(PHOTO[0]), PHOTO[0, ::-1])
    np.testing.assert_array_equal(image.transpose(PHOTO), PHOTO.transpose(0, 2, 1, 3))


def test_cutting_undoes_framing():
    framed = image.pad_to_bounding_box(PHOTO, 2, 1, 10, 9)
    assert framed.shape == (2, 10, 9, 3)
    np.testing.assert_array_equal(image.crop_to_bounding_box(framed, 2, 1, 6, 5), PHOTO)
    assert image.resize_with_crop_or_pad(PHOTO, 3, 9).shape == (2, 3, 9, 3)
    np.testing.assert_array_equal(image.central_crop(PHOTO, 1.0), PHOTO)
    np.testing.assert_array_equal(image.central_crop(PHOTO, 0.5), PHOTO[:, 1:5, 1:4])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: image.flip_left_right([1.0]), "at least three-dimensional"),
        (lambda: image.rot90(PHOTO[None]), "3 or 4 dimensions"),
        (lambda: image.crop_to_bounding_box(PHOTO, -1, 0, 2, 2), "offset_height must be >= 0"),
        (lambda: image.crop_to_bounding_box(PHOTO, 0, 0, 0, 2), "target_height must be > 0"),
        (lambda: image.crop_to_bounding_box(PHOTO, 0, 4, 2, 2), "width must be >= target"),
        (lambda: image.pad_to_bounding_box(PHOTO, 0, 0, 5, 9), "height must be <= target"),
        (lambda: image.central_crop(PHOTO, 0.0), "within"),
        (lambda: image.resize_with_crop_or_pad(PHOTO, 0, 1), "must be > 0"),
        (lambda: image.resize_with_pad(PHOTO, 0, 1), "must be > 0"),
    ],
)
def test_boxes_outside_of_the_image_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# -- colors -----------------------------------------------------------------------------------


def test_hue_saturation_and_value_are_those_of_the_standard_library():
    expected = [colorsys.rgb_to_hsv(*pixel) for pixel in PHOTO.reshape(-1, 3)]
    found = image.rgb_to_hsv(PHOTO)
    np.testing.assert_allclose(found, np.reshape(expected, PHOTO.shape), atol=1e-6)
    np.testing.assert_allclose(image.hsv_to_rgb(found), PHOTO, atol=1e-6)


def test_gray_and_black_have_finite_gradients():
    for level in (0.0, 0.5):
        x = tf.fill([3], level)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = image.rgb_to_hsv(x)
        assert np.isfinite(tape.gradient(y, x).numpy()).all()


def test_other_coordinates_go_back_and_forth():
    for there, back in (
        (image.rgb_to_yiq, image.yiq_to_rgb),
        (image.rgb_to_yuv, image.yuv_to_rgb),
    ):
        np.testing.assert_allclose(back(there(PHOTO)), PHOTO, atol=1e-4)
    gray = image.rgb_to_grayscale(PHOTO)
    assert gray.shape == (2, 6, 5, 1)
    np.testing.assert_allclose(gray, image.rgb_to_yiq(PHOTO)[..., :1], atol=1e-3)
    assert np.all(image.grayscale_to_rgb(gray).numpy() == gray.numpy())


def test_adjustments_by_nothing_change_nothing():
    for adjusted in (
        image.adjust_hue(PHOTO, 0.0),
        image.adjust_hue(PHOTO, 1.0),
        image.adjust_saturation(PHOTO, 1.0),
        image.adjust_contrast(PHOTO, 1.0),
        image.adjust_brightness(PHOTO, 0.0),
        image.adjust_gamma(PHOTO),
    ):
        np.testing.assert_allclose(adjusted, PHOTO, atol=1e-6)


def test_adjustments_of_bytes_stay_within_bytes():
    x = tf.constant([[[250, 100, 0]]], tf.uint8)
    assert image.adjust_brightness(x, 0.5).numpy().tolist() == [[[255, 227, 127]]]
    assert image.adjust_saturation(x, 0.0).numpy().tolist() == [[[250, 250, 250]]]


@pytest.mark.parametrize(
    ("name", "adjust"),
    [
        ("AdjustHue", lambda x: image.adjust_hue(x, 0.1)),
        ("AdjustSaturation", lambda x: image.adjust_saturation(x, 1.5)),
        ("AdjustContrastv2", lambda x: image.adjust_contrast(x, 1.5)),
        ("ResizeArea", lambda x: image.resize(x, [2, 2], "area")),
    ],
)
def test_some_have_no_gradient_and_say_so(name, adjust):
    x = tf.constant(PHOTO)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = adjust(x)
    with pytest.raises(LookupError, match=f"no entry for: {name}"):
        tape.gradient(y, x)


def test_standardization_makes_mean_0_and_variance_1():
    found = image.per_image_standardization(PHOTO).numpy()
    np.testing.assert_allclose(found.mean((1, 2, 3)), 0, atol=1e-6)
    np.testing.assert_allclose(found.std((1, 2, 3)), 1, rtol=1e-5)
    assert np.all(image.per_image_standardization(np.ones((2, 2, 1))).numpy() == 0)


@pytest.mark.parametrize(
    ("value", "given", "wanted", "expected"),
    [
        ([0.0, 0.5, 1.0], "float32", "uint8", [0, 127, 255]),
        ([0, 255], "uint8", "float32", [0.0, 1.0]),
        ([0, 1, 255], "uint8", "uint16", [0, 256, 65280]),
        ([0, 256, 65535], "uint16", "uint8", [0, 1, 255]),
        ([0.25], "float64", "float16", [0.25]),
    ],
)
def test_dtypes_of_images(value, given, wanted, expected):
    found = image.convert_image_dtype(tf.cast(value, given), wanted)
    assert found.dtype == wanted
    np.testing.assert_array_equal(found, expected)


def test_dtypes_of_images_saturate_on_request():
    found = image.convert_image_dtype([-0.5, 2.0], tf.uint8, saturate=True)
    np.testing.assert_array_equal(found, [0, 255])
    with pytest.raises(AttributeError, match="floating point or integer"):
        image.convert_image_dtype([True], tf.float32)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: image.adjust_hue(PHOTO, 2.0), ValueError, "interval"),
        (lambda: image.adjust_gamma(PHOTO, -1.0), ValueError, "non-negative"),
        (lambda: image.adjust_hue(PHOTO[..., :1], 0.1), InvalidArgument, "3 channels"),
        (lambda: image.adjust_contrast(PHOTO[0, 0], 1.0), InvalidArgument, "at least 3-D"),
        (lambda: image.rgb_to_yuv(PHOTO[..., :2]), InvalidArgument, "3 channels"),
        (
            lambda: image.rgb_to_hsv(PHOTO[..., :2]),
            tf.errors.FailedPreconditionError,
            "3 channels",
        ),
        (lambda: image.grayscale_to_rgb(PHOTO), ValueError, "size 1"),
        (lambda: image.per_image_standardization(PHOTO[0, 0]), ValueError, "three-dimensional"),
    ],
)
def test_what_has_no_colors_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# -- compared ----------------------------------------------------------------------------------


def test_similarity_is_1_for_equal_images_and_less_for_others():
    x = draw.uniform(0, 1, (2, 14, 13, 2)).astype(np.float32)
    y = draw.uniform(0, 1, (2, 14, 13, 2)).astype(np.float32)
    np.testing.assert_allclose(image.ssim(x, x, 1.0), [1, 1], rtol=1e-5)
    assert np.all(image.ssim(x, y, 1.0).numpy() < 0.5)
    assert image.ssim(x, y, 1.0, return_index_map=True).shape == (2, 4, 3)
    small = image.ssim_multiscale(x, y, 1.0, [0.5, 0.5], filter_size=3)
    assert small.shape == (2,)
    with pytest.raises(InvalidArgument, match="smaller than filter_size=11"):
        image.ssim(x[:, :8], y[:, :8], 1.0)
    with pytest.raises(ValueError, match="incompatible"):
        image.ssim(x, y[..., :1], 1.0)


def test_similarity_of_two_windows():
    x, y = np.float32([[1, 2], [3, 5]]), np.float32([[2, 1], [4, 4]])
    bright, varied = 0.01**2, 0.03**2
    covariance = np.mean(x * y) - x.mean() * y.mean()
    expected = (2 * x.mean() * y.mean() + bright) * (2 * covariance + varied)
    expected /= (x.mean() ** 2 + y.mean() ** 2 + bright) * (x.var() + y.var() + varied)
    found = image.ssim(x[..., None], y[..., None], 1.0, filter_size=2)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_noise_and_variation():
    noisy = PHOTO + 0.1
    np.testing.assert_allclose(image.psnr(PHOTO, noisy, 1.0), [20, 20], rtol=1e-5)
    down, right = np.diff(PHOTO, axis=1), np.diff(PHOTO, axis=2)
    expected = abs(down).sum((1, 2, 3)) + abs(right).sum((1, 2, 3))
    np.testing.assert_allclose(image.total_variation(PHOTO), expected, rtol=1e-5)
    with pytest.raises(ValueError, match="3 or 4-dimensional"):
        image.total_variation(PHOTO[0, 0])
    with pytest.raises(ValueError, match="4D tensor"):
        image.image_gradients(PHOTO[0])


# -- boxes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
def test_the_whole_image_as_a_box_is_the_image(method):
    found = image.crop_and_resize(PHOTO, [[0.0, 0.0, 1.0, 1.0]] * 2, [0, 1], [6, 5], method)
    np.testing.assert_allclose(found, PHOTO, atol=1e-5)


def test_boxes_beyond_the_image_see_the_given_value():
    found = image.crop_and_resize(
        PHOTO, [[-1.0, -1.0, 0.0, 0.0]], [1], [2, 2], extrapolation_value=7.0
    ).numpy()[0]
    np.testing.assert_allclose(found[1, 1], PHOTO[1, 0, 0])
    assert np.all(found[0] == 7)
    assert np.all(found[1, 0] == 7)


def test_boxes_have_gradients():
    ramp = tf.reshape(tf.range(5.0), [1, 1, 5, 1]) * tf.ones([1, 3, 1, 1])
    box = tf.constant([[0.1, 0.1, 0.9, 0.6]])
    with tf.GradientTape() as tape:
        tape.watch(box)
        crop = image.crop_and_resize(ramp, box, [0], [2, 2])
    np.testing.assert_allclose(tape.gradient(crop, box), [[0, 8, 0, 8]], atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[0.0, 0, 1, 1]], [2], [2, 2]), tf.errors.OutOfRangeError, "outside"),
        (([[0.0, 0, 1]], [0], [2, 2]), InvalidArgument, "4 columns"),
        (([[0.0, 0, 1, 1]], [0, 1], [2, 2]), InvalidArgument, "each of the 1 boxes"),
        (([[0.0, 0, 1, 1]], [0], [2, 2], "cubic"), InvalidArgument, '"cubic" is not in'),
    ],
)
def test_boxes_that_make_no_sense_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        image.crop_and_resize(PHOTO, *arguments)


BOXES = [[0.0, 0, 1, 1], [0, 0, 0.6, 1], [1, 0.3, 0, 0], [5, 5, 6, 6]]
SCORES = [0.9, 0.8, 0.7, 0.1]


@pytest.mark.parametrize(
    ("threshold", "least", "most", "expected"),
    [
        (0.5, -1.0, 9, [0, 2, 3]),
        (0.2, -1.0, 9, [0, 3]),
        (0.7, -1.0, 9, [0, 1, 2, 3]),
        (0.5, 0.5, 9, [0, 2]),
        (0.5, -1.0, 2, [0, 2]),
        (0.5, 1.0, 9, []),
    ],
)
def test_of_boxes_that_overlap_the_best_remain(threshold, least, most, expected):
    found = image.non_max_suppression(BOXES, SCORES, most, threshold, least)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == tf.int32


def test_overlaps_may_lower_scores_instead():
    kept, scores = image.non_max_suppression_with_scores(
        BOXES[:3], SCORES[:3], 3, soft_nms_sigma=0.4
    )
    np.testing.assert_array_equal(kept, [0, 2, 1])
    second = 0.7 * np.exp(-(0.3**2) / 0.8)
    third = 0.8 * np.exp(-(0.6**2 + (0.18 / 0.72) ** 2) / 0.8)
    np.testing.assert_allclose(scores, [0.9, second, third], rtol=1e-5)


# -- at random ---------------------------------------------------------------------------------


def test_random_changes_follow_their_seed():
    for change in (
        lambda seed: image.stateless_random_brightness(PHOTO, 0.3, seed),
        lambda seed: image.stateless_random_hue(PHOTO, 0.3, seed),
        lambda seed: image.stateless_random_contrast(PHOTO, 0.2, 1.8, seed),
        lambda seed: image.stateless_random_saturation(PHOTO, 0.2, 1.8, seed),
        lambda seed: image.stateless_random_crop(PHOTO, [1, 2, 2, 3], seed),
    ):
        np.testing.assert_array_equal(change([1, 2]), change([1, 2]))
        assert np.any(change([1, 2]).numpy() != change([3, 4]).numpy())


def test_random_flips_mirror_some_images_and_leave_the_others():
    images = np.tile(PHOTO[:1], (64, 1, 1, 1))
    for flip, mirrored in (
        (image.random_flip_left_right, images[:, :, ::-1]),
        (image.random_flip_up_down, images[:, ::-1]),
    ):
        tf.random.set_seed(1)
        found = flip(images).numpy()
        turned = np.all(found == mirrored, axis=(1, 2, 3))
        kept = np.all(found == images, axis=(1, 2, 3))
        assert np.all(turned != kept)
        assert 16 < turned.sum() < 48


def test_random_changes_stay_within_their_bounds():
    for _ in range(20):
        shift = (image.random_brightness(PHOTO, 0.1).numpy() - PHOTO).mean()
        assert abs(shift) <= 0.1
    with pytest.raises(ValueError, match="non-negative"):
        image.random_brightness(PHOTO, -0.1)
    with pytest.raises(ValueError, match=r"<= 0\.5"):
        image.random_hue(PHOTO, 0.6)
    with pytest.raises(ValueError, match="upper must be > lower"):
        image.random_contrast(PHOTO, 1.0, 0.5)
    with pytest.raises(InvalidArgument, match="Need value"):
        image.random_crop(PHOTO, [2, 9, 5, 3])
