"""The names of tf.types.experimental."""

from ...engine.annotations import TensorLike as TensorLike
from ...public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
