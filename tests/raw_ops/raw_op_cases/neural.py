"""Ops of neural networks."""

import numpy as np

from .making import f, i, one

IMAGE, FILTER = f(1, 4, 4, 2), f(2, 2, 2, 3, seed=1)
LAID = {"strides": [1, 1, 1, 1], "padding": "SAME"}
WINDOW = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
WINDOW3D = {"ksize": [1, 2, 2, 2, 1], "strides": [1] * 5, "padding": "VALID"}
EXPLICIT = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 1, 0, 0, 0]}
NORM = {
    "x": f(2, 2, 2, 3),
    "scale": f(3, low=0.5, high=1, seed=1),
    "offset": f(3, seed=2),
    "mean": f(3, seed=3),
    "variance": f(3, low=0.5, high=1, seed=4),
}
CTC = {
    "inputs": f(5, 2, 4),
    "labels_indices": np.array([[0, 0], [0, 1], [1, 0]]),
    "labels_values": i(1, 2, 1),
    "sequence_length": i(5, 4),
}

CASES = [
    *[
        (name, {"features": f(2, 3)})
        for name in ["Elu", "LeakyRelu", "Relu", "Selu", "Softplus", "Softsign"]
    ],
    ("LeakyRelu", {"features": f(2, 3), "alpha": 0.5}),
    ("Relu6", {"features": f(2, 3, low=-4, high=9)}),
    ("AvgPool", {"value": IMAGE, **WINDOW}),
    ("AvgPool3D", {"input": f(1, 3, 3, 3, 2), **WINDOW3D}),
    ("BiasAdd", {"value": f(2, 3), "bias": f(3, seed=1)}),
    ("BiasAdd", {"value": f(1, 3, 2, 2), "bias": f(3, seed=1), "data_format": "NCHW"}),
    ("BiasAddV1", {"value": f(2, 3), "bias": f(3, seed=1)}),
    (
        "CTCBeamSearchDecoder",
        {
            "inputs": f(5, 2, 4),
            "sequence_length": i(5, 4),
            "beam_width": 10,
            "top_paths": 2,
            "merge_repeated": False,
        },
    ),
    ("CTCGreedyDecoder", {"inputs": f(5, 2, 4), "sequence_length": i(5, 4)}),
    (
        "CTCGreedyDecoder",
        {
            "inputs": f(5, 2, 4),
            "sequence_length": i(5, 4),
            "merge_repeated": True,
            "blank_index": 0,
        },
    ),
    ("CTCLoss", CTC),
    ("Conv", {"input": IMAGE, "filter": FILTER, "strides": [1, 1, 1, 1], "padding": "VALID"}),
    ("Conv2D", {"input": IMAGE, "filter": FILTER, **LAID}),
    ("Conv2D", {"input": IMAGE, "filter": FILTER, "strides": [1, 2, 2, 1], **EXPLICIT}),
    (
        "Conv2D",
        {
            "input": IMAGE,
            "filter": FILTER,
            "strides": [1] * 4,
            "padding": "VALID",
            "dilations": [1, 2, 2, 1],
        },
    ),
    (
        "Conv3D",
        {
            "input": f(1, 3, 3, 3, 2),
            "filter": f(2, 2, 2, 2, 1),
            "strides": [1] * 5,
            "padding": "VALID",
        },
    ),
    ("DepthToSpace", {"input": f(1, 2, 2, 4), "block_size": 2}),
    ("DepthwiseConv2dNative", {"input": IMAGE, "filter": f(2, 2, 2, 2, seed=1), **LAID}),
    (
        "Dilation2D",
        {
            "input": IMAGE,
            "filter": f(2, 2, 2, seed=1),
            "strides": [1] * 4,
            "rates": [1] * 4,
            "padding": "SAME",
        },
    ),
    (
        "FractionalAvgPool",
        {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 2.0, 2.0, 1.0]},
    ),
    (
        "FractionalMaxPool",
        {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 2.0, 2.0, 1.0]},
    ),
    ("FusedBatchNorm", NORM),
    ("FusedBatchNorm", {**NORM, "is_training": False}),
    ("FusedBatchNormV2", {**NORM, "epsilon": 0.01}),
    ("FusedBatchNormV2", {**NORM, "exponential_avg_factor": 0.25}),
    ("FusedBatchNormV3", {**NORM, "x": f(2, 2, 2, 3, dtype="float16")}),
    ("FusedBatchNormV3", {**NORM, "is_training": False}),
    ("InTopK", {"predictions": f(3, 5), "targets": i(0, 1, 2), "k": 2}),
    ("InTopKV2", {"predictions": f(3, 5), "targets": i(0, 1, 2), "k": one(3, "int32")}),
    ("LRN", {"input": f(1, 2, 2, 5)}),
    ("LRN", {"input": f(1, 2, 2, 5), "depth_radius": 1, "bias": 2.0, "alpha": 0.5, "beta": 0.75}),
    ("LogSoftmax", {"logits": f(2, 3)}),
    ("MaxPool", {"input": IMAGE, **WINDOW}),
    ("MaxPool3D", {"input": f(1, 3, 3, 3, 2), **WINDOW3D}),
    (
        "MaxPoolV2",
        {"input": IMAGE, "ksize": i(1, 2, 2, 1), "strides": i(1, 2, 2, 1), "padding": "VALID"},
    ),
    ("MaxPoolWithArgmax", {"input": f(2, 4, 4, 2), **WINDOW}),
    (
        "MaxPoolWithArgmax",
        {"input": f(2, 4, 4, 2), **WINDOW, "Targmax": "int32", "include_batch_in_index": True},
    ),
    ("Softmax", {"logits": f(2, 3)}),
    (
        "SoftmaxCrossEntropyWithLogits",
        {"features": f(2, 3), "labels": np.array([[1, 0, 0], [0, 0.5, 0.5]], "float32")},
    ),
    ("SpaceToDepth", {"input": f(1, 4, 4, 1), "block_size": 2}),
    ("SparseSoftmaxCrossEntropyWithLogits", {"features": f(2, 3), "labels": i(2, 0)}),
    (
        "FakeQuantWithMinMaxArgs",
        {"inputs": f(2, 3, low=-9, high=9), "min": -3.1, "max": 6.0, "num_bits": 4},
    ),
    (
        "FakeQuantWithMinMaxArgsGradient",
        {"gradients": f(2, 3), "inputs": f(2, 3, low=-9, high=9, seed=1)},
    ),
    (
        "FakeQuantWithMinMaxVars",
        {"inputs": f(2, 3, low=-9, high=9), "min": one(-3.1), "max": one(6), "narrow_range": True},
    ),
    (
        "FakeQuantWithMinMaxVarsGradient",
        {
            "gradients": f(2, 3),
            "inputs": f(2, 3, low=-9, high=9, seed=1),
            "min": one(-3),
            "max": one(6),
        },
    ),
    (
        "FakeQuantWithMinMaxVarsPerChannel",
        {
            "inputs": f(2, 3, low=-9, high=9),
            "min": f(3, low=-4, high=-1),
            "max": f(3, low=1, high=5),
        },
    ),
    (
        "FakeQuantWithMinMaxVarsPerChannelGradient",
        {
            "gradients": f(2, 3),
            "inputs": f(2, 3, low=-9, high=9, seed=1),
            "min": f(3, low=-4, high=-1),
            "max": f(3, low=1, high=5),
        },
    ),
    ("QuantizeAndDequantizeV2", {"input": f(2, 5), "input_min": one(0), "input_max": one(0)}),
    (
        "QuantizeAndDequantizeV2",
        {
            "input": f(2, 5),
            "input_min": one(-1),
            "input_max": one(1.5),
            "range_given": True,
            "num_bits": 4,
            "round_mode": "HALF_UP",
        },
    ),
    (
        "QuantizeAndDequantizeV3",
        {
            "input": f(2, 5),
            "input_min": f(5, low=-2, high=-1),
            "input_max": f(5, low=1, high=2),
            "num_bits": one(5, "int32"),
            "narrow_range": True,
            "axis": 1,
        },
    ),
    (
        "QuantizeAndDequantizeV2",
        {"input": f(2, 5, low=0), "input_min": one(0), "input_max": one(0), "signed_input": False},
    ),
    (
        "QuantizeAndDequantizeV3",
        {
            "input": f(2, 5),
            "input_min": one(-1),
            "input_max": one(1.5),
            "num_bits": one(4, "int32"),
        },
    ),
    (
        "QuantizeAndDequantizeV4",
        {"input": f(2, 5), "input_min": one(-1), "input_max": one(1.5), "range_given": True},
    ),
    (
        "QuantizeAndDequantizeV4Grad",
        {"gradients": f(2, 5), "input": f(2, 5, seed=1), "input_min": one(-1), "input_max": one(1)},
    ),
]
