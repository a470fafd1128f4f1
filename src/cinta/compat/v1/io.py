"""The names of tf.compat.v1.io that TensorFlow 2 has nowhere else."""

from ...public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
