"""Ops on matrices, and Fourier transforms."""

import numpy as np

from .making import c, f, i, one

A, B = f(3, 3), f(3, 2, seed=1)
SOLVABLE = A + 4 * np.eye(3, dtype="float32")
POSITIVE = A @ A.T + np.eye(3, dtype="float32")
SYMMETRIC = A + A.T
BATCH = np.stack([SOLVABLE, SOLVABLE.T])
LOWER = np.linalg.cholesky(POSITIVE)
K = i(-1, 1)
SIZES = {"num_rows": one(3, "int32"), "num_cols": one(3, "int32"), "padding_value": one(9)}

DIAGONALS = f(3, 3, low=1, high=2) + np.array([[0], [4], [0]], "float32")

PLAIN = {
    "Cholesky": {"input": POSITIVE},
    "CholeskyGrad": {"l": LOWER, "grad": np.tril(A)},
    "MatrixBandPart": {"input": A, "num_lower": one(1, "int64"), "num_upper": one(0, "int64")},
    "MatrixDeterminant": {"input": BATCH},
    "MatrixDiag": {"diagonal": f(2, 3)},
    "MatrixDiagPart": {"input": f(2, 3, 4)},
    "MatrixInverse": {"input": SOLVABLE},
    "MatrixSetDiag": {"input": f(2, 3, 4), "diagonal": f(2, 3, seed=1)},
    "MatrixSolve": {"matrix": SOLVABLE, "rhs": B},
    "MatrixSolveLs": {"matrix": f(4, 2), "rhs": f(4, 1), "l2_regularizer": one(0.1, "float64")},
    "MatrixTriangularSolve": {"matrix": LOWER, "rhs": B},
    "SelfAdjointEigV2": {"input": SYMMETRIC, "compute_v": False},
    "Svd": {"input": B, "compute_uv": False},
}
TRANSFORMS = [f"{way}FFT{rank}" for way in ("", "I") for rank in ("", "2D", "3D")]
LENGTH = {"": i(4), "2D": i(2, 4), "3D": i(2, 2, 4)}

CASES = [
    *PLAIN.items(),
    *[(name, {"input": c(2, 2, 4)}) for name in TRANSFORMS],
    *[(f"RFFT{rank}", {"input": f(2, 2, 4), "fft_length": LENGTH[rank]}) for rank in LENGTH],
    *[(f"IRFFT{rank}", {"input": c(2, 2, 3), "fft_length": LENGTH[rank]}) for rank in LENGTH],
    (
        "RFFT",
        {"input": f(2, 4, dtype="float64"), "fft_length": i(4), "Tcomplex": "complex128"},
    ),
    ("BandedTriangularSolve", {"matrix": f(2, 3, low=1, high=2), "rhs": B}),
    ("BatchMatMul", {"x": f(2, 2, 3), "y": f(2, 3, 2, seed=1)}),
    ("BatchMatMulV2", {"x": f(2, 2, 3), "y": f(3, 2, seed=1)}),
    ("BatchMatMulV2", {"x": c(2, 3, 2), "y": c(3, 2, seed=1), "adj_x": True}),
    ("BatchMatMulV3", {"x": f(2, 2, 3), "y": f(3, 2, seed=1), "Tout": "float32"}),
    ("Cross", {"a": f(2, 3), "b": f(2, 3, seed=1)}),
    ("Eig", {"input": np.diag(i(3, 1, 2, dtype="float32")), "Tout": "complex64"}),
    (
        "Eig",
        {"input": np.diag(i(1, 2, 3, dtype="float32")), "Tout": "complex64", "compute_v": False},
    ),
    ("Einsum", {"inputs": [f(2, 3), f(3, 4, seed=1)], "equation": "ij,jk->ki"}),
    ("LogMatrixDeterminant", {"input": BATCH}),
    ("Lu", {"input": SOLVABLE}),
    ("Lu", {"input": SOLVABLE, "output_idx_type": "int64"}),
    ("MatMul", {"a": f(2, 3), "b": f(3, 2, seed=1)}),
    ("MatMul", {"a": f(3, 2), "b": f(2, 3, seed=1), "transpose_a": True, "transpose_b": True}),
    ("MatrixDiagPartV2", {"input": f(3, 4), "k": K, "padding_value": one(9)}),
    ("MatrixDiagPartV3", {"input": f(3, 4), "k": K, "padding_value": one(9)}),
    (
        "MatrixDiagPartV3",
        {"input": f(3, 4), "k": K, "padding_value": one(9), "align": "LEFT_RIGHT"},
    ),
    ("MatrixDiagV2", {"diagonal": f(2, 3), "k": i(0, 1), **SIZES}),
    ("MatrixDiagV3", {"diagonal": f(2, 3), "k": i(0, 1), **SIZES}),
    ("MatrixDiagV3", {"diagonal": f(2, 3), "k": i(-1, 0), **SIZES, "align": "LEFT_LEFT"}),
    ("MatrixInverse", {"input": c(2, 2) + 3 * np.eye(2, dtype="complex64"), "adjoint": True}),
    ("MatrixLogarithm", {"input": c(2, 2) + 3 * np.eye(2, dtype="complex64")}),
    ("MatrixSetDiagV2", {"input": f(3, 4), "diagonal": f(2, 3, seed=1), "k": i(0, 1)}),
    ("MatrixSetDiagV3", {"input": f(3, 4), "diagonal": f(2, 3, seed=1), "k": i(-1, 0)}),
    ("MatrixSolve", {"matrix": SOLVABLE, "rhs": B, "adjoint": True}),
    ("MatrixSquareRoot", {"input": POSITIVE}),
    ("MatrixTriangularSolve", {"matrix": LOWER.T, "rhs": B, "lower": False, "adjoint": True}),
    ("Qr", {"input": f(3, 2)}),
    ("Qr", {"input": f(3, 2), "full_matrices": True}),
    ("SelfAdjointEigV2", {"input": SYMMETRIC}),
    ("SparseMatMul", {"a": f(2, 3), "b": f(3, 2, seed=1)}),
    ("Svd", {"input": B}),
    ("Svd", {"input": B, "full_matrices": True}),
    (
        "TridiagonalMatMul",
        {"superdiag": f(1, 3), "maindiag": f(1, 3), "subdiag": f(1, 3, seed=1), "rhs": B},
    ),
    ("TridiagonalSolve", {"diagonals": DIAGONALS, "rhs": B}),
]
