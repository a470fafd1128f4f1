"""Ops that combine elements."""

import numpy as np

from .making import f, i, n, one

X = f(2, 3, 4)
SUMS = ["Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"]
SEGMENTS = i(0, 0, 1, 3)
UNSORTED = i(2, 0, 2, -1)
ROWS = {"indices": i(3, 0, 1, 0), "segment_ids": i(0, 0, 1, 1)}
KINDS = ["Mean", "SqrtN", "Sum"]

CASES = [
    *[(name, {"input": X, "axis": i(0, 2)}) for name in SUMS],
    *[(name, {"input": X, "axis": one(-1, "int32"), "keep_dims": True}) for name in SUMS],
    ("Sum", {"input": n(2, 3), "axis": i(1, dtype="int64")}),
    ("All", {"input": X > 0, "axis": i(2)}),
    ("Any", {"input": X > 1, "axis": i(0, 1), "keep_dims": True}),
    ("ApproxTopK", {"input": f(2, 5), "k": 2}),
    ("ArgMax", {"input": X, "dimension": one(1, "int32")}),
    ("ArgMax", {"input": X, "dimension": one(1, "int32"), "output_type": "int32"}),
    ("ArgMin", {"input": X, "dimension": one(-1, "int32")}),
    *[
        (name, {"x": X, "axis": one(1, "int32"), **flags})
        for name in ("Cumprod", "Cumsum", "CumulativeLogsumexp")
        for flags in ({}, {"exclusive": True}, {"reverse": True})
    ],
    (
        "DenseBincount",
        {"input": i(1, 3, 3), "size": one(5, "int32"), "weights": f(3), "binary_output": False},
    ),
    ("DenseBincount", {"input": n(2, 3), "size": one(5, "int32"), "weights": f(2, 3)}),
    (
        "DenseBincount",
        {"input": n(2, 3), "size": one(7, "int32"), "weights": f(0), "binary_output": True},
    ),
    ("DenseCountSparseOutput", {"values": i(1, 3, 3), "weights": f(3), "binary_output": False}),
    (
        "DenseCountSparseOutput",
        {"values": n(2, 3), "weights": f(0), "binary_output": False, "minlength": 9},
    ),
    (
        "DenseCountSparseOutput",
        {"values": n(2, 3), "weights": n(0), "binary_output": True, "maxlength": 5},
    ),
    (
        "HistogramFixedWidth",
        {"values": f(9), "value_range": i(-1, 1, dtype="float32"), "nbins": one(4, "int32")},
    ),
    (
        "HistogramFixedWidth",
        {
            "values": f(9),
            "value_range": i(-1, 1, dtype="float32"),
            "nbins": one(4, "int32"),
            "dtype": "int64",
        },
    ),
    ("L2Loss", {"t": X}),
    ("NthElement", {"input": f(2, 5), "n": one(1, "int32")}),
    ("NthElement", {"input": f(2, 5), "n": one(1, "int32"), "reverse": True}),
    (
        "RaggedBincount",
        {
            "splits": i(0, 2, 2, 3, dtype="int64"),
            "values": i(1, 3, 0),
            "size": one(4, "int32"),
            "weights": f(0),
        },
    ),
    (
        "RaggedCountSparseOutput",
        {
            "splits": i(0, 2, 2, 3, dtype="int64"),
            "values": i(1, 1, 0),
            "weights": f(3),
            "binary_output": False,
        },
    ),
    *[
        (f"Segment{kind}", {"data": f(4, 2), "segment_ids": SEGMENTS})
        for kind in ("Max", "Mean", "Min", "Prod", "Sum")
    ],
    (
        "SparseBincount",
        {
            "indices": np.array([[0, 0], [0, 2], [1, 1]]),
            "values": i(1, 3, 0),
            "dense_shape": np.array([2, 3]),
            "size": one(4, "int32"),
            "weights": f(3),
        },
    ),
    (
        "SparseBincount",
        {
            "indices": np.array([[0], [2]]),
            "values": i(1, 1),
            "dense_shape": np.array([3]),
            "size": one(4, "int32"),
            "weights": f(0),
            "binary_output": True,
        },
    ),
    (
        "SparseCountSparseOutput",
        {
            "indices": np.array([[0, 0], [0, 2], [1, 1]]),
            "values": i(1, 1, 0),
            "dense_shape": np.array([2, 3]),
            "weights": f(3),
            "binary_output": False,
        },
    ),
    *[(f"SparseSegment{kind}", {"data": f(4, 2), **ROWS}) for kind in KINDS],
    *[
        (
            f"SparseSegment{kind}WithNumSegments",
            {"data": f(4, 2), **ROWS, "num_segments": one(3, "int32")},
        )
        for kind in KINDS
    ],
    *[
        (f"SparseSegment{kind}Grad", {"grad": f(2, 2), **ROWS, "output_dim0": one(4, "int32")})
        for kind in KINDS
    ],
    *[
        (
            f"SparseSegment{kind}GradV2",
            {"grad": f(2, 2), **ROWS, "dense_output_dim0": one(4, "int32")},
        )
        for kind in KINDS
    ],
    ("TopKV2", {"input": f(2, 5), "k": one(2, "int32")}),
    ("TopKV2", {"input": f(2, 5), "k": one(2, "int32"), "index_type": "int64"}),
    *[
        (
            f"UnsortedSegment{kind}",
            {"data": f(4, 2), "segment_ids": UNSORTED, "num_segments": one(3, "int32")},
        )
        for kind in ("Max", "Min", "Prod", "Sum")
    ],
]
