"""A model with functions of many kinds, which is written for TensorFlow."""

import numpy as np

import cinta as tf


def floats(*shape):
    """Numbers that are neither very large nor equal."""
    count = int(np.prod(shape))
    return np.sin(np.arange(1, count + 1) * 0.7).astype(np.float32).reshape(shape)


X, IDS, IMAGES = floats(2, 3), np.array([1, 0, 2], np.int32), floats(2, 6, 6, 2)
KERNEL, DEPTHWISE = floats(3, 3, 2, 4), floats(3, 3, 2, 1)
W, B, SQUARE = floats(3, 4), floats(4), floats(3, 3)
FLAGS = np.array([True, False])


def normalized(x):
    mean = tf.reduce_mean(x, -1, keepdims=True)
    variance = tf.reduce_mean(tf.square(x - mean), -1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-3)


def attention(x):
    scores = tf.matmul(x, x, transpose_b=True) / np.sqrt(3.0).astype(np.float32)
    return tf.nn.softmax(scores) @ x


def recurrent(x):
    state = tf.zeros([tf.shape(x)[0], 3])
    for i in range(4):
        state = tf.tanh(x @ SQUARE + state * 0.5 + float(i))
    return state


def network(x):
    x = tf.nn.relu(tf.nn.conv2d(x, KERNEL, 1, "SAME"))
    x = tf.nn.max_pool2d(x, 2, 2, "VALID")
    return tf.nn.softmax(tf.reduce_mean(x, [1, 2]) @ floats(4, 2))


FUNCTIONS = {
    "layer": (lambda x: tf.nn.relu(x @ W + B), X),
    "perceptron": (lambda x: tf.nn.sigmoid(tf.nn.elu(x @ W + B) @ tf.transpose(W)), X),
    "network": (network, IMAGES),
    "normalized": (normalized, X),
    "attention": (attention, floats(2, 4, 3)),
    "recurrent": (recurrent, X),
    "unary": (lambda x: tf.exp(x) + tf.sin(x) * tf.abs(x) - tf.tanh(-x) + tf.square(x), X),
    "special": (lambda x: tf.math.erf(x) + tf.math.lgamma(x + 3.0) + tf.math.log1p(x * x), X),
    "numbers": (lambda x: 2.0 * x + 1.0 - x / 3.0, X),
    "powers": (lambda x: tf.maximum(x, 0.1) ** 1.5, X),
    "comparing": (lambda x: tf.logical_and(x > 0.1, x < 0.9), X),
    "choosing": (lambda x: tf.where(x > 0, x, tf.zeros_like(x)), X),
    "clipping": (lambda x: tf.clip_by_value(x, -0.5, 0.5), X),
    "rounding": (lambda x: tf.floor(x * 3) + tf.math.ceil(x) + tf.round(x * 5), X),
    "casting": (lambda x: tf.cast(x * 10, tf.int32) + 7, X),
    "sum": (lambda x: tf.reduce_sum(x), X),
    "mean": (lambda x: tf.reduce_mean(x, 0), X),
    "max": (lambda x: tf.reduce_max(x, -1, keepdims=True), X),
    "min": (lambda x: tf.reduce_min(x, 1), X),
    "product": (lambda x: tf.reduce_prod(x, 1), X),
    "any": (lambda x: tf.reduce_any(x > 0.5, 1), X),
    "norm": (lambda x: tf.norm(x, axis=1), X),
    "argmax": (lambda x: tf.argmax(x, 1), X),
    "cumsum": (lambda x: tf.cumsum(x, 1, reverse=True), X),
    "reshape": (lambda x: tf.reshape(x, [-1]), X),
    "transpose": (lambda x: tf.transpose(x), X),
    "concat": (lambda x: tf.concat([x, x * 2.0], 1), X),
    "stack": (lambda x: tf.stack([x, -x], 1), X),
    "unstack": (lambda x: tf.unstack(x, axis=1), X),
    "split": (lambda x: tf.split(x, [1, 2], 1), X),
    "pad": (lambda x: tf.pad(x, [[1, 0], [0, 2]], constant_values=7.0), X),
    "tile": (lambda x: tf.tile(x, [2, 1]), X),
    "slices": (lambda x: (x[:, 1:], x[::-1], x[..., tf.newaxis], x[:, 0]), X),
    "reverse": (lambda x: tf.reverse(x, [1]), X),
    "roll": (lambda x: tf.roll(x, 1, 1), X),
    "squeeze": (lambda x: tf.squeeze(tf.expand_dims(x, 1), 1), X),
    "broadcast": (lambda x: tf.broadcast_to(x[:, :1], tf.shape(x)) + x, X),
    "gather": (lambda ids: tf.gather(SQUARE, ids), IDS),
    "one_hot": (lambda ids: tf.one_hot(ids, 4), IDS),
    "integers": (lambda ids: ids // 2 + ids % 3 - ids * 4, IDS),
    "top": (lambda x: tuple(tf.math.top_k(x, 2)), X),
    "softmax": (lambda x: tf.nn.log_softmax(x) + tf.nn.softmax(x), X),
    "activations": (lambda x: tf.nn.leaky_relu(x) + tf.nn.silu(x) + tf.nn.softplus(x), X),
    "gelu": (lambda x: tf.nn.gelu(x) + tf.nn.gelu(x * 2.0, approximate=True), X),
    "log_sum_exp": (
        lambda x: (tf.reduce_logsumexp(x, 1), tf.reduce_logsumexp(x * 90.0, 0, keepdims=True)),
        X,
    ),
    "layer_norm": (lambda x: tf.keras.ops.layer_normalization(x, B[:3], B[1:]), X),
    "sizes": (lambda x: (tf.shape(x), tf.shape(x)[0] * 2, tf.size(x)), X),
    "depthwise": (lambda x: tf.nn.depthwise_conv2d(x, DEPTHWISE, [1, 1, 1, 1], "VALID"), IMAGES),
    "pooling": (lambda x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), IMAGES),
    "band": (lambda x: tf.linalg.band_part(x, 0, -1), SQUARE[None]),
    "inverse": (lambda x: tf.linalg.inv(x + 3.0 * tf.eye(3)), SQUARE[None]),
    "cholesky": (
        lambda x: tf.linalg.cholesky(tf.matmul(x, x, transpose_b=True) + 2 * tf.eye(3)),
        SQUARE[None],
    ),
    "complex": (lambda x: tf.abs(tf.complex(x, x * 2.0)), X),
    "nested": (lambda x: {"a": x, "b": [x * 2.0, (x + 1.0,)]}, X),
}
"""Functions of one tensor, whose first dimension is unknown, with an example."""


class Model(tf.Module):
    """Functions with state, and the functions above."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(floats(3, 4))
        self.count = tf.Variable(0, trainable=False)
        self.parts = [tf.Variable(1.0), {"deep": tf.Variable([3.0, 4.0])}]
        self.words = tf.Variable(["a", "bc"])

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([])])
    def trained(self, x, factor):
        return tf.nn.relu(x @ self.w) * factor + self.parts[0]

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def counted(self, n):
        before = tf.identity(self.count)
        self.count.assign_add(n)
        return before, self.count.read_value()

    @tf.function
    def called(self, x, factor=2.0, *, flag=True):
        return x * factor if flag else x


def model():
    """The model, of which a function has been called."""
    made = Model()
    for name, (python, example) in FUNCTIONS.items():
        spec = tf.TensorSpec([None, *example.shape[1:]], example.dtype)
        setattr(made, name, tf.function(python, input_signature=[spec]))
    made.called(tf.constant(X))
    made.called(tf.constant(X), 3.0, flag=False)
    return made
