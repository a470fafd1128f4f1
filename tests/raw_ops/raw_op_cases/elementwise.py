"""Ops on each element."""

import numpy as np

from .making import c, f, i, n, one, words

POSITIVE = {"low": 0.2, "high": 3.0}
UNARY = {
    "Abs Ceil Cos Cosh Erf Erfc Exp Expm1 Floor IsFinite IsInf IsNan Neg OnesLike Rint Round "
    "Sigmoid Sign Sin Sinh Square Tan Tanh ZerosLike Ndtri Dawsn BesselI0 BesselI0e BesselI1 "
    "BesselI1e BesselJ0 BesselJ1 FresnelCos FresnelSin": {},
    "Digamma Expint Inv Lgamma Log Log1p Reciprocal Rsqrt Spence Sqrt BesselK0 BesselK0e BesselK1 "
    "BesselK1e BesselY0 BesselY1 Acosh": {"low": 1.1, "high": 3.0},
    "Acos Asin Asinh Atan Atanh Erfinv": {"low": -0.9, "high": 0.9},
}
BINARY = words(
    "Add AddV2 Atan2 Div DivNoNan FloorDiv FloorMod Greater GreaterEqual Less LessEqual "
    "Maximum Minimum Mod Mul MulNoNan NextAfter RealDiv SquaredDifference Sub TruncateMod "
    "Xdivy Xlog1py Xlogy"
)
BITS = ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift"]
COMPLEX = words("Cos Exp Log Sigmoid Sqrt Tanh Rsqrt Square Reciprocal Conj Inv Sin")

CASES = [
    ("Ndtri", {"x": f(2, 3, low=0.1, high=0.9)}),
    *[
        (name, {"x": f(2, 3, **bounds)})
        for names, bounds in UNARY.items()
        for name in names.split()
        if name != "Ndtri"
    ],
    *[
        (name, dict(zip("yx" if name == "Atan2" else "xy", arrays, strict=True)))
        for name in BINARY
        for arrays in [(f(2, 3, **POSITIVE), f(3, seed=1, **POSITIVE))]
        if name != "NextAfter"
    ],
    *[(name, {"x": n(2, 3), "y": n(3, low=1, high=5, seed=1)}) for name in BITS],
    *[(name, {"input" if name == "Conj" else "x": c(2, 2)}) for name in COMPLEX],
    ("Add", {"x": np.array([b"a", b"b"], object), "y": np.array([b"c", b"d"], object)}),
    ("Add", {"x": i(1, 2), "y": i(3, 4)}),
    ("AddN", {"inputs": [f(2, 2), f(2, 2, seed=1), f(2, 2, seed=2)]}),
    ("Angle", {"input": c(2, 2)}),
    ("Angle", {"input": c(2, 2, dtype="complex128"), "Tout": "float64"}),
    ("ApproximateEqual", {"x": i(1.0, 2.0, dtype="float32"), "y": i(1, 2.1, dtype="float32")}),
    ("ApproximateEqual", {"x": f(3), "y": f(3, seed=1), "tolerance": 1.0}),
    (
        "Betainc",
        {"a": f(3, **POSITIVE), "b": f(3, seed=1, **POSITIVE), "x": f(3, low=0.1, high=0.9)},
    ),
    ("Bitcast", {"input": f(2, 2), "type": "int32"}),
    ("Bitcast", {"input": n(2, 4, dtype="uint8"), "type": "uint32"}),
    ("Cast", {"x": f(2, 3), "DstT": "int32"}),
    ("Cast", {"x": n(2, 3), "DstT": "float64"}),
    ("Cast", {"x": f(7), "DstT": "bfloat16"}),
    ("Cast", {"x": f(7), "DstT": "bfloat16", "Truncate": True}),
    ("Cast", {"x": f(7), "DstT": "half", "Truncate": True}),
    ("Cast", {"x": f(7, dtype="float64"), "DstT": "float32", "Truncate": True}),
    ("ClipByValue", {"t": f(2, 3), "clip_value_min": one(-1), "clip_value_max": one(1)}),
    ("Complex", {"real": f(3), "imag": f(3, seed=1)}),
    (
        "Complex",
        {"real": f(3, dtype="float64"), "imag": f(3, dtype="float64"), "Tout": "complex128"},
    ),
    ("ComplexAbs", {"x": c(2, 2)}),
    ("Div", {"x": i(7, -7), "y": i(2, 2)}),
    ("Equal", {"x": i(1, 2, 3), "y": i(1, 0, 3)}),
    ("Equal", {"x": i(1, 2, 3), "y": i(1, 0), "incompatible_shape_error": False}),
    ("NotEqual", {"x": i(1, 2, 3), "y": i(1, 0, 3)}),
    ("NotEqual", {"x": i(1, 2, 3), "y": i(1, 0), "incompatible_shape_error": False}),
    ("FloorDiv", {"x": i(7, -7), "y": i(2, 2)}),
    ("FloorMod", {"x": i(7, -7), "y": i(3, 3)}),
    ("Igamma", {"a": f(3, **POSITIVE), "x": f(3, seed=1, **POSITIVE)}),
    ("Igammac", {"a": f(3, **POSITIVE), "x": f(3, seed=1, **POSITIVE)}),
    ("Imag", {"input": c(2, 2)}),
    ("Imag", {"input": c(2, 2, dtype="complex128"), "Tout": "float64"}),
    ("Invert", {"x": n(3)}),
    ("LogicalAnd", {"x": np.array([True, False]), "y": np.array([[True], [False]])}),
    ("LogicalNot", {"x": np.array([True, False])}),
    ("LogicalOr", {"x": np.array([True, False]), "y": np.array([[True], [False]])}),
    ("Mod", {"x": i(7, -7), "y": i(3, 3)}),
    ("NextAfter", {"x1": f(3, **POSITIVE), "x2": f(3, low=4, high=5)}),
    ("Polygamma", {"a": i(1, 2, 3, dtype="float32"), "x": f(3, **POSITIVE)}),
    ("PopulationCount", {"x": i(0, 1, 255, -1)}),
    ("PopulationCount", {"x": i(0, 1, 255, dtype="uint8")}),
    ("Pow", {"x": f(2, 3, **POSITIVE), "y": f(3, seed=1)}),
    ("Pow", {"x": i(2, 3), "y": i(3, 2)}),
    ("Real", {"input": c(2, 2)}),
    ("Real", {"input": c(2, 2, dtype="complex128"), "Tout": "float64"}),
    ("Sign", {"x": i(-2, 0, 3)}),
    ("TruncateDiv", {"x": i(7, -7), "y": i(2, 2)}),
    ("TruncateMod", {"x": i(7, -7), "y": i(3, 3)}),
    ("Zeta", {"x": f(3, low=1.5, high=4), "q": f(3, seed=1, **POSITIVE)}),
]
