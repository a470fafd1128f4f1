"""Keras's optimizers, as ``tf.optimizers``."""

from .public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__, otherwise="cinta.keras.optimizers")
