"""Ops that compute gradients of others."""

import numpy as np

from .making import c, f, i

Y, DY = f(2, 3, low=0.1, high=0.9), f(2, 3, seed=1)
G = {"gradients": f(2, 3, seed=1)}
IMAGE, FILTER = f(1, 4, 4, 2), f(2, 2, 2, 3, seed=1)
RESULT = f(1, 3, 3, 3, seed=2)
LAID = {"strides": [1, 1, 1, 1], "padding": "VALID"}
VOLUME, CUBE = f(1, 3, 3, 3, 2), f(2, 2, 2, 2, 1, seed=1)
LAID3D = {"strides": [1] * 5, "padding": "VALID"}
OF_VOLUME = f(1, 2, 2, 2, 1, seed=2)
DEPTHWISE = f(2, 2, 2, 1, seed=1)
DILATION = {
    "input": IMAGE,
    "filter": f(2, 2, 2, seed=1),
    "out_backprop": f(1, 3, 3, 2, seed=2),
    "strides": [1] * 4,
    "rates": [1] * 4,
    "padding": "VALID",
}
WINDOW = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
WINDOW3D = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 1, 1, 1, 1], "padding": "VALID"}
LARGEST = IMAGE.reshape(1, 2, 2, 2, 2, 2).max(axis=(2, 4))
LARGEST3D = np.max(
    [VOLUME[:, a : a + 2, b : b + 2, c : c + 2] for a in (0, 1) for b in (0, 1) for c in (0, 1)], 0
)
POOLED = {"orig_input": IMAGE, "orig_output": LARGEST}
POOLED3D = {"orig_input": VOLUME, "orig_output": LARGEST3D}
FRACTIONAL = {
    "out_backprop": f(1, 2, 2, 2, seed=1),
    "row_pooling_sequence": i(0, 1, 4, dtype="int64"),
    "col_pooling_sequence": i(0, 3, 4, dtype="int64"),
}
UNEVEN = np.maximum.reduceat(np.maximum.reduceat(IMAGE, [0, 1], axis=1), [0, 3], axis=2)
TENSORS = {"ksize": i(1, 2, 2, 1), "strides": i(1, 2, 2, 1), "padding": "SAME"}
PLACES = np.array([[[[0, 5], [6, 3]], [[16, 17], [30, 29]]]], "int64")
NORM = {
    "y_backprop": f(2, 2, 2, 3, seed=3),
    "x": f(2, 2, 2, 3),
    "scale": f(3, low=0.5, high=1, seed=1),
    "reserve_space_1": f(2, 2, 2, 3).mean((0, 1, 2)),
    "reserve_space_2": f(2, 2, 2, 3).var((0, 1, 2)),
}

PIXELS = f(1, 2, 2, 5, seed=1)
SQUARES = np.pad(PIXELS**2, [(0, 0)] * 3 + [(2, 2)])
NORMALIZED = PIXELS / (1 + sum([SQUARES[..., k : k + 5] for k in range(5)])) ** 0.75

