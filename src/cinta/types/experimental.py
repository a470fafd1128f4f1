"""The names of tf.types.experimental."""

from ..engine.annotations import TensorLike as TensorLike
from ..listing import only_public as _only_public

__dir__ = _only_public(globals(), also=("TensorLike",))
