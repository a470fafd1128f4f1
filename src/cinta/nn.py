"""The names of tf.nn."""

from .ops.activations import crelu as crelu
from .ops.activations import elu as elu
from .ops.activations import leaky_relu as leaky_relu
from .ops.activations import relu as relu
from .ops.activations import relu6 as relu6
from .ops.activations import selu as selu
from .ops.activations import silu as silu
from .ops.activations import silu as swish
from .ops.activations import softsign as softsign
from .ops.gathering import embedding_lookup as embedding_lookup
from .ops.losses import l2_loss as l2_loss
from .ops.losses import log_poisson_loss as log_poisson_loss
from .ops.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from .ops.losses import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from .ops.losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from .ops.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from .ops.padding import depth_to_space as depth_to_space
from .ops.padding import space_to_batch as space_to_batch
from .ops.padding import space_to_depth as space_to_depth
from .ops.softmax import log_softmax as log_softmax
from .ops.softmax import softmax as softmax
