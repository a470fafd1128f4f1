"""The names of tf.nn."""

from ..ops.arrays.padding import depth_to_space as depth_to_space
from ..ops.arrays.padding import space_to_batch as space_to_batch
from ..ops.arrays.padding import space_to_depth as space_to_depth
from ..ops.elementwise.functions import sigmoid as sigmoid
from ..ops.elementwise.functions import softplus as softplus
from ..ops.elementwise.trigonometry import tanh as tanh
from ..ops.image.patches import dilation2d as dilation2d
from ..ops.image.patches import erosion2d as erosion2d
from ..ops.nn.activations import crelu as crelu
from ..ops.nn.activations import elu as elu
from ..ops.nn.activations import gelu as gelu
from ..ops.nn.activations import leaky_relu as leaky_relu
from ..ops.nn.activations import relu as relu
from ..ops.nn.activations import relu6 as relu6
from ..ops.nn.activations import selu as selu
from ..ops.nn.activations import silu as silu
from ..ops.nn.activations import softsign as softsign
from ..ops.nn.activations import swish as swish
from ..ops.nn.averaging import compute_average_loss as compute_average_loss
from ..ops.nn.averaging import scale_regularization_loss as scale_regularization_loss
from ..ops.nn.convolution import atrous_conv2d as atrous_conv2d
from ..ops.nn.convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from ..ops.nn.convolution import conv1d as conv1d
from ..ops.nn.convolution import conv1d_transpose as conv1d_transpose
from ..ops.nn.convolution import conv2d as conv2d
from ..ops.nn.convolution import conv2d_transpose as conv2d_transpose
from ..ops.nn.convolution import conv3d as conv3d
from ..ops.nn.convolution import conv3d_transpose as conv3d_transpose
from ..ops.nn.convolution import conv_transpose as conv_transpose
from ..ops.nn.convolution import convolution as convolution
from ..ops.nn.ctc import ctc_loss as ctc_loss
from ..ops.nn.ctc_decoding import collapse_repeated as collapse_repeated
from ..ops.nn.ctc_decoding import ctc_beam_search_decoder as ctc_beam_search_decoder
from ..ops.nn.ctc_decoding import ctc_greedy_decoder as ctc_greedy_decoder
from ..ops.nn.ctc_decoding import ctc_unique_labels as ctc_unique_labels
from ..ops.nn.depthwise import depthwise_conv2d as depthwise_conv2d
from ..ops.nn.depthwise import depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter
from ..ops.nn.depthwise import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from ..ops.nn.depthwise import separable_conv2d as separable_conv2d
from ..ops.nn.dropout import dropout as dropout
from ..ops.nn.embedding import embedding_lookup as embedding_lookup
from ..ops.nn.fractional_pooling import fractional_avg_pool as fractional_avg_pool
from ..ops.nn.fractional_pooling import fractional_max_pool as fractional_max_pool
from ..ops.nn.isotonic import isotonic_regression as isotonic_regression
from ..ops.nn.losses import l2_loss as l2_loss
from ..ops.nn.losses import log_poisson_loss as log_poisson_loss
from ..ops.nn.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from ..ops.nn.losses import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from ..ops.nn.losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from ..ops.nn.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from ..ops.nn.normalization import (
    batch_norm_with_global_normalization as batch_norm_with_global_normalization,
)
from ..ops.nn.normalization import batch_normalization as batch_normalization
from ..ops.nn.normalization import bias_add as bias_add
from ..ops.nn.normalization import local_response_normalization as local_response_normalization
from ..ops.nn.normalization import lrn as lrn
from ..ops.nn.pooling import avg_pool as avg_pool
from ..ops.nn.pooling import avg_pool1d as avg_pool1d
from ..ops.nn.pooling import avg_pool2d as avg_pool2d
from ..ops.nn.pooling import avg_pool3d as avg_pool3d
from ..ops.nn.pooling import max_pool as max_pool
from ..ops.nn.pooling import max_pool1d as max_pool1d
from ..ops.nn.pooling import max_pool2d as max_pool2d
from ..ops.nn.pooling import max_pool3d as max_pool3d
from ..ops.nn.pooling import max_pool_with_argmax as max_pool_with_argmax
from ..ops.nn.pooling import pool as pool
from ..ops.nn.sampled_losses import compute_accidental_hits as compute_accidental_hits
from ..ops.nn.sampled_losses import nce_loss as nce_loss
from ..ops.nn.sampled_losses import sampled_softmax_loss as sampled_softmax_loss
from ..ops.nn.softmax import log_softmax as log_softmax
from ..ops.nn.softmax import softmax as softmax
from ..ops.nn.space_to_batch import with_space_to_batch as with_space_to_batch
from ..ops.nn.sparse_embedding import embedding_lookup_sparse as embedding_lookup_sparse
from ..ops.nn.sparse_embedding import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from ..ops.random.candidates import all_candidate_sampler as all_candidate_sampler
from ..ops.random.candidates import (
    fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
)
from ..ops.random.candidates import (
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from ..ops.reductions.approximate import approx_max_k as approx_max_k
from ..ops.reductions.approximate import approx_min_k as approx_min_k
from ..ops.reductions.counting import zero_fraction as zero_fraction
from ..ops.reductions.moments import moments as moments
from ..ops.reductions.moments import normalize_moments as normalize_moments
from ..ops.reductions.moments import sufficient_statistics as sufficient_statistics
from ..ops.reductions.moments import weighted_moments as weighted_moments
from ..ops.reductions.norms import l2_normalize as l2_normalize
from ..ops.reductions.sorting import in_top_k as in_top_k
from ..ops.reductions.sorting import top_k as top_k
from . import experimental as experimental
