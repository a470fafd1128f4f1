"""The names of tf.compat.v1.logging."""

from ...public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
