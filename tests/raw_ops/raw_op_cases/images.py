"""Ops on images."""

import numpy as np

from .making import f, i, one

IMAGE = f(1, 4, 5, 2)
COLORS = f(2, 2, 3, low=0.1, high=0.9)
SMALLER, LARGER = i(2, 3), i(7, 9)
WAYS = [{}, {"align_corners": True}, {"half_pixel_centers": True}]
BOXES = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 2, 1, 3], [0.1, 0, 1, 1.2]], "float32")
SCORES = f(4, low=0.1, high=0.9)
BEST = {"boxes": BOXES, "scores": SCORES, "max_output_size": one(3, "int32")}
LIMITS = {"iou_threshold": one(0.5), "score_threshold": one(0.2)}
CROPS = {
    "boxes": np.array([[0, 0, 1, 1], [0.2, 0.3, 0.7, 0.9], [0.1, -0.3, 1.2, 0.8]], "float32"),
    "box_ind": i(0, 0, 0),
}

KERNELS = ["lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle"]
KERNELS += ["keyscubic", "mitchellcubic"]

CASES = [
    ("AdjustContrastv2", {"images": COLORS, "contrast_factor": one(1.5)}),
    ("AdjustHue", {"images": COLORS, "delta": one(0.1)}),
    ("AdjustSaturation", {"images": COLORS, "scale": one(0.5)}),
    (
        "CombinedNonMaxSuppression",
        {
            "boxes": BOXES[None, :, None],
            "scores": SCORES[None, :, None],
            "max_output_size_per_class": one(2, "int32"),
            "max_total_size": one(3, "int32"),
            **LIMITS,
        },
    ),
    ("CropAndResize", {"image": IMAGE, **CROPS, "crop_size": i(3, 2)}),
    (
        "CropAndResize",
        {
            "image": IMAGE,
            **CROPS,
            "crop_size": i(3, 2),
            "method": "nearest",
            "extrapolation_value": 0.5,
        },
    ),
    ("CropAndResizeGradBoxes", {"grads": f(3, 3, 2, 2), "image": IMAGE, **CROPS}),
    (
        "CropAndResizeGradImage",
        {"grads": f(3, 3, 2, 2), **CROPS, "image_size": i(1, 4, 5, 2), "T": "float32"},
    ),
    (
        "DrawBoundingBoxes",
        {
            "images": f(1, 6, 6, 3),
            "boxes": np.array([[[0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]]], "float32"),
        },
    ),
    (
        "DrawBoundingBoxesV2",
        {
            "images": f(1, 6, 6, 3),
            "boxes": np.array([[[0.1, 0.2, 0.8, 0.9]]], "float32"),
            "colors": f(1, 3, low=0, seed=1),
        },
    ),
    *[
        (
            name,
            {
                "input": f(1, 4, 4, 1),
                "size": i(2, 3),
                "offsets": np.array([[0.2, -0.3]], "float32"),
                "noise": "zero",
                "uniform_noise": False,
                **way,
            },
        )
        for name in ("ExtractGlimpse", "ExtractGlimpseV2")
        for way in (
            {},
            {"normalized": False},
            {"centered": False},
            {"centered": False, "normalized": False},
        )
    ],
    (
        "ExtractImagePatches",
        {
            "images": IMAGE,
            "ksizes": [1, 2, 2, 1],
            "strides": [1, 1, 2, 1],
            "rates": [1, 1, 1, 1],
            "padding": "VALID",
        },
    ),
    (
        "ExtractVolumePatches",
        {
            "input": f(1, 3, 3, 3, 1),
            "ksizes": [1, 2, 2, 2, 1],
            "strides": [1, 1, 1, 1, 1],
            "padding": "VALID",
        },
    ),
    ("HSVToRGB", {"images": COLORS}),
    ("RGBToHSV", {"images": COLORS}),
    (
        "ImageProjectiveTransformV2",
        {
            "images": IMAGE,
            "transforms": np.array([[1, 0.2, -0.5, 0.1, 0.9, 0.3, 0, 0]], "float32"),
            "output_shape": i(4, 5),
            "interpolation": "BILINEAR",
            "fill_mode": "REFLECT",
        },
    ),
    (
        "ImageProjectiveTransformV3",
        {
            "images": IMAGE,
            "transforms": np.array([[1, 0.2, -0.5, 0.1, 0.9, 0.3, 0, 0]], "float32"),
            "output_shape": i(3, 5),
            "fill_value": one(0.5),
            "interpolation": "BILINEAR",
        },
    ),
    ("NonMaxSuppression", BEST),
    ("NonMaxSuppressionV2", {**BEST, "iou_threshold": one(0.3)}),
    ("NonMaxSuppressionV3", {**BEST, **LIMITS}),
    ("NonMaxSuppressionV4", {**BEST, **LIMITS, "pad_to_max_output_size": True}),
    ("NonMaxSuppressionV5", {**BEST, **LIMITS, "soft_nms_sigma": one(0.5)}),
    (
        "NonMaxSuppressionV5",
        {**BEST, **LIMITS, "soft_nms_sigma": one(0), "pad_to_max_output_size": True},
    ),
    (
        "NonMaxSuppressionWithOverlaps",
        {
            "overlaps": f(4, 4, low=0),
            "scores": SCORES,
            "max_output_size": one(3, "int32"),
            "overlap_threshold": one(0.5),
            "score_threshold": one(0.2),
        },
    ),
    *[
        (name, {"images": IMAGE, "size": size, **way})
        for name in ("ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor")
        for size in (SMALLER, LARGER)
        for way in WAYS
    ],
    *[
        ("ResizeArea", {"images": IMAGE, "size": size, **way})
        for size in (SMALLER, LARGER)
        for way in WAYS[:2]
    ],
    *[
        (name, {"grads": f(1, 7, 9, 2, seed=1), "original_image": IMAGE, **way})
        for name in ("ResizeBicubicGrad", "ResizeBilinearGrad")
        for way in WAYS
    ],
    *[
        ("ResizeNearestNeighborGrad", {"grads": f(1, 7, 9, 2, seed=1), "size": i(4, 5), **way})
        for way in WAYS
    ],
    *[
        (
            "ScaleAndTranslate",
            {
                "images": IMAGE,
                "size": i(4, 6),
                "scale": np.array([1.1, 0.7], "float32"),
                "translation": np.array([0.3, 0.9], "float32"),
                "kernel_type": kernel,
                **way,
            },
        )
        for kernel in KERNELS
        for way in ({}, {"antialias": False})
    ],
    (
        "ScaleAndTranslateGrad",
        {
            "grads": f(1, 4, 6, 2, seed=1),
            "original_image": IMAGE,
            "scale": np.array([1.1, 0.7], "float32"),
            "translation": np.array([0.3, 0.9], "float32"),
        },
    ),
    *[
        (
            name,
            {
                "image_size": i(8, 8, 3),
                "bounding_boxes": np.array([[[0.2, 0.2, 0.8, 0.8]]], "float32"),
                "seed": 1,
                **more,
            },
        )
        for name, more in (
            ("SampleDistortedBoundingBox", {}),
            ("SampleDistortedBoundingBoxV2", {"min_object_covered": one(0.1)}),
        )
    ],
    (
        "StatelessSampleDistortedBoundingBox",
        {
            "image_size": i(8, 8, 3),
            "bounding_boxes": np.array([[[0.2, 0.2, 0.8, 0.8]]], "float32"),
            "min_object_covered": one(0.1),
            "seed": i(1, 2),
        },
    ),
]
