"""The names of tf.types.experimental."""

from typing import Any, TypeAlias

import numpy as _np

from ..engine.tensor import Tensor as _Tensor
from ..engine.variable import Variable as _Variable
from ..listing import only_public as _only_public

TensorLike: TypeAlias = (
    _Tensor
    | _Variable
    | bool
    | int
    | float
    | complex
    | str
    | bytes
    | list[Any]
    | tuple[Any, ...]
    | _np.ndarray[Any, Any]
    | _np.generic
)
"""What can become a tensor, for annotations."""

__dir__ = _only_public(globals(), also=("TensorLike",))
