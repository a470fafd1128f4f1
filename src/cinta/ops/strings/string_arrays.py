"""Arrays of strings: computed element by element, taken as arguments, put into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor, is_tensor
from ...engine.tensor import Tensor, seen
from ..arguments import common_shape, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import DTypeLike, TensorLike
    from ...engine.operation import Op
    from ...engine.tensor import Array

STRING = np.dtype(object)


def elementwise(function: Callable[..., Any], *arrays: Array, dtype: DTypeLike = STRING) -> Array:
    """An array of what the function makes of each element."""
    common_shape("strings", *map(np.shape, arrays))
    broadcast = [np.asarray(array) for array in np.broadcast_arrays(*arrays)]
    result = np.empty(broadcast[0].shape, dtype)
    flat = result.reshape(-1)
    for i, values in enumerate(zip(*[array.reshape(-1) for array in broadcast], strict=True)):
        flat[i] = function(*values)
    return result if result.ndim or dtype == STRING else result[()]


def strings_of(value: object) -> Tensor:
    """The tensor of strings that a value is."""
    return tensor_of("strings", as_tensor(value, None if is_tensor(value) else STRING), "O")


def text_of(value: object) -> Array:
    """The array of strings that a value is, which Python looks at."""
    return seen(strings_of(value))


def decoded(value: bytes) -> str:
    """The text of a string, with a sign for each byte that is not UTF-8."""
    return value.decode(errors="surrogateescape")


def encoded(text: str) -> bytes:
    """The string of a text that was decoded so."""
    return text.encode(errors="surrogateescape")


def array_of_strings(values: Sequence[bytes]) -> Array:
    """Strings as a vector, which NumPy itself would take for its own kind of strings."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def parts_in_rows(cut: Op, input: TensorLike, **attrs: object) -> list[Tensor]:
    """The parts that an op finds: of one string as vectors, of several as rows.

    Its last result is where those of each string end.
    """
    strings = strings_of(input)
    *found, ends = cut(strings, **attrs)
    if not strings.shape.rank:
        return found
    from ..ragged.creation import in_rows  # loaded when there are rows

    return [in_rows(each, ends, strings._array.shape) for each in found]
