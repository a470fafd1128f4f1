"""The names of tf.distribute.experimental."""

from ...public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
