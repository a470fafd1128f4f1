"""Kinds of dtype: which of them an op takes, and what to say of those that it does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dtypes import of, string
from ..errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np

    from .tensor import Tensor

_NAMES = {
    "f": "half, float, double",
    "V": "bfloat16",
    "c": "complex64, complex128",
    "i": "int8, int16, int32, int64",
    "u": "uint8, uint16, uint32, uint64",
    "b": "bool",
    "O": "string",
}
"""NumPy's codes of the kinds of dtype, and TensorFlow's names for what is of that kind."""

_WORDS = {
    "f": "floating-point numbers",
    "c": "complex ones",
    "i": "integers",
    "b": "booleans",
    "O": "strings",
}
"""The same kinds in the words of docstrings."""

_EXAMPLES = {
    "f": "tf.float32",
    "i": "tf.int32",
    "u": "tf.uint8",
    "b": "tf.bool",
    "c": "tf.complex64",
}
"""The dtype to advise, of the first kind here that an op takes."""

REAL_FLOATING = "fV"
FLOATING = REAL_FLOATING + "c"
INTEGER = "iu"
REAL = REAL_FLOATING + INTEGER
SIGNED = FLOATING + "i"
NUMERIC = FLOATING + INTEGER
BOOL = "b"
ANY = NUMERIC + "bO"


def in_words(kinds: str) -> str:
    """The elements of tensors of these kinds, for docstrings."""
    words = [word for kind, word in _WORDS.items() if kind in kinds]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def kind_of(dtype: np.dtype[Any]) -> str:
    """The code of a dtype's kind; NumPy has "V" for all dtypes that others add to it."""
    if dtype.kind != "V":
        return dtype.kind
    kind = of(dtype).kind
    return {"floating": "V", "integer": "i"}.get(kind, kind)


def refused_dtype(op: str, x: Tensor, kinds: str) -> InvalidArgumentError:
    """The error for a tensor of a dtype that an op does not take."""
    allowed, given = ", ".join(_NAMES[kind] for kind in kinds), x.dtype
    wanted = next((dtype for kind, dtype in _EXAMPLES.items() if kind in kinds), "...")
    remedy = f"Use tf.cast(x, {wanted}) first"
    if given.is_integer and "f" in kinds:
        remedy += ", or write 3.0 for 3"
    if given == string:
        remedy = "tf.strings.to_number makes numbers of strings"
    return InvalidArgumentError(
        f"Value for attr 'T' of {given.kernel_name} is not in the list of allowed values: "
        f"{allowed}. {remedy}. [Op:{op}]"
    )