CASES = [
    *[
        (f"{name}Grad", {"y": Y, "dy": DY})
        for name in ["Inv", "Reciprocal", "Rsqrt", "Sigmoid", "Sqrt", "Tanh"]
    ],
    *[
        (f"{name}Grad", {"y": c(2, 2), "dy": c(2, 2, seed=1)})
        for name in ["Inv", "Rsqrt", "Sigmoid", "Sqrt", "Tanh"]
    ],
    *[(f"{name}Grad", {**G, "outputs": f(2, 3)}) for name in ("Elu", "Selu")],
    *[
        (f"{name}Grad", {**G, "features": f(2, 3)})
        for name in ["LeakyRelu", "Relu", "Softplus", "Softsign"]
    ],
    ("LeakyReluGrad", {**G, "features": f(2, 3), "alpha": 0.5}),
    ("Relu6Grad", {**G, "features": f(2, 3, low=-4, high=9)}),
    ("IgammaGradA", {"a": f(3, low=0.5, high=2), "x": f(3, low=0.5, high=2, seed=1)}),
    ("BiasAddGrad", {"out_backprop": f(2, 2, 3)}),
    ("BiasAddGrad", {"out_backprop": f(2, 3, 2, 2), "data_format": "NCHW"}),
    (
        "Conv2DBackpropFilter",
        {"input": IMAGE, "filter_sizes": i(2, 2, 2, 3), "out_backprop": RESULT, **LAID},
    ),
    (
        "Conv2DBackpropFilter",
        {
            "input": IMAGE,
            "filter_sizes": i(2, 2, 2, 3),
            "out_backprop": f(1, 4, 4, 3),
            "strides": [1] * 4,
            "padding": "EXPLICIT",
            "explicit_paddings": [0, 0, 1, 0, 1, 0, 0, 0],
        },
    ),
    (
        "Conv2DBackpropInput",
        {"input_sizes": i(1, 4, 4, 2), "filter": FILTER, "out_backprop": RESULT, **LAID},
    ),
    (
        "Conv3DBackpropFilterV2",
        {"input": VOLUME, "filter_sizes": i(2, 2, 2, 2, 1), "out_backprop": OF_VOLUME, **LAID3D},
    ),
    (
        "Conv3DBackpropInputV2",
        {"input_sizes": i(1, 3, 3, 3, 2), "filter": CUBE, "out_backprop": OF_VOLUME, **LAID3D},
    ),
    (
        "DepthwiseConv2dNativeBackpropFilter",
        {"input": IMAGE, "filter_sizes": i(2, 2, 2, 1), "out_backprop": f(1, 3, 3, 2), **LAID},
    ),
    (
        "DepthwiseConv2dNativeBackpropInput",
        {"input_sizes": i(1, 4, 4, 2), "filter": DEPTHWISE, "out_backprop": f(1, 3, 3, 2), **LAID},
    ),
    ("Dilation2DBackpropFilter", DILATION),
    ("Dilation2DBackpropInput", DILATION),
    ("AvgPoolGrad", {"orig_input_shape": i(1, 4, 4, 2), "grad": f(1, 2, 2, 2), **WINDOW}),
    ("AvgPool3DGrad", {"orig_input_shape": i(1, 3, 3, 3, 2), "grad": f(1, 2, 2, 2, 2), **WINDOW3D}),
    ("MaxPoolGrad", {**POOLED, "grad": f(1, 2, 2, 2, seed=1), **WINDOW}),
    ("MaxPoolGradV2", {**POOLED, "grad": f(1, 2, 2, 2, seed=1), **TENSORS}),
    ("MaxPoolGradGrad", {**POOLED, "grad": f(1, 4, 4, 2, seed=1), **WINDOW}),
    ("MaxPoolGradGradV2", {**POOLED, "grad": f(1, 4, 4, 2, seed=1), **TENSORS}),
    ("MaxPool3DGrad", {**POOLED3D, "grad": f(1, 2, 2, 2, 2, seed=1), **WINDOW3D}),
    ("MaxPool3DGradGrad", {**POOLED3D, "grad": f(1, 3, 3, 3, 2, seed=1), **WINDOW3D}),
    ("MaxPoolGradWithArgmax", {"input": IMAGE, "grad": f(1, 2, 2, 2), "argmax": PLACES, **WINDOW}),
    ("FractionalMaxPoolGrad", {**FRACTIONAL, "orig_input": IMAGE, "orig_output": UNEVEN}),
    (
        "FractionalAvgPoolGrad",
        {
            **FRACTIONAL,
            "orig_input_tensor_shape": i(1, 4, 4, 2, dtype="int64"),
            "overlapping": True,
        },
    ),
    (
        "LRNGrad",
        {
            "input_grads": f(1, 2, 2, 5),
            "input_image": f(1, 2, 2, 5, seed=1),
            "output_image": NORMALIZED,
            "depth_radius": 2,
            "beta": 0.75,
        },
    ),
    ("FusedBatchNormGrad", NORM),
    ("FusedBatchNormGradV2", {**NORM, "is_training": False}),
    ("FusedBatchNormGradV3", {**NORM, "reserve_space_3": f(3), "epsilon": 0.01}),
]
