"""Programs as people write them when they train something, each marked at the line to blame."""

import math

import numpy as np
import pytest

import cinta as tf


def gradient_of_a_tensor_that_was_converted():
    v = tf.Variable([1.0, 2.0])
    x = tf.convert_to_tensor(v)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)  # <not-watched>
    tape.gradient(y, x)


def saliency_map_without_watching():
    w = tf.Variable(tf.ones([4, 1]))
    image = tf.random.stateless_normal([1, 4], [1, 2])
    with tf.GradientTape() as tape:
        score = image @ w  # <not-watched>
    tape.gradient(score, image)


def adversarial_image_watched_after_the_model_ran():
    w = tf.Variable(tf.ones([3, 1]))
    image = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        logits = image @ w
        loss = tf.reduce_mean(tf.square(logits))
        tape.watch(image)  # <watched-too-late>
    tape.gradient(loss, image)


def generator_that_is_trained_through_numpy():
    def generator(z, w):
        return tf.tanh(z @ w)

    def discriminator(x, v):
        return tf.sigmoid(x @ v)

    w, v = tf.Variable(tf.ones([2, 3])), tf.Variable(tf.ones([3, 1]))
    z = tf.ones([4, 2])
    with tf.GradientTape() as tape:
        fake = generator(z, w).numpy()  # <left-to-numpy>
        score = discriminator(fake, v)
        loss = -tf.reduce_mean(tf.math.log(score))
    tape.gradient(loss, w)


def policy_that_samples():
    logits = tf.Variable([[0.1, 0.2, 0.3]])
    with tf.GradientTape() as tape:
        action = tf.random.categorical(logits, 5)  # <nondifferentiable-op>
        reward = tf.cast(action, tf.float32) * 2.0
        loss = -tf.reduce_mean(reward)
    tape.gradient(loss, logits)


def accuracy_as_a_loss():
    w = tf.Variable(tf.ones([3, 2]))
    x, labels = tf.ones([4, 3]), tf.constant([0, 1, 1, 0], tf.int64)
    with tf.GradientTape() as tape:
        guess = tf.argmax(x @ w, axis=1)  # <nondifferentiable-op>
        hits = tf.equal(guess, labels)
        loss = 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))
    tape.gradient(loss, w)


def top_k_indices():
    scores = tf.Variable([3.0, 1.0, 2.0])
    with tf.GradientTape() as tape:
        _, order = tf.math.top_k(scores, k=2)  # <nondifferentiable-op>
        loss = tf.reduce_sum(tf.cast(order, tf.float32))
    tape.gradient(loss, scores)


def sorted_by_rank():
    scores = tf.Variable([3.0, 1.0, 2.0])
    with tf.GradientTape() as tape:
        rank = tf.argsort(scores)  # <nondifferentiable-op>
        loss = tf.reduce_mean(tf.cast(rank, tf.float32))
    tape.gradient(loss, scores)


def quantized_weights():
    w = tf.Variable([0.3, 0.7])
    with tf.GradientTape() as tape:
        q = tf.cast(w * 255.0, tf.uint8)  # <integer-dtype>
        loss = tf.reduce_sum(tf.cast(q, tf.float32) / 255.0)
    tape.gradient(loss, w)


def position_as_an_index():
    position = tf.Variable(1.6)
    table = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        i = tf.cast(position, tf.int32)  # <integer-dtype>
        loss = tf.gather(table, i) ** 2
    tape.gradient(loss, position)


def position_as_an_index_of_python():
    position = tf.Variable(1.6)
    table = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        row = int(position)  # <python-value>
        loss = table[row] ** 2
    tape.gradient(loss, position)


def loss_as_a_python_float():
    w = tf.Variable(2.0)
    total = 0.0
    with tf.GradientTape() as tape:
        for x in (1.5, 2.5):
            total += float((w * x - 1.0) ** 2)  # <python-value>
        loss = tf.constant(total)
    tape.gradient(loss, w)


def math_module():
    w = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        s = math.sin(w)  # <python-value>
        loss = tf.constant(s) * 3.0
    tape.gradient(loss, w)


def item_method():
    w = tf.Variable([2.0])
    with tf.GradientTape() as tape:
        scale = (w * 1.5).numpy().item()  # <left-to-numpy>
        loss = tf.constant([1.0, 2.0]) * scale
    tape.gradient(loss, w)


def tolist_and_back():
    w = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        rows = (w * 1.5).numpy().tolist()  # <left-to-numpy>
        loss = tf.reduce_sum(tf.constant(rows))
    tape.gradient(loss, w)


def numpy_array_filled_in_a_loop():
    w = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        out = np.zeros(2, np.float32)
        for i in range(2):
            out[i] = w[i] * 1.25  # <left-to-numpy>
        loss = tf.reduce_sum(tf.constant(out) ** 2)
    tape.gradient(loss, w)


