"""Ops on rows of different lengths."""

import numpy as np

from .making import f, i, one

ENDS = np.array([0, 2, 2, 5])

CASES = [
    (
        "RaggedFillEmptyRows",
        {
            "value_rowids": np.array([0, 0, 2]),
            "values": f(3),
            "nrows": one(4, "int64"),
            "default_value": one(7),
        },
    ),
    ("RaggedFillEmptyRowsGrad", {"reverse_index_map": np.array([0, 1, 3]), "grad_values": f(5)}),
    (
        "RaggedGather",
        {
            "params_nested_splits": [ENDS],
            "params_dense_values": f(5),
            "indices": i(2, 0, 2),
            "OUTPUT_RAGGED_RANK": 1,
        },
    ),
    (
        "RaggedGather",
        {
            "params_nested_splits": [np.array([0, 1, 3]), ENDS],
            "params_dense_values": f(5),
            "indices": np.array([1, 0]),
            "OUTPUT_RAGGED_RANK": 2,
        },
    ),
    ("RaggedRange", {"starts": i(0, 5, 8), "limits": i(3, 5, 2), "deltas": i(1, 1, -2)}),
    (
        "RaggedRange",
        {"starts": one(0), "limits": f(2, low=1), "deltas": one(0.5), "Tsplits": "int32"},
    ),
    ("RaggedTensorToSparse", {"rt_nested_splits": [ENDS], "rt_dense_values": f(5)}),
    (
        "RaggedTensorToSparse",
        {"rt_nested_splits": [np.array([0, 1, 3]), ENDS], "rt_dense_values": f(5)},
    ),
]
