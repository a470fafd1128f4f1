"""The names of tf.linalg.experimental."""

from ..ops.linalg.operators.conjugate_gradient import conjugate_gradient as conjugate_gradient
