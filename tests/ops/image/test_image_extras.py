"""Boxes and windows of images: the best, the drawn, the ones chosen by chance."""

import numpy as np
import pytest

import cinta as tf

image = tf.image
InvalidArgument = tf.errors.InvalidArgumentError


def draw_boxes(count, seed=0):
    draw = np.random.default_rng(seed)
    corner = draw.random((count, 2))
    return np.concatenate([corner, corner + 0.5 * draw.random((count, 2))], 1).astype(np.float32)


BOXES, SCORES = draw_boxes(12), np.random.default_rng(1).random(12).astype(np.float32)
PHOTO = np.random.default_rng(2).random((2, 10, 12, 3)).astype(np.float32)


# -- suppression -------------------------------------------------------------------------------


def test_areas_may_be_beyond_half_precision():
    boxes = [[6.0, 6.0, 272.0, 158.0], [6.0, 7.0, 270.0, 158.0], [5.0, 5.0, 272.0, 157.0]]
    kept = image.non_max_suppression(tf.constant(boxes, tf.float16), [0.9, 0.8, 0.7], 9, 0.5)
    assert kept.numpy().tolist() == [0]


@pytest.mark.parametrize("most", [3, 20])
def test_padded_suppression_is_the_plain_one_with_zeros(most):
    plain = image.non_max_suppression(BOXES, SCORES, most, 0.3, 0.2).numpy()
    kept, count = image.non_max_suppression_padded(BOXES, SCORES, most, 0.3, 0.2)
    assert (kept.numpy().tolist(), int(count)) == (plain.tolist(), len(plain))
    many = np.stack([BOXES, BOXES[::-1]])
    scores = np.stack([SCORES, SCORES[::-1]])
    kept, counts = image.non_max_suppression_padded(many, scores, most, 0.3, 0.2, True)
    assert (kept.shape, counts.numpy().tolist()) == ([2, most], [len(plain)] * 2)
    padding = [0] * (most - len(plain))
    assert kept.numpy().tolist() == [[*plain, *padding], [*(11 - plain), *padding]]


def test_a_box_without_an_area_is_not_kept_by_padded_suppression():
    kept, count = image.non_max_suppression_padded([[0.0, 0, 0, 1], [0, 0, 1, 1]], [0.9, 0.5], 2)
    assert (kept.numpy().tolist(), int(count)) == ([1], 1)


def test_padded_suppression_refuses():
    with pytest.raises(ValueError, match="pad_to_max_output_size"):
        image.non_max_suppression_padded(BOXES[None], SCORES[None], 3)
    with pytest.raises(InvalidArgument, match="boxes"):
        image.non_max_suppression_padded(BOXES, SCORES[:3], 3)


@pytest.mark.parametrize("shared", [True, False])
def test_combined_suppression_is_that_of_each_class_and_then_the_best(shared):
    boxes = np.stack([draw_boxes(9, seed) for seed in range(1 if shared else 3)], 1) * 1.2
    scores = np.random.default_rng(3).random((9, 3)).astype(np.float32)
    found = image.combined_non_max_suppression(boxes[None], scores[None], 4, 7, 0.4, 0.3)
    best = []
    for number in range(3):
        of_class = boxes[:, 0 if shared else number]
        kept = image.non_max_suppression(of_class, scores[:, number], 4, 0.4, 0.3).numpy()
        best += [(scores[k, number], number, np.clip(of_class[k], 0, 1).tolist()) for k in kept]
    best = sorted(best, reverse=True)[:7]
    count = int(found.valid_detections[0])
    assert count == len(best)
    assert found.nmsed_scores.numpy()[0, :count].tolist() == [score for score, _, _ in best]
    assert found.nmsed_classes.numpy()[0, :count].tolist() == [number for _, number, _ in best]
    assert found.nmsed_boxes.numpy()[0, :count].tolist() == [box for _, _, box in best]
    assert not found.nmsed_scores.numpy()[0, count:].any()


def test_combined_suppression_pads_as_told():
    boxes, scores = BOXES[None, :, None] * 2, SCORES[None, :, None]
    shapes = [
        image.combined_non_max_suppression(boxes, scores, 2, 7, pad_per_class=each)[0].shape
        for each in (False, True)
    ]
    assert shapes == [[1, 7, 4], [1, 2, 4]]
    free = image.combined_non_max_suppression(boxes, scores, 9, 9, clip_boxes=False)[0].numpy()
    assert free.max() > 1


@pytest.mark.parametrize(
    "arguments",
    [
        (BOXES[None, :, None], SCORES[None, :5, None], 2, 7),
        (np.ones((1, 12, 2, 4)), np.ones((1, 12, 3)), 2, 7),
        (BOXES, SCORES, 2, 7),
        (BOXES[None, :, None], SCORES[None, :, None], 0, 7),
        (BOXES[None, :, None], SCORES[None, :, None], 2, 7, 1.5),
    ],
)
def test_combined_suppression_refuses(arguments):
    with pytest.raises(InvalidArgument):
        image.combined_non_max_suppression(*arguments)


