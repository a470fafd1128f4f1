"""The names of tf.types.experimental."""

from typing import Any as _Any
from typing import TypeAlias as _TypeAlias

import numpy as _np

from ..engine.tensor import Tensor as _Tensor
from ..engine.variable import Variable as _Variable
from ..listing import only_public as _only_public

TensorLike: _TypeAlias = (
    _Tensor
    | _Variable
    | bool
    | int
    | float
    | complex
    | str
    | bytes
    | list[_Any]
    | tuple[_Any, ...]
    | _np.ndarray[_Any, _Any]
    | _np.generic
)
"""What can become a tensor, for annotations."""

__dir__ = _only_public(globals(), also=("TensorLike",))
