"""Programs that train, look, log and store as people do, about which there is nothing to say."""

import math
import os
import tempfile

import numpy as np

import cinta as tf


def regression_with_adam():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(32, 3)).astype(np.float32)
    y = (x @ [[1.0], [2.0], [3.0]]).astype(np.float32)
    w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(tf.zeros([1]))
    optimizer = tf.optimizers.Adam(0.1)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.constant(x) @ w + b - y) ** 2)
        gradients = tape.gradient(loss, [w, b])
        optimizer.apply_gradients(zip(gradients, [w, b], strict=True))


def network_with_relu():
    rng = np.random.default_rng(1)
    x = tf.constant(rng.normal(size=(16, 4)), tf.float32)
    weights = [tf.Variable(rng.normal(size=s).astype(np.float32) / 2) for s in ((4, 8), (8, 1))]
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.nn.relu(x @ weights[0]) @ weights[1] - 1.0) ** 2)
        for w, g in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.05 * g)


def classifier_with_accuracy():
    rng = np.random.default_rng(2)
    x = tf.constant(rng.normal(size=(16, 4)), tf.float32)
    labels = tf.constant(rng.integers(0, 3, 16))
    w = tf.Variable(rng.normal(size=(4, 3)).astype(np.float32))
    for _ in range(3):
        with tf.GradientTape() as tape:
            logits = x @ w
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
            hits = tf.equal(tf.argmax(logits, axis=1), labels)
            accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        assert 0.0 <= float(accuracy) <= 1.0


def learning_rate_that_falls():
    w = tf.Variable(3.0)
    for step in range(5):
        rate = 0.1 * math.exp(-0.1 * step)
        with tf.GradientTape() as tape:
            loss = (w - 1.0) ** 2
        w.assign_sub(rate * tape.gradient(loss, w))


def loss_scaled_by_its_own_size():
    w = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**2)
        scaled = loss / float(loss)
    tape.gradient(scaled, w)


def clipping_by_the_norm():
    w = tf.Variable([30.0, 40.0])
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        (g,), norm = tf.clip_by_global_norm([tape.gradient(loss, w)], 1.0)
        assert float(norm) > 0.0
        w.assign_sub(0.1 * g)


def straight_through_estimator():
    w = tf.Variable([0.3, 1.7])
    with tf.GradientTape() as tape:
        q = w + tf.stop_gradient(tf.round(w) - w)
        loss = tf.reduce_sum(q**2)
    tape.gradient(loss, w)


def double_q_learning():
    online, target = tf.Variable(1.0), tf.Variable(0.5, trainable=False)
    for _ in range(3):
        with tf.GradientTape() as tape:
            bootstrap = 1.0 + 0.9 * tf.stop_gradient(target * 2.0)
            loss = (online - bootstrap) ** 2
        online.assign_sub(0.1 * tape.gradient(loss, online))
        target.assign(0.9 * target + 0.1 * online)


def policy_gradient_with_samples():
    logits = tf.Variable([[0.1, 0.2, 0.7]])
    with tf.GradientTape() as tape:
        actions = tf.random.categorical(logits, 8)[0]
        chosen = tf.gather(tf.nn.log_softmax(logits)[0], actions)
        reward = tf.cast(actions, tf.float32)
        loss = -tf.reduce_mean(chosen * reward)
    tape.gradient(loss, logits)


def embedding_of_some_rows():
    table = tf.Variable(tf.ones([6, 2]))
    for ids in ([0, 1], [1, 5]):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)
        g = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(0.1 * g.values, g.indices))


def sparse_gradients_with_an_optimizer():
    table = tf.Variable(tf.ones([6, 2]))
    optimizer = tf.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, [2, 2, 4]) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, table), table)])


def two_optimizers():
    g, d = tf.Variable(1.0), tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape(persistent=True) as tape:
            fake = g * 1.5
            loss_d = tf.nn.softplus(d * tf.stop_gradient(fake))
            loss_g = tf.nn.softplus(-d * fake)
        d.assign_sub(0.1 * tape.gradient(loss_d, d))
        g.assign_sub(0.1 * tape.gradient(loss_g, g))


