"""Rows of what networks are made of: activations, softmax, losses, normalization."""

import cinta as tf
from cinta.ops.nn.attention.rules import DotProductAttention
from cinta.ops.nn.layer_norm import layer_norm
from cinta.ops.nn.recurrent.functions import gru, lstm

from .domains import distinct, integers, positive, real
from .row import Row

nn = tf.nn

X, Y = 2.0 * real(3, 4), real(4)
PROBABILITIES = positive(3, 4) / positive(3, 4).sum(-1, keepdims=True)
LABELS = integers(3, high=4)
IMAGES = real(1, 2, 2, 5)
DRAWN = ([3, 2], [[0.3], [0.2]], [0.5, 0.6])  # classes, and what is expected of them
IDS = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [3, 1, 1], [3, 2])

ROWS = [
    *[
        Row(function, X)
        for function in (
            nn.crelu,
            nn.elu,
            nn.gelu,
            nn.leaky_relu,
            nn.log_softmax,
            nn.relu,
            nn.relu6,
            nn.selu,
            nn.silu,
            nn.softmax,
            nn.softsign,
        )
    ],
    Row(lambda x: nn.leaky_relu(x, alpha=2.0), X, name="leaky_relu alpha=2"),
    Row(lambda x: nn.gelu(x, approximate=True), X, name="gelu approximate"),
    Row(lambda x, beta: nn.silu(x, beta), X, positive(4), name="silu with a beta"),
    Row(lambda x: nn.softmax(x, axis=0), X, name="softmax axis=0"),
    *[
        Row(
            lambda q, k, v, mask=mask, causal=causal: DotProductAttention(
                q, k, v, mask, causal=causal
            )[0],
            *(real(2, 1, 3, 2), real(2, 1, 4, 2), real(2, 1, 4, 3)),
            name=f"attention {title}",
        )
        for title, mask, causal in (
            ("to all", tf.zeros([0], bool), False),
            ("causal", tf.zeros([0], bool), True),
            ("masked", tf.constant([[True, False, True, True]] * 3), False),
        )
    ],
    *[
        Row(
            lambda x, s, b, axis=axis, centered=centered: layer_norm(
                x, s, b, axis=axis, epsilon=1e-3, centered=centered
            ),
            real(2, 3, 4),
            *(real(*shape), real(*shape)),
            name=f"normalization of {title}",
            dtypes=("float32",),
        )
        for title, shape, axis, centered in (
            ("rows", (4,), (-1,), True),
            ("matrices", (3, 4), (-2, -1), True),
            ("groups", (3, 1), (-3, -1), True),
            ("squares", (4,), (-1,), False),
        )
    ],
    Row(lstm, real(3, 2, 4), real(2, 3), real(2, 3), real(4, 12), real(3, 12), real(12)),
    Row(gru, real(3, 2, 4), real(2, 3), real(4, 9), real(3, 9), real(9), real(9)),
    Row(nn.softmax_cross_entropy_with_logits, PROBABILITIES, X),
    Row(
        lambda y, x: nn.softmax_cross_entropy_with_logits(y, x, axis=0),
        positive(3, 4),
        X,
        name="softmax cross-entropy axis=0, labels of any sum",
    ),
    Row(nn.sparse_softmax_cross_entropy_with_logits, LABELS, X),
    Row(
        lambda y, x: nn.sparse_softmax_cross_entropy_with_logits(y, tf.transpose(x)),
        LABELS,
        X.T,
        name="sparse softmax cross-entropy of a transpose",
    ),
    Row(nn.sigmoid_cross_entropy_with_logits, PROBABILITIES, X),
    Row(nn.weighted_cross_entropy_with_logits, PROBABILITIES, X, positive(4)),
    Row(nn.log_poisson_loss, positive(3, 4), X),
    Row(
        lambda z, x: nn.log_poisson_loss(z, x, compute_full_loss=True),
        1.5 + positive(3, 4),
        X,
        name="log_poisson_loss full",
    ),
    Row(nn.l2_loss, X),
    Row(nn.compute_average_loss, Y),
    Row(
        lambda x: nn.ctc_loss([[1, 1], [2, 0]], x, label_length=[2, 1], logit_length=[4, 3]),
        real(4, 2, 3),
        name="ctc_loss",
    ),
    Row(
        lambda x, b: nn.bias_add(x, b, data_format="NCHW"), real(2, 3, 4), real(3), name="bias_add"
    ),
    Row(
        lambda x, m, v, o, s: nn.batch_normalization(x, m, v, o, s, 1e-3),
        real(3, 4),
        Y,
        positive(4),
        Y,
        positive(4),
        name="batch_normalization",
    ),
    Row(
        lambda x, m, v, o, s: nn.batch_normalization(x, m, v, o, s, 1e-3),
        real(3, 4),
        real(3, 1),
        positive(3, 1),
        Y,
        positive(4),
        name="batch_normalization of each row",
    ),
    Row(
        lambda x: nn.local_response_normalization(x, depth_radius=1, alpha=0.5, beta=0.6),
        IMAGES,
        name="local_response_normalization",
    ),
    Row(
        lambda x: nn.ctc_loss(
            tf.SparseTensor([[0, 0], [0, 1]], [1, 0], [1, 2]), x, None, [4], blank_index=-1
        ),
        real(4, 1, 3),
        name="ctc_loss of sparse labels",
    ),
    Row(
        lambda w, b, x: nn.nce_loss(w, b, [[1], [3]], x, 2, 4, sampled_values=DRAWN),
        real(4, 2),
        real(4),
        real(2, 2),
        name="nce_loss",
    ),
    Row(
        lambda w, b, x: nn.sampled_softmax_loss(
            w, b, [[1, 0], [3, 0]], x, 2, 4, 2, sampled_values=DRAWN
        ),
        real(4, 2),
        real(4),
        real(2, 2),
        name="sampled_softmax_loss",
    ),
    Row(lambda x: nn.isotonic_regression(x * x)[0], distinct(2, 5), name="isotonic_regression"),
    Row(
        lambda table, weights: nn.embedding_lookup_sparse(
            table * table, IDS, IDS.with_values(weights), combiner="sqrtn"
        ),
        real(4, 2),
        positive(3),
        name="embedding_lookup_sparse",
    ),
    Row(
        lambda table: nn.safe_embedding_lookup_sparse(table * table, IDS, default_id=2),
        real(4, 2),
        name="safe_embedding_lookup_sparse",
    ),
    Row(
        lambda x: nn.fractional_max_pool(x * x, 1.5, seed=4, overlapping=True).output,
        distinct(1, 4, 5, 1),
        name="fractional_max_pool",
    ),
    Row(
        lambda x: nn.fractional_avg_pool(x * x, [1, 1.5, 1.5, 1], seed=4).output,
        real(1, 4, 5, 2),
        name="fractional_avg_pool",
    ),
    Row(lambda x: tf.math.approx_max_k(x * x, 2, 0)[0], distinct(4, 3), name="approx_max_k"),
    Row(lambda x: tf.math.approx_min_k(x * x, 2, 0)[0], distinct(4, 3), name="approx_min_k"),
    Row(lambda x: dropped(x), X, name="dropout", dtypes=()),  # each dtype has its own numbers
]


def dropped(x):
    tf.random.set_seed(0)
    return nn.dropout(x, rate=0.4, seed=1)