# -- drawing -----------------------------------------------------------------------------------


def test_edges_that_are_in_the_image_are_drawn():
    x = tf.zeros([1, 5, 6, 1])
    inner, beyond = [0.25, 0.2, 0.75, 0.8], [0.5, -0.5, 2.0, 0.6]
    drawn = image.draw_bounding_boxes(x, [[inner]], None).numpy()[0, ..., 0]
    frame = np.zeros((5, 6))
    frame[1:4, 1:5] = 1
    frame[2, 2:4] = 0
    np.testing.assert_array_equal(drawn, frame)
    drawn = image.draw_bounding_boxes(x, [[beyond]], None).numpy()[0, ..., 0]
    corner = np.zeros((5, 6))
    corner[2, :4] = corner[2:, 3] = 1
    np.testing.assert_array_equal(drawn, corner)


def test_boxes_that_are_nowhere_are_not_drawn():
    x = tf.zeros([1, 4, 4, 1])
    nowhere = [[0.9, 0.5, 0.1, 0.6], [2.0, 2.0, 3.0, 3.0], [-2.0, 0.0, -1.0, 1.0]]
    assert not image.draw_bounding_boxes(x, [nowhere], None).numpy().any()


def test_colors_come_one_after_the_other():
    boxes = [[[k / 10, 0.0, k / 10, 1.0] for k in range(11)]]
    x = tf.zeros([1, 11, 2, 3])
    drawn = image.draw_bounding_boxes(x, boxes, [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]).numpy()
    np.testing.assert_allclose(drawn[0, :3, 0, 0], [0.1, 0.4, 0.1])
    default = image.draw_bounding_boxes(x, boxes, None).numpy()
    assert default[0, [0, 1, 10], 0].tolist() == [[1, 1, 0], [0, 0, 1], [1, 1, 0]]


def test_drawing_has_no_gradient_and_keeps_half_precision():
    x = tf.constant(PHOTO)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = image.draw_bounding_boxes(x, [[[0.0, 0, 1, 1]]] * 2, None)
    assert tape.gradient(y, x) is None
    for dtype, expected in ((tf.float16, tf.float16), (tf.uint8, tf.float32)):
        drawn = image.draw_bounding_boxes(tf.cast(x, dtype), [[[0.0, 0, 1, 1]]] * 2, None)
        assert drawn.dtype == expected


@pytest.mark.parametrize(
    ("images", "boxes", "colors"),
    [
        (PHOTO[0], [[[0.0, 0, 1, 1]]], None),
        (PHOTO, [[[0.0, 0, 1]]] * 2, None),
        (PHOTO, [[[0.0, 0, 1, 1]]], None),
        (PHOTO[..., :2], [[[0.0, 0, 1, 1]]] * 2, None),
        (PHOTO, [[[0.0, 0, 1, 1]]] * 2, [[1.0, 1.0]]),
    ],
)
def test_drawing_refuses(images, boxes, colors):
    with pytest.raises(InvalidArgument):
        image.draw_bounding_boxes(images, boxes, colors)


# -- glimpses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "centered", "normalized", "start"),
    [
        ((0.3, -0.2), True, True, (4, 2)),
        ((0.15, 0.25), True, True, (3, 5)),
        ((0.3, 0.3), False, True, (3, 3)),
        ((1.5, 2.5), False, False, (1, 2)),
        ((1.5, 0.5), True, False, (6, 6)),
    ],
)
def test_a_glimpse_is_a_window(offset, centered, normalized, start):
    found = image.extract_glimpse(PHOTO, [4, 4], [offset] * 2, centered, normalized).numpy()
    row, column = start
    np.testing.assert_array_equal(found, PHOTO[:, row : row + 4, column : column + 4])


def test_beyond_the_image_there_is_noise():
    options = {"centered": False, "normalized": False}
    found = image.extract_glimpse(PHOTO, [4, 4], [[-2.0, 0], [8, 10]], noise="zero", **options)
    assert not found.numpy()[0, :2].any()
    np.testing.assert_array_equal(found[0, 2:], PHOTO[0, :2, :4])
    np.testing.assert_array_equal(found[1, :2, :2], PHOTO[1, 8:, 10:])


# TensorFlow's noise of large windows: mean, deviation, least and largest of each channel.
NOISES = {
    "uniform": [[(57.4, 33.2, 0, 115), (57.6, 33.2, 0, 115)], [(474.4, 312.2, -65, 1015)] * 2],
    "gaussian": [
        [(7.5, 4.18, 0, 15), (107.5, 4.18, 100, 115)],
        [(1007.5, 4.18, 1000, 1015), (-57.5, 4.18, -65, -50)],
    ],
}


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_like_the_image(noise):
    ramp = np.arange(16, dtype=np.float32).reshape(4, 4)
    pictures = np.stack([[ramp, ramp + 100], [ramp + 1000, -50 - ramp]]).transpose(0, 2, 3, 1)
    tf.random.set_seed(3)
    far = image.extract_glimpse(pictures, [200, 200], [[50.0, 50]] * 2, False, False, noise).numpy()
    for part, expected in zip(far, NOISES[noise], strict=True):
        for channel, (mean, deviation, least, most) in zip(
            np.moveaxis(part, -1, 0), expected, strict=True
        ):
            assert abs(channel.mean() - mean) < 0.04 * deviation
            assert abs(channel.std() / deviation - 1) < 0.02
            np.testing.assert_allclose(
                [channel.min(), channel.max()], [least, most], atol=0.01 * deviation
            )


