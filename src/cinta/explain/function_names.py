"""cinta's public functions by the names of NumPy's functions and of ops, for advice."""

from __future__ import annotations

import functools
import linecache
import re
from typing import TYPE_CHECKING

from ..languages.phrases import said
from ..public_names import NAMES

if TYPE_CHECKING:
    from .lines import Line

_OF_NUMPY = {
    "sum": "reduce_sum",
    "mean": "reduce_mean",
    "prod": "reduce_prod",
    "max": "reduce_max",
    "amax": "reduce_max",
    "min": "reduce_min",
    "amin": "reduce_min",
    "any": "reduce_any",
    "all": "reduce_all",
    "std": "math.reduce_std",
    "var": "math.reduce_variance",
    "power": "pow",
    "concatenate": "concat",
    "vstack": "concat",
    "hstack": "concat",
    "clip": "clip_by_value",
    "dot": "tensordot",
    "outer": "tensordot",
    "array": "convert_to_tensor",
    "asarray": "convert_to_tensor",
    "log": "math.log",
    "log1p": "math.log1p",
    "expm1": "math.expm1",
    "cumsum": "math.cumsum",
    "absolute": "abs",
    "arctan2": "math.atan2",
    "arctan": "math.atan",
    "arcsin": "math.asin",
    "arccos": "math.acos",
}
"""NumPy's functions that have another name in cinta."""

_OF_OPS = {
    "AddV2": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "RealDiv": "divide",
    "Neg": "negative",
    "MatMul": "matmul",
    "Sum": "reduce_sum",
    "Mean": "reduce_mean",
    "Max": "reduce_max",
    "Min": "reduce_min",
    "Prod": "reduce_prod",
    "SelectV2": "where",
    "Conv2D": "conv2d",
    "ArgMax": "argmax",
    "ArgMin": "argmin",
    "Convert": "cast",
    "Raised": "pow",
    "Rint": "round",
    "EuclideanNorm": "norm",
    "DivNoNan": "math.divide_no_nan",
    "FloorDiv": "math.floordiv",
    "FloorMod": "math.floormod",
    "LogSumExp": "reduce_logsumexp",
    "LogMatrixDeterminant": "linalg.slogdet",
    "MatrixDeterminant": "linalg.det",
    "MatrixInverse": "linalg.inv",
    "MatrixSolve": "linalg.solve",
    "Variance": "math.reduce_variance",
    "GatherV2": "gather",
    "TopKV2": "math.top_k",
    "NonZero": "where",
}
"""Ops whose public functions have other names than theirs in small letters."""

_CALL = re.compile(r"\b(np|numpy)\.(?:linalg\.)?(\w+)\s*\(")


def calls_numpy(line: Line | None) -> bool:
    """Whether the call on a line is one of a function of NumPy."""
    if line is None:
        return False
    if line.columns is None:
        return _CALL.search(line.source) is not None
    text = linecache.getline(line.filename, line.lineno).encode()
    return _CALL.match(text[slice(*line.columns)].decode(errors="ignore")) is not None


def remedy_for(line: Line | None) -> str:
    """The replacement for NumPy's functions on a line."""
    found = {} if line is None else dict.fromkeys(_CALL.findall(line.source))
    pairs = [(f"{np}.{name}", ours(name)) for np, name in found]
    known = [said("{} for {}").format(name, theirs) for theirs, name in pairs if name]
    return ", ".join(known) or said("tf.abs for np.abs, tf.reduce_mean for np.mean, and so on")


def ours(name: str) -> str | None:
    """cinta's name of a function of NumPy, if cinta has the function."""
    return public_name(_OF_NUMPY.get(name, name))


def called(op: str) -> str:
    """The name of an op's public function, or the op's own name if no function is known."""
    return public_name(_OF_OPS.get(op) or _snake(op)) or op


def _snake(name: str) -> str:
    return "".join(
        "_" + c.lower() if c.isupper() and i and not name[i - 1].isupper() else c.lower()
        for i, c in enumerate(name)
    )


def public_name(name: str) -> str | None:
    """A function of cinta as programs write it, if there is one of this name."""
    place, _, last = name.rpartition(".")
    for namespace in (place,) if place else ("", "math", "nn", "linalg", "image", "io", "strings"):
        if last in _names_in(namespace):
            return f"tf.{namespace}.{last}" if namespace else f"tf.{last}"
    return None


@functools.cache
def _names_in(namespace: str) -> frozenset[str]:
    texts = NAMES.get(namespace, {}).values()
    return frozenset(each.partition("=")[0] for text in texts for each in text.split())
