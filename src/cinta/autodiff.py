"""The names of tf.autodiff."""

from .tape import GradientTape as GradientTape