def test_the_gradient_of_a_glimpse_is_where_it_looked():
    x = tf.constant(PHOTO)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = image.extract_glimpse(x, [4, 4], [[-2.0, 0], [8, 10]], False, False)
    seen = np.zeros_like(PHOTO)
    seen[0, :2, :4] = seen[1, 8:, 10:] = 1
    np.testing.assert_array_equal(tape.gradient(y, x), seen)


@pytest.mark.parametrize(
    ("images", "size", "offsets", "noise"),
    [
        (PHOTO[0], [4, 4], [[0.0, 0]] * 2, "zero"),
        (PHOTO, [4, 0], [[0.0, 0]] * 2, "zero"),
        (PHOTO, [4, 4], [[0.0, 0]], "zero"),
        (PHOTO, [4, 4], [[0.0, 0]] * 2, "pink"),
    ],
)
def test_glimpses_refuse(images, size, offsets, noise):
    with pytest.raises(InvalidArgument):
        image.extract_glimpse(images, size, offsets, noise=noise)


# -- parts chosen by chance --------------------------------------------------------------------

OBJECT = [0.1, 0.2, 0.7, 0.9]


def test_a_part_chosen_by_chance_is_as_was_asked_for():
    for seed in range(30):
        begin, size, boxes = image.stateless_sample_distorted_bounding_box(
            [100, 120, 3], [[OBJECT]], [seed, 7], 0.5, (0.5, 2.0), (0.1, 0.6)
        )
        height, width = size.numpy()[:2]
        assert 0.5 - 0.05 <= width / height <= 2 + 0.05
        assert 0.1 <= width * height / (100 * 120) <= 0.6
        top, left, bottom, right = boxes.numpy()[0, 0]
        np.testing.assert_allclose([top, left], begin.numpy()[:2] / [100, 120], rtol=1e-6)
        rows = min(bottom, OBJECT[2]) - max(top, OBJECT[0])
        columns = min(right, OBJECT[3]) - max(left, OBJECT[1])
        assert rows * columns >= 0.5 * 0.6 * 0.7 - 1e-3
        part = tf.slice(tf.zeros([100, 120, 3]), begin, size)
        assert part.shape == [height, width, 3]


def test_seeds_choose_the_parts_that_they_always_chose():
    parts = [
        image.stateless_sample_distorted_bounding_box([100, 120, 3], [[OBJECT]], [k, 7])
        for k in range(2)
    ]
    found = [(p.begin.numpy().tolist(), p.size.numpy().tolist()) for p in parts]
    assert found == [([13, 8, 0], [63, 80, -1]), ([51, 13, 0], [31, 40, -1])]


def test_what_cannot_be_found_is_the_whole_image():
    for options in (
        {"min_object_covered": 1.5},
        {"area_range": (0.9, 0.3)},
        {"aspect_ratio_range": (50.0, 60.0), "area_range": (0.9, 1.0)},
    ):
        _, size, boxes = image.stateless_sample_distorted_bounding_box(
            [100, 120, 3], [[OBJECT]], [1, 2], **options
        )
        assert size.numpy().tolist() == [100, 120, -1]
        assert boxes.numpy().tolist() == [[[0, 0, 1, 1]]]


def test_parts_without_boxes():
    nothing = np.zeros((1, 0, 4), np.float32)
    with pytest.raises(InvalidArgument, match="No bounding boxes"):
        image.stateless_sample_distorted_bounding_box([9, 9, 3], nothing, [1, 2])
    with pytest.raises(InvalidArgument, match="3 elements"):
        image.sample_distorted_bounding_box([9, 9], [[OBJECT]])
    part = image.sample_distorted_bounding_box(
        [9, 9, 3], nothing, use_image_if_no_bounding_boxes=True
    )
    assert part.bboxes.shape == [1, 1, 4]


def test_drawn_parts_differ_and_are_repeated_by_a_seed():
    def parts(seed):
        tf.random.set_seed(1)
        draw = [
            image.sample_distorted_bounding_box([99, 99, 3], [[OBJECT]], seed=seed) for _ in "ab"
        ]
        return [part.begin.numpy().tolist() + part.size.numpy().tolist() for part in draw]

    once, again = parts(3), parts(3)
    assert once == again
    assert once[0] != once[1]


def test_the_mean_of_areas_is_that_of_its_parts():
    found = image.resize(PHOTO, [5, 4], "area").numpy()
    np.testing.assert_allclose(found, PHOTO.reshape(2, 5, 2, 4, 3, 3).mean((2, 4)), rtol=1e-6)
