"""The names of tf.compat.v1 that TensorFlow 2 has nowhere else."""

from ...ops.elementwise.clipping import clip_by_average_norm as clip_by_average_norm
from . import nn as nn
