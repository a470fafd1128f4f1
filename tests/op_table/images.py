"""Rows of what moves, resizes, cuts and colors images."""

import cinta as tf
from cinta.ops.image.resampling import ResizeSmooth, Scaling

from .convolutions import IMAGE, ONES, VOLUME, squared
from .domains import distinct, real, unit
from .row import Row

image = tf.image

ROWS = [
    Row(
        squared(lambda x: image.extract_patches(x, [1, 2, 3, 1], [1, 2, 1, 1], ONES, "SAME")),
        IMAGE,
        name="extract_patches",
    ),
    Row(
        lambda x: image.extract_patches(x, [1, 2, 2, 1], ONES, ONES, "VALID") ** 2,
        real(1, 3, 3, 1),
        name="extract_patches squared",
    ),
    Row(
        squared(lambda x: tf.extract_volume_patches(x, [1, 1, 2, 2, 1], [1] * 5, "SAME")),
        VOLUME,
        name="extract_volume_patches",
    ),
    Row(squared(image.sobel_edges), real(1, 3, 4, 1), name="sobel_edges"),
    Row(squared(image.image_gradients), real(1, 3, 4, 1), name="image_gradients"),
    Row(squared(image.rot90), real(3, 4, 2), name="rot90"),
    Row(squared(image.transpose), real(1, 3, 4, 2), name="image.transpose"),
    Row(
        squared(lambda x: image.resize_with_crop_or_pad(x, 2, 6)),
        IMAGE,
        name="resize_with_crop_or_pad",
    ),
    Row(image.rgb_to_hsv, distinct(2, 3) / 5 + 0.5, name="rgb_to_hsv", loose=10.0),
    Row(
        squared(lambda x: image.extract_glimpse(x, [3, 3], [[0.5, 0.5]], noise="zero")),
        IMAGE,
        name="extract_glimpse",
    ),
    Row(image.hsv_to_rgb, unit(2, 3) / 3 + 0.44, name="hsv_to_rgb"),
    Row(squared(image.hsv_to_rgb), unit(2, 3) / 3 + 0.44, name="hsv_to_rgb of squares"),
    Row(squared(image.rgb_to_yiq), real(2, 3), name="rgb_to_yiq"),
    Row(image.total_variation, distinct(3, 4, 1), name="total_variation", loose=3.0),
    *[
        Row(
            squared(
                lambda x, rows=rows, columns=columns, back=back: ResizeSmooth(
                    x, rows=rows, columns=columns, back=back
                )
            ),
            real(1, rows.old, columns.old, 2) if not back else real(1, rows.new, columns.new, 2),
            name=f"resize {rows} back={back}",
        )
        for rows, columns in (
            (Scaling("bilinear", 4, 2), Scaling("bilinear", 5, 8)),
            (Scaling("lanczos5", 10, 2, antialias=True), Scaling("bicubic", 3, 3)),
        )
        for back in (False, True)
    ],
    Row(
        squared(lambda x: image.resize(x, [5, 2], "nearest")),
        IMAGE,
        name="resize nearest",
    ),
]
