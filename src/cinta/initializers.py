"""The names of tf.initializers.

Most are cinta's own, so that they are there without Keras. The others are loaded from it.
"""

from .public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__, otherwise="cinta.keras.initializers")
