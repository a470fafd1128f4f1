"""The dtypes of images: floats from 0 to 1, or ints from 0 to the largest that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import dtypes
from ...engine.convert import as_tensor
from ...public import public
from ..arguments import flag
from ..elementwise.arithmetic import multiply
from ..elementwise.casting import cast
from ..elementwise.clipping import saturate_cast
from ..elementwise.division import floordiv

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, NumericLike
    from ...engine.tensor import Tensor


@public("image.convert_image_dtype")
def convert_image_dtype(
    image: NumericLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None
) -> Tensor:
    """The image in another dtype, where white is 1 for floats and the largest number for ints.

    ``saturate`` keeps what is too bright or too dark for the new dtype at its ends.

    >>> import cinta as tf
    >>> tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8).numpy()
    array([  0, 127, 255], dtype=uint8)

    Args:
        image: A tensor of real numbers.
        dtype: The dtype.
        saturate: Whether to clip before integers are made.

    Raises:
        AttributeError: If a dtype is neither floating-point nor integer.
    """
    x = as_tensor(image)
    new = dtypes.as_dtype(dtype)
    for what, each in (("dtype", new), ("image dtype", x.dtype)):
        if not (each.is_floating or each.is_integer):
            raise AttributeError(
                f"{what} must be either floating point or integer, got {each.name}."
            )
    if new == x.dtype or (x.dtype.is_floating and new.is_floating):
        return cast(x, new)
    convert: Callable[[Tensor, Any], Tensor] = saturate_cast if flag(saturate, "saturate") else cast
    if x.dtype.is_floating:
        return convert(multiply(x, new.max + 0.5), new)
    if new.is_floating:
        return multiply(cast(x, new), 1.0 / x.dtype.max)
    if x.dtype.max > new.max:
        return convert(floordiv(x, (x.dtype.max + 1) // (new.max + 1)), new)
    return multiply(convert(x, new), (new.max + 1) // (x.dtype.max + 1))
