"""Ops on images: colors, crops, patches, boxes, files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cinta as tf

from .gradients import pulled
from .projecting import project
from .resizing import RESIZES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..engine.tensor import Tensor
    from ..ops.image.cropping_at_random import DistortedBoundingBox
    from ..ops.image.suppression_of_many import CombinedNonMaxSuppression

    DistortionAttributes: TypeAlias = tuple[list[float], list[float], int, bool]

_i, _io = tf.image, tf.io

# -- boxes ---------------------------------------------------------------------------------------

_COLORS = [
    [1, 1, 0, 1],
    [0, 0, 1, 1],
    [1, 0, 0, 1],
    [0, 1, 0, 1],
    [0.5, 0, 0.5, 1],
    [0.5, 0.5, 0, 1],
    [0.5, 0, 0, 1],
    [0, 0, 0.5, 1],
    [0, 1, 1, 1],
    [1, 0, 1, 1],
]


def _boxes(images: Tensor, boxes: Tensor) -> Tensor:
    return _boxes_in_colors(images, boxes, tf.zeros([0, 4]))


def _boxes_in_colors(images: Tensor, boxes: Tensor, colors: Tensor) -> Tensor:
    used = colors if colors.shape[0] else tf.constant(_COLORS, "float32")
    if images.shape[3] == 1:
        used = tf.ones_like(used)
    return _i.draw_bounding_boxes(images, boxes, used)


def _best(
    boxes: Tensor,
    scores: Tensor,
    most: Tensor,
    iou: Tensor | float,
    lowest: Tensor | float = -math.inf,
) -> Tensor:
    return _i.non_max_suppression(boxes, scores, most, float(iou), float(lowest))


def _best_and_count(
    boxes: Tensor, scores: Tensor, most: Tensor, iou: Tensor, lowest: Tensor, filled: bool
) -> tuple[Tensor, Tensor]:
    chosen = _best(boxes, scores, most, iou, lowest)
    return _filled(chosen, most, filled), tf.size(chosen)


def _best_with_scores(
    boxes: Tensor,
    scores: Tensor,
    most: Tensor,
    iou: Tensor,
    lowest: Tensor,
    sigma: Tensor,
    filled: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    limits = float(iou), float(lowest), float(sigma)
    chosen, left = _i.non_max_suppression_with_scores(boxes, scores, most, *limits)
    return _filled(chosen, most, filled), _filled(left, most, filled), tf.size(chosen)


def _filled(chosen: Tensor, most: Tensor, filled: bool) -> Tensor:
    return tf.pad(chosen, [[0, int(most) - chosen.shape[0]]]) if filled else chosen


def _combined(
    boxes: Tensor,
    scores: Tensor,
    each: Tensor,
    total: Tensor,
    iou: Tensor,
    lowest: Tensor,
    padded: bool,
    clipped: bool,
) -> CombinedNonMaxSuppression:
    return _i.combined_non_max_suppression(
        boxes, scores, each, total, float(iou), float(lowest), padded, clipped
    )


def _with_overlaps(
    overlaps: Tensor, scores: Tensor, most: Tensor, overlap: Tensor, lowest: Tensor
) -> Tensor:
    limits = float(overlap), float(lowest)
    return _i.non_max_suppression_overlaps(overlaps, scores, most, *limits)


def _distorted(
    size: Tensor,
    boxes: Tensor,
    seed: int,
    seed2: int,
    covered: float,
    *how: *DistortionAttributes,
) -> DistortedBoundingBox:
    return _i.sample_distorted_bounding_box(size, boxes, seed or seed2, covered, *how)


def _distorted_v2(
    size: Tensor,
    boxes: Tensor,
    covered: Tensor,
    seed: int,
    seed2: int,
    *how: *DistortionAttributes,
) -> DistortedBoundingBox:
    return _i.sample_distorted_bounding_box(size, boxes, seed or seed2, float(covered), *how)


def _stateless_distorted(
    size: Tensor, boxes: Tensor, covered: Tensor, seed: Tensor, *how: *DistortionAttributes
) -> DistortedBoundingBox:
    return _i.stateless_sample_distorted_bounding_box(size, boxes, seed, float(covered), *how)


# -- crops and patches ---------------------------------------------------------------------------


def _crop(
    image: Tensor, boxes: Tensor, numbers: Tensor, size: Tensor, method: str, fill: float
) -> Tensor:
    return _i.crop_and_resize(image, boxes, numbers, size, method, fill)


def _crop_to_image(
    grads: Tensor, boxes: Tensor, numbers: Tensor, size: Tensor, dtype: tf.DType, method: str
) -> Tensor:
    def cropped(image: Tensor) -> Tensor:
        return _i.crop_and_resize(image, boxes, numbers, grads.shape[1:3], method)

    return tf.cast(pulled(cropped, tf.zeros(size))(grads), dtype)


def _crop_to_boxes(
    grads: Tensor, image: Tensor, boxes: Tensor, numbers: Tensor, method: str
) -> Tensor:
    def cropped(corners: Tensor) -> Tensor:
        return _i.crop_and_resize(image, corners, numbers, grads.shape[1:3], method)

    return pulled(cropped, boxes)(grads)


def _glimpse(
    input: Tensor,
    size: Tensor,
    offsets: Tensor,
    centered: bool,
    normalized: bool,
    _: bool,
    noise: str,
) -> Tensor:
    return _i.extract_glimpse(input, size, offsets, centered, normalized, noise)


def _glimpse_v1(
    input: Tensor,
    size: Tensor,
    offsets: Tensor,
    centered: bool,
    normalized: bool,
    _: bool,
    noise: str,
) -> Tensor:
    """The first of these ops, to which all offsets are those of the window's middle."""
    lengths = tf.cast(tf.shape(input)[1:3], "float32")
    offsets = offsets * lengths if normalized else offsets
    offsets = (offsets + lengths) / 2 if centered else offsets
    corners = offsets - tf.cast(size, "float32") / 2
    return _i.extract_glimpse(input, size, corners, False, False, noise)