def scipy_in_the_middle():
    special = pytest.importorskip("scipy.special")
    w = tf.Variable([0.5, 1.5])
    with tf.GradientTape() as tape:
        h = special.erf(w * 1.0)  # <left-to-numpy>
        loss = tf.reduce_sum(tf.constant(h, tf.float32))
    tape.gradient(loss, w)


def state_of_a_recurrent_cell():
    w = tf.Variable(0.9)
    state = tf.Variable(1.0, trainable=False)
    with tf.GradientTape() as tape:
        for _ in range(3):
            state.assign(state * w)  # <assigned-state>
        loss = (state - 0.5) ** 2
    tape.gradient(loss, w)


def cached_keys_in_a_variable():
    wk = tf.Variable(tf.ones([2, 2]))
    cache = tf.Variable(tf.zeros([3, 2]), trainable=False)
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        key = x @ wk
        cache[0:1].assign(key)  # <assigned-state>
        loss = tf.reduce_sum(cache * 2.0)
    tape.gradient(loss, wk)


def weights_updated_inside_of_the_block():
    w = tf.Variable(1.0)
    fast = tf.Variable(1.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = (fast * w - 2.0) ** 2
        g = inner.gradient(loss, fast)
        fast.assign_sub(0.1 * g)  # <assigned-state>
        meta = fast**2
    outer.gradient(meta, w)


def meta_gradient_that_is_stopped():
    w = tf.Variable(1.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = (w - 2.0) ** 2
        g = inner.gradient(loss, w)
        step = 1.0 - tf.stop_gradient(0.1 * g)  # <stop-gradient>
    outer.gradient(step, w)


def embedding_lookup_before_the_tape():
    table = tf.Variable(tf.ones([5, 2]))
    ids = tf.constant([1, 3])
    rows = tf.nn.embedding_lookup(table, ids)  # <outside-tape>
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(rows**2)
    tape.gradient(loss, table)


def loss_computed_by_a_helper_after_the_block():
    def cross_entropy(labels, logits):
        return tf.nn.weighted_cross_entropy_with_logits(labels, logits, 2.0)  # <outside-tape>

    w = tf.Variable([0.5])
    with tf.GradientTape() as tape:
        logits = w * 2.0
    loss = cross_entropy(tf.constant([1.0]), logits)
    tape.gradient(loss, w)


def regularization_beside_the_block():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = (a - 1.0) ** 2
    loss = loss + 0.1 * b**2  # <outside-tape>
    tape.gradient(loss, [a, b])


def no_gradient_of_an_evaluation():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            baseline = tf.exp(-w)  # <stopped-recording>
        loss = baseline * 4.0
    tape.gradient(loss, w)


def wrong_model_in_a_list():
    class Net:
        def __init__(self):
            self.w = tf.Variable(tf.ones([2, 1]))

        def __call__(self, x):
            return x @ self.w

    nets = [Net(), Net()]
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(nets[0](x) ** 2)  # <no-path>
    tape.gradient(loss, nets[1].w)


def optimizer_with_an_unused_variable():
    w, unused = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        loss = (w - 3.0) ** 2  # <no-path>
    gradients = tape.gradient(loss, [w, unused])
    optimizer.apply_gradients(zip(gradients, [w, unused], strict=True))


def model_variable_shadowed_by_its_update():
    class Net:
        def __init__(self):
            self.w = tf.Variable([1.0, 1.0])

        def train(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((self.w * x) ** 2)
            g = tape.gradient(loss, self.w)
            if g is None:
                return False
            self.w = self.w - 0.01 * g  # <replaced-by-tensor>
            return True

    net = Net()
    while net.train(tf.constant([1.0, 2.0])):
        pass


def normalized_weights_outside():
    w = tf.Variable([3.0, 4.0])
    w = w / tf.norm(w)  # <replaced-by-tensor>
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * [1.0, 2.0])
    tape.gradient(loss, w)


def hidden_layer_that_was_recomputed():
    w = tf.Variable([[1.0, 2.0]])
    x = tf.ones([3, 1])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.relu(x @ w))
        hidden = tf.nn.relu(x @ w)  # <after-use>
    tape.gradient(loss, hidden)


def gradient_by_a_slice():
    w = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**2)
        first = w[0]  # <after-use>
    tape.gradient(loss, first)


def custom_activation_that_forgets_its_gradient():
    @tf.custom_gradient
    def hard(x):
        def grad(dy):
            return None  # <custom-gradient-none>

        return tf.cast(x > 0.0, tf.float32), grad

    w = tf.Variable([1.0, -1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hard(w) * 2.0)
    tape.gradient(loss, w)
