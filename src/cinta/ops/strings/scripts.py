"""The scripts that characters belong to, such as Latin and Cyrillic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, is_tensor
from ...engine.op import op
from ...errors import InvalidArgumentError
from ...public import public
from .script_runs import script_runs
from .unicode import LARGEST

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@public("strings.unicode_script")
def unicode_script(input: NumericLike, name: str | None = None) -> Tensor:
    """The number of the script that each character belongs to, as the library ICU counts scripts.

    >>> import cinta as tf
    >>> tf.strings.unicode_script(tf.strings.unicode_decode("hж中.", "UTF-8")).numpy()
    array([25,  8, 17,  0], dtype=int32)

    Args:
        input: Numbers of characters, of dtype int32.

    Returns:
        Numbers of scripts: 25 is Latin, 8 Cyrillic, 17 Han. Characters that several scripts share
        give 0, numbers without a character 103, and numbers outside of Unicode -1.

    Raises:
        InvalidArgumentError: If the numbers are not of dtype int32.
    """
    numbers = as_tensor(input, None if is_tensor(input) else np.dtype(np.int32))
    if numbers.dtype is not dtypes.int32:
        raise InvalidArgumentError(
            f"Numbers of characters must be of dtype int32, got {numbers.dtype.name}: "
            "convert them with tf.cast(input, tf.int32). [Op:UnicodeScript]"
        )
    return UnicodeScript(numbers)


@op("UnicodeScript", elementwise=True)
def UnicodeScript(xp: ArrayModule, input: Array) -> Array:
    """The number of the script of each character; -1 outside of Unicode."""
    starts, scripts = script_runs()
    run = xp.searchsorted(xp.asarray(starts), input, side="right") - 1
    found = xp.take(xp.asarray(scripts), xp.maximum(run, 0))
    result: Array = xp.where((input < 0) | (input > LARGEST), np.int32(-1), found)
    return result


UnicodeScript.no_grad()
