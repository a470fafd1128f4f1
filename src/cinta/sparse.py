"""The names of tf.sparse."""

from .ops.reductions.sparse_segments import segment_mean as segment_mean
from .ops.reductions.sparse_segments import segment_sqrt_n as segment_sqrt_n
from .ops.reductions.sparse_segments import segment_sum as segment_sum
