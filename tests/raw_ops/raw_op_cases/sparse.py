"""Ops on sparse tensors."""

import numpy as np

from .making import f, i, one

PLACES = np.array([[0, 0], [0, 2], [1, 1]])
OTHERS = np.array([[0, 1], [0, 2], [1, 1]])
SHAPE = np.array([2, 3])
X = {"indices": PLACES, "values": f(3), "shape": SHAPE}
SUMS = {"input_indices": PLACES, "input_values": f(3), "input_shape": SHAPE}
BOTH = {
    "a_indices": PLACES,
    "a_values": f(3),
    "a_shape": SHAPE,
    "b_indices": OTHERS,
    "b_values": f(3, seed=1),
    "b_shape": SHAPE,
}
DENSE = {"sp_indices": PLACES, "sp_values": f(3), "sp_shape": SHAPE}
SETS = {"set1_indices": PLACES, "set1_values": i(1, 2, 3), "set1_shape": SHAPE}
MORE = {"set2_indices": OTHERS, "set2_values": i(2, 5, 3), "set2_shape": SHAPE}
ROWS = np.array([[0, 0], [0, 2], [2, 1]])

CASES = [
    (
        "DenseToDenseSetOperation",
        {
            "set1": i(1, 2, 3, 4).reshape(2, 2),
            "set2": i(2, 9, 3, 4).reshape(2, 2),
            "set_operation": "a-b",
        },
    ),
    (
        "DenseToSparseSetOperation",
        {"set1": i(1, 2, 3, 4).reshape(2, 2), **MORE, "set_operation": "intersection"},
    ),
    ("SparseToSparseSetOperation", {**SETS, **MORE, "set_operation": "union"}),
    ("SparseToSparseSetOperation", {**SETS, **MORE, "set_operation": "b-a"}),
    ("SetSize", {"set_indices": PLACES, "set_values": i(1, 1, 3), "set_shape": SHAPE}),
    (
        "EditDistance",
        {
            "hypothesis_indices": PLACES,
            "hypothesis_values": i(1, 2, 3),
            "hypothesis_shape": SHAPE,
            "truth_indices": OTHERS,
            "truth_values": i(2, 2, 4),
            "truth_shape": SHAPE,
        },
    ),
    ("SparseAdd", {**BOTH, "thresh": one(0)}),
    (
        "SparseAddGrad",
        {
            "backprop_val_grad": f(4),
            "a_indices": PLACES,
            "b_indices": OTHERS,
            "sum_indices": np.array([[0, 0], [0, 1], [0, 2], [1, 1]]),
        },
    ),
    (
        "SparseConcat",
        {
            "indices": [PLACES, OTHERS],
            "values": [f(3), f(3, seed=1)],
            "shapes": [SHAPE, SHAPE],
            "concat_dim": 1,
        },
    ),
    ("SparseDenseCwiseAdd", {**DENSE, "dense": f(3, seed=1)}),
    ("SparseDenseCwiseDiv", {**DENSE, "dense": f(2, 3, seed=1)}),
    ("SparseDenseCwiseMul", {**DENSE, "dense": f(2, 1, seed=1)}),
    (
        "SparseFillEmptyRows",
        {"indices": ROWS, "values": f(3), "dense_shape": np.array([4, 3]), "default_value": one(7)},
    ),
    (
        "SparseFillEmptyRowsGrad",
        {"reverse_index_map": np.array([0, 1, 3]), "grad_values": f(5)},
    ),
    *[
        (f"SparseReduce{kind}{form}", {**SUMS, "reduction_axes": axes, "keep_dims": keep})
        for kind in ("Max", "Sum")
        for form in ("", "Sparse")
        for axes, keep in ((i(1), False), (i(0), True))
    ],
    (
        "SparseReorder",
        {"input_indices": PLACES[::-1].copy(), "input_values": f(3), "input_shape": SHAPE},
    ),
    (
        "SparseReshape",
        {"input_indices": PLACES, "input_shape": SHAPE, "new_shape": np.array([3, -1])},
    ),
    ("SparseSlice", {**X, "start": np.array([0, 1]), "size": np.array([2, 2])}),
    (
        "SparseSliceGrad",
        {
            "backprop_val_grad": f(2),
            "input_indices": PLACES,
            "input_start": np.array([0, 1]),
            "output_indices": np.array([[0, 1], [1, 0]]),
        },
    ),
    ("SparseSoftmax", DENSE),
    ("SparseSparseMaximum", BOTH),
    ("SparseSparseMinimum", BOTH),
    ("SparseSplit", {"split_dim": one(1, "int64"), **X, "num_split": 2}),
    (
        "SparseTensorDenseAdd",
        {"a_indices": PLACES, "a_values": f(3), "a_shape": SHAPE, "b": f(2, 3, seed=1)},
    ),
    (
        "SparseTensorDenseMatMul",
        {"a_indices": PLACES, "a_values": f(3), "a_shape": SHAPE, "b": f(3, 2, seed=1)},
    ),
    (
        "SparseTensorDenseMatMul",
        {
            "a_indices": PLACES,
            "a_values": f(3),
            "a_shape": SHAPE,
            "b": f(4, 2, seed=1),
            "adjoint_a": True,
            "adjoint_b": True,
        },
    ),
    (
        "SparseToDense",
        {
            "sparse_indices": PLACES,
            "output_shape": SHAPE,
            "sparse_values": f(3),
            "default_value": one(9),
        },
    ),
    (
        "SparseToDense",
        {
            "sparse_indices": i(1, 3),
            "output_shape": i(5),
            "sparse_values": one(2),
            "default_value": one(0),
        },
    ),
]
