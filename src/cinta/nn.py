"""The names of tf.nn."""

from .ops.activations import crelu as crelu
from .ops.activations import elu as elu
from .ops.activations import gelu as gelu
from .ops.activations import leaky_relu as leaky_relu
from .ops.activations import relu as relu
from .ops.activations import relu6 as relu6
from .ops.activations import selu as selu
from .ops.activations import silu as silu
from .ops.activations import softsign as softsign
from .ops.counting import zero_fraction as zero_fraction
from .ops.convolution import atrous_conv2d as atrous_conv2d
from .ops.convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from .ops.convolution import conv1d as conv1d
from .ops.convolution import conv1d_transpose as conv1d_transpose
from .ops.convolution import conv2d as conv2d
from .ops.convolution import conv2d_transpose as conv2d_transpose
from .ops.convolution import conv3d as conv3d
from .ops.convolution import conv3d_transpose as conv3d_transpose
from .ops.convolution import conv_transpose as conv_transpose
from .ops.convolution import convolution as convolution
from .ops.gathering import embedding_lookup as embedding_lookup
from .ops.losses import l2_loss as l2_loss
from .ops.losses import log_poisson_loss as log_poisson_loss
from .ops.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from .ops.losses import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from .ops.losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from .ops.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from .ops.mathematics import sigmoid as sigmoid
from .ops.mathematics import softplus as softplus
from .ops.moments import moments as moments
from .ops.moments import normalize_moments as normalize_moments
from .ops.moments import sufficient_statistics as sufficient_statistics
from .ops.moments import weighted_moments as weighted_moments
from .ops.norms import l2_normalize as l2_normalize
from .ops.padding import depth_to_space as depth_to_space
from .ops.padding import space_to_batch as space_to_batch
from .ops.padding import space_to_depth as space_to_depth
from .ops.softmax import log_softmax as log_softmax
from .ops.softmax import softmax as softmax
from .ops.sorting import in_top_k as in_top_k
from .ops.sorting import top_k as top_k
from .ops.trigonometry import tanh as tanh
from .ops.normalization import batch_normalization as batch_normalization
from .ops.normalization import bias_add as bias_add
from .ops.normalization import dropout as dropout
from .ops.normalization import local_response_normalization as local_response_normalization
from .ops.normalization import lrn as lrn
from .ops.losses import compute_average_loss as compute_average_loss
from .ops.losses import scale_regularization_loss as scale_regularization_loss
from .ops.activations import swish as swish
