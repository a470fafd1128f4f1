"""The names of tf.compat.v1.nn that TensorFlow 2 has nowhere else."""

from ...ops.nn.normalization import fused_batch_norm as fused_batch_norm