def gradient_penalty():
    w = tf.Variable(tf.ones([2, 1]))
    x = tf.constant([[0.5, -0.25]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            score = tf.tanh(x @ w)
        slope = inner.gradient(score, x)
        loss = (tf.norm(slope) - 1.0) ** 2
    outer.gradient(loss, w)


def implicit_layer_by_iteration():
    w = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        z = tf.constant(1.0)
        for _ in range(100):
            new = tf.cos(w * z)
            if abs(float(new - z)) < 1e-4:
                break
            z = new
        loss = z * 2.0
    tape.gradient(loss, w)


def line_search():
    w, rate = tf.Variable([3.0, 4.0]), 1.0
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**4)
        g = tape.gradient(loss, w)
        while float(tf.reduce_sum((w - rate * g) ** 4)) > float(loss):
            rate /= 2.0
        w.assign_sub(rate * g)


def best_weights_are_kept():
    w, best, least = tf.Variable([1.0, 2.0]), None, np.inf
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w - 0.5) ** 2)
        if loss.numpy() < least:
            least, best = loss.numpy(), w.numpy().copy()
        w.assign_sub(0.2 * tape.gradient(loss, w))
    w.assign(best)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 0.25) ** 2)
    tape.gradient(loss, w)


def saved_and_restored():
    w = tf.Variable([1.0, 2.0])
    checkpoint = tf.train.Checkpoint(w=w)
    with tempfile.TemporaryDirectory() as folder:
        path = checkpoint.write(os.path.join(folder, "c"))
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w**2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        checkpoint.read(path)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**3)
    tape.gradient(loss, w)


def replay_buffer_of_numpy():
    w, memory = tf.Variable([1.0, -1.0]), []
    for step in range(4):
        memory.append((np.float32([step, 1.0]), np.float32(tf.reduce_sum(w))))
        x, y = memory[step // 2]
        with tf.GradientTape() as tape:
            loss = (tf.reduce_sum(w * x) - y - 1.5) ** 2
        w.assign_sub(0.01 * tape.gradient(loss, w))


def shuffled_pipeline_with_prefetch():
    w = tf.Variable([[0.5], [0.25]])
    rows = np.random.default_rng(3).normal(size=(12, 2)).astype(np.float32)
    data = tf.data.Dataset.from_tensor_slices(rows).shuffle(12).batch(4).prefetch(2)
    for epoch in range(2):
        for batch in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((batch @ w - epoch) ** 2)
            w.assign_sub(0.05 * tape.gradient(loss, w))


def mapped_features():
    w = tf.Variable([1.0, 2.0])
    data = tf.data.Dataset.range(6).map(lambda i: tf.cast(i, tf.float32) / 3.0).batch(2)
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * x - 1.0) ** 2)
        tape.gradient(loss, w)


def generator_of_rows():
    def rows():
        rng = np.random.default_rng(4)
        for _ in range(3):
            yield rng.normal(size=2).astype(np.float32)

    w = tf.Variable([1.0, 2.0])
    spec = tf.TensorSpec([2], tf.float32)
    for x in tf.data.Dataset.from_generator(rows, output_signature=spec):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * x) ** 2
        tape.gradient(loss, w)


def recurrent_loop():
    w, state = tf.Variable([[0.5, 0.1], [0.2, 0.3]]), tf.zeros([1, 2])
    with tf.GradientTape() as tape:
        for step in range(5):
            state = tf.tanh(state @ w + float(step))
        loss = tf.reduce_sum(state**2)
    tape.gradient(loss, w)


def tensor_array_of_states():
    w = tf.Variable(0.5)
    array = tf.TensorArray(tf.float32, size=3)
    with tf.GradientTape() as tape:
        for i in range(3):
            array = array.write(i, tf.sin(w * (i + 1.0)))
        loss = tf.reduce_sum(array.stack())
    tape.gradient(loss, w)


def while_loop_that_learns():
    w = tf.Variable(0.9)
    with tf.GradientTape() as tape:
        _, y = tf.while_loop(
            lambda i, y: i < 4, lambda i, y: (i + 1, y * w), (tf.constant(0), tf.constant(2.0))
        )
    tape.gradient(y, w)


def recorded_step_over_epochs():
    w, count = tf.Variable([1.0, 2.0]), tf.Variable(0, trainable=False)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - 1.0) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        count.assign_add(1)
        return loss

    history = [float(step(tf.constant([0.5, i / 4]))) for i in range(5)]
    assert len(history) == int(count)


def method_that_is_recorded():
    class Model(tf.Module):
        def __init__(self):
            self.w = tf.Variable([[1.0], [2.0]])

        @tf.function
        def __call__(self, x):
            return tf.sigmoid(x @ self.w)

    models = [Model(), Model()]
    for model in models:
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(tf.ones([2, 2])) ** 2)
            tape.gradient(loss, model.w)