# -- files ---------------------------------------------------------------------------------------


def _decoded(contents: Tensor, channels: int, dtype: tf.DType, expand: bool) -> Tensor:
    return _io.decode_image(contents, channels, dtype, expand_animations=expand)


def _jpeg_of_quality(images: Tensor, quality: Tensor) -> Tensor:
    return _io.encode_jpeg(images, quality=int(quality))


OPS: dict[str, Callable[..., Any]] = {
    "AdjustContrastv2": _i.adjust_contrast,
    "AdjustHue": _i.adjust_hue,
    "AdjustSaturation": _i.adjust_saturation,
    "CombinedNonMaxSuppression": _combined,
    "CropAndResize": _crop,
    "CropAndResizeGradBoxes": _crop_to_boxes,
    "CropAndResizeGradImage": _crop_to_image,
    "DecodeAndCropJpeg": _io.decode_and_crop_jpeg,
    "DecodeBmp": _io.decode_bmp,
    "DecodeGif": _io.decode_gif,
    "DecodeWebP": _io.decode_webp,
    "DecodeImage": _decoded,
    "DecodeJpeg": _io.decode_jpeg,
    "DecodePng": _io.decode_png,
    "DrawBoundingBoxes": _boxes,
    "DrawBoundingBoxesV2": _boxes_in_colors,
    "EncodeJpeg": _io.encode_jpeg,
    "EncodeJpegVariableQuality": _jpeg_of_quality,
    "EncodePng": _io.encode_png,
    "ExtractGlimpse": _glimpse_v1,
    "ExtractGlimpseV2": _glimpse,
    "ExtractImagePatches": _i.extract_patches,
    "ExtractJpegShape": _io.extract_jpeg_shape,
    "ExtractVolumePatches": tf.extract_volume_patches,
    "HSVToRGB": _i.hsv_to_rgb,
    "ImageProjectiveTransformV2": lambda images, transforms, shape, *how: project(
        images, transforms, shape, 0.0, *how
    ),
    "ImageProjectiveTransformV3": project,
    "NonMaxSuppression": _best,
    "NonMaxSuppressionV2": _best,
    "NonMaxSuppressionV3": _best,
    "NonMaxSuppressionV4": _best_and_count,
    "NonMaxSuppressionV5": _best_with_scores,
    "NonMaxSuppressionWithOverlaps": _with_overlaps,
    "RGBToHSV": _i.rgb_to_hsv,
    "SampleDistortedBoundingBox": _distorted,
    "SampleDistortedBoundingBoxV2": _distorted_v2,
    "StatelessSampleDistortedBoundingBox": _stateless_distorted,
    **RESIZES,
}
