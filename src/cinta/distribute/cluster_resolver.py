"""The names of tf.distribute.cluster_resolver."""

from ..public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
