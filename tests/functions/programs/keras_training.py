"""Training steps with Keras's layers, optimizers and metrics."""

import numpy as np

import cinta as tf
from tests.functions.programs.table import labels, program, rows

keras = tf.keras


@program
def a_model_with_lists_and_dictionaries_of_layers():
    class M(keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = [keras.layers.Dense(4, activation="relu") for _ in range(3)]
            self.heads = {"a": keras.layers.Dense(1), "b": keras.layers.Dense(2)}
            self.drop = keras.layers.Dropout(0.1, seed=1)
            self.k = 0.5

        def call(self, x, training=False):
            for b in self.blocks:
                x = x + self.k * b(x)
                x = self.drop(x, training=training)
            return {n: h(x) for n, h in self.heads.items()}

    keras.utils.set_random_seed(0)
    m = M()
    m(tf.zeros([1, 4]))
    o = keras.optimizers.Adam(0.01)

    def step(x, y):
        with tf.GradientTape() as t:
            out = m(x, training=True)
            loss = (
                tf.reduce_mean((out["a"] - y) ** 2) + tf.reduce_mean(out["b"] ** 2) + sum(m.losses)
            )
        o.apply_gradients(
            zip(t.gradient(loss, m.trainable_variables), m.trainable_variables, strict=False)
        )
        return loss

    yield (step, rows(4, 4), rows(4, 1))
    yield (rows(4, 4, seed=5), rows(4, 1, seed=5))


@program
def an_adversarial_network_of_keras():
    keras.utils.set_random_seed(0)
    g = keras.Sequential(
        [
            keras.layers.Dense(4, activation="relu"),
            keras.layers.BatchNormalization(),
            keras.layers.Dense(3),
        ]
    )
    d = keras.Sequential(
        [keras.layers.Dense(4), keras.layers.LeakyReLU(0.2), keras.layers.Dense(1)]
    )
    g(tf.zeros([1, 2]))
    d(tf.zeros([1, 3]))
    go, do = (keras.optimizers.Adam(0.001, beta_1=0.5), keras.optimizers.RMSprop(0.001))
    bce = keras.losses.BinaryCrossentropy(from_logits=True)
    noise = tf.random.Generator.from_seed(1)

    def step(x):
        z = noise.normal([tf.shape(x)[0], 2])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = g(z, training=True)
            r, f = (d(x, training=True), d(fake, training=True))
            gl = bce(tf.ones_like(f), f)
            dl = bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)
        go.apply_gradients(
            zip(gt.gradient(gl, g.trainable_variables), g.trainable_variables, strict=False)
        )
        do.apply_gradients(
            zip(dt.gradient(dl, d.trainable_variables), d.trainable_variables, strict=False)
        )
        return {"g": gl, "d": dl}

    yield (step, rows(4, 3))
    yield rows(4, 3, seed=5)


@program
def a_variational_autoencoder_with_a_train_step():
    keras.utils.set_random_seed(0)

    class Sampling(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.seed_generator = keras.random.SeedGenerator(1337)

        def call(self, inputs):
            m, lv = inputs
            e = keras.random.normal(keras.ops.shape(m), seed=self.seed_generator)
            return m + keras.ops.exp(0.5 * lv) * e

    class VAE(keras.Model):
        def __init__(self):
            super().__init__()
            self.enc = keras.layers.Dense(4, activation="relu")
            self.m, self.lv = (keras.layers.Dense(2), keras.layers.Dense(2))
            self.s, self.dec = (Sampling(), keras.layers.Dense(3))
            self.total = keras.metrics.Mean(name="total")

        @property
        def metrics(self):
            return [self.total]

        def train_step(self, x):
            with tf.GradientTape() as t:
                h = self.enc(x)
                m, lv = (self.m(h), self.lv(h))
                r = self.dec(self.s([m, lv]))
                kl = -0.5 * (1 + lv - tf.square(m) - tf.exp(lv))
                loss = tf.reduce_mean(keras.losses.MeanSquaredError()(x, r)) + tf.reduce_mean(
                    tf.reduce_sum(kl, axis=1)
                )
            g = t.gradient(loss, self.trainable_weights)
            self.optimizer.apply_gradients(zip(g, self.trainable_weights, strict=False))
            self.total.update_state(loss)
            return {m.name: m.result() for m in self.metrics}

    v = VAE()
    v.compile(optimizer=keras.optimizers.Adam())
    yield (lambda x: v.train_step(x), rows(4, 3))
    yield rows(4, 3, seed=5)


@program
def metrics_of_keras():
    keras.utils.set_random_seed(0)
    m = keras.Sequential([keras.layers.Dense(3)])
    m(tf.zeros([1, 4]))
    acc, mean, auc = (
        keras.metrics.SparseCategoricalAccuracy(),
        keras.metrics.Mean(),
        keras.metrics.AUC(),
    )
    top = keras.metrics.SparseTopKCategoricalAccuracy(k=2)

    def step(x, y):
        p = m(x)
        loss = keras.losses.sparse_categorical_crossentropy(y, p, from_logits=True)
        acc.update_state(y, p)
        mean.update_state(loss)
        top(y, p)
        auc.update_state(tf.cast(y > 0, tf.float32), tf.sigmoid(p[:, 0]))
        return (acc.result(), mean.result(), auc.result(), top.result())

    yield (step, rows(4, 4), labels(4, 3))
    yield (rows(4, 4, seed=5), labels(4, 3, seed=5))


@program
def gradients_of_parts_of_a_batch():
    keras.utils.set_random_seed(0)
    m = keras.Sequential([keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1)])
    m(tf.zeros([1, 3]))
    o = keras.optimizers.SGD(0.1, momentum=0.9)
    parts = 4

    def step(x, y):
        total = [tf.zeros_like(v) for v in m.trainable_variables]
        losses = []
        for xs, ys in zip(tf.split(x, parts), tf.split(y, parts), strict=False):
            with tf.GradientTape() as t:
                loss = tf.reduce_mean((m(xs) - ys) ** 2) / parts
            total = [
                a + g for a, g in zip(total, t.gradient(loss, m.trainable_variables), strict=False)
            ]
            losses.append(loss)
        o.apply_gradients(zip(total, m.trainable_variables, strict=False))
        return tf.add_n(losses)

    yield (step, rows(8, 3), rows(8, 1))
    yield (rows(8, 3, seed=5), rows(8, 1, seed=5))


@program
def schedules_of_keras():
    keras.utils.set_random_seed(0)
    w = keras.Variable(np.ones(3, np.float32))
    sched = keras.optimizers.schedules.CosineDecay(0.1, 10, warmup_target=0.2, warmup_steps=3)
    o = keras.optimizers.AdamW(sched, weight_decay=0.01, clipnorm=1.0)
    o.build([w])

    def step(x):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum((w * x) ** 2)
        o.apply_gradients([(t.gradient(loss, w.value), w)])
        return (loss, o.learning_rate)

    yield (step, rows(3))
    yield rows(3, seed=5)


@program
def loss_scaling():
    keras.utils.set_random_seed(0)
    m = keras.Sequential([keras.layers.Dense(1)])
    m(tf.zeros([1, 3]))
    o = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1))

    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((m(x) - y) ** 2)
            scaled = o.scale_loss(loss)
        o.apply_gradients(
            zip(t.gradient(scaled, m.trainable_variables), m.trainable_variables, strict=False)
        )
        return loss

    yield (step, rows(4, 3), rows(4, 1))
    yield (rows(4, 3, seed=5), rows(4, 1, seed=5))


@program
def a_recurrent_cell_in_a_loop():
    keras.utils.set_random_seed(0)
    cell, head = (keras.layers.GRUCell(4), keras.layers.Dense(1))
    cell.build((None, 3))
    head.build((None, 4))

    def step(x):
        vs = cell.trainable_variables + head.trainable_variables
        with tf.GradientTape() as t:
            h = tf.zeros([x.shape[0], cell.units])
            outs = []
            for i in range(x.shape[1]):
                o, [h] = cell(x[:, i], [h])
                outs.append(head(o))
            loss = tf.reduce_mean(tf.stack(outs, 1) ** 2)
        for v, g in zip(vs, t.gradient(loss, vs), strict=False):
            v.assign(v - 0.1 * g)
        return loss

    yield (step, rows(2, 5, 3))
    yield rows(2, 5, 3, seed=4)


@program
def a_seq2seq_with_attention():
    keras.utils.set_random_seed(0)
    emb = keras.layers.Embedding(11, 4, mask_zero=True)
    enc = keras.layers.GRU(4, return_sequences=True, return_state=True)
    dec = keras.layers.GRU(4, return_sequences=True)
    att = keras.layers.Attention()
    out = keras.layers.Dense(11)

    def fwd(s, t):
        e, st = enc(emb(s))
        d = dec(emb(t), initial_state=st)
        return out(tf.concat([d, att([d, e])], -1))

    fwd(tf.ones([1, 3], tf.int32), tf.ones([1, 3], tf.int32))
    o = keras.optimizers.Adam()
    lf = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    vs = [v for part in (emb, enc, dec, att, out) for v in part.trainable_variables]

    def step(s, t):
        with tf.GradientTape() as tape:
            logits = fwd(s, t[:, :-1])
            target = t[:, 1:]
            mask = tf.cast(target != 0, tf.float32)
            loss = tf.reduce_sum(lf(target, logits) * mask) / tf.reduce_sum(mask)
        o.apply_gradients(zip(tape.gradient(loss, vs), vs, strict=False))
        return loss

    yield (step, tf.constant([[1, 2, 0]]), tf.constant([[1, 2, 3, 4]]))
    yield (tf.constant([[3, 2, 1]]), tf.constant([[1, 2, 3, 0]]))


@program
def a_model_with_custom_fit():
    keras.utils.set_random_seed(0)

    class M(keras.Model):
        def __init__(self, k=2, **kw):
            super().__init__(**kw)
            self.k = k
            self.dense = keras.layers.Dense(1)
            self.loss_tracker = keras.metrics.Mean(name="loss")

        def call(self, x):
            return self.dense(x) * self.k

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as t:
                p = self(x, training=True)
                loss = self.compute_loss(x=x, y=y, y_pred=p)
            self.optimizer.apply(
                t.gradient(loss, self.trainable_variables), self.trainable_variables
            )
            for m in self.metrics:
                if m.name == "loss":
                    m.update_state(loss)
                else:
                    m.update_state(y, p)
            return {m.name: m.result() for m in self.metrics}

    m = M()
    m.compile("sgd", "mse", metrics=["mae"])
    m(tf.zeros([1, 3]))
    yield (lambda x, y: m.train_step((x, y)), rows(4, 3), rows(4, 1))
    yield (rows(4, 3, seed=2), rows(4, 1, seed=2))


@program
def a_network_that_solves_an_equation():
    keras.utils.set_random_seed(0)
    net = keras.Sequential([keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
    net(tf.zeros([1, 2]))
    o = keras.optimizers.Adam(0.001)
    nu = 0.01 / np.pi

    def step(xt):
        with tf.GradientTape() as outer:
            with tf.GradientTape(persistent=True) as t2:
                t2.watch(xt)
                with tf.GradientTape() as t1:
                    t1.watch(xt)
                    u = net(xt)
                du = t1.gradient(u, xt)
                ux = du[:, :1]
            uxx = t2.gradient(ux, xt)[:, :1]
            res = du[:, 1:] + u * ux - nu * uxx
            loss = tf.reduce_mean(res**2)
        o.apply_gradients(
            zip(
                outer.gradient(loss, net.trainable_variables), net.trainable_variables, strict=False
            )
        )
        return loss

    yield (step, rows(4, 2))
    yield rows(4, 2, seed=3)


@program
def q_learning_with_a_second_network():
    keras.utils.set_random_seed(0)
    q = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(2)])
    tq = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(2)])
    q(tf.zeros([1, 3]))
    tq(tf.zeros([1, 3]))
    tq.set_weights(q.get_weights())
    o = keras.optimizers.Adam()
    hub = keras.losses.Huber()
    count = tf.Variable(0)
    cfg = {"gamma": 0.9, "every": 2}

    def step(s, a, r, s2, done):
        target = r + cfg["gamma"] * tf.reduce_max(tq(s2), 1) * (1.0 - done)
        with tf.GradientTape() as t:
            v = tf.reduce_sum(q(s) * tf.one_hot(a, 2), 1)
            loss = hub(tf.stop_gradient(target), v)
        o.apply_gradients(
            zip(t.gradient(loss, q.trainable_variables), q.trainable_variables, strict=False)
        )
        count.assign_add(1)
        if count % cfg["every"] == 0:
            for x, y in zip(tq.variables, q.variables, strict=False):
                x.assign(y)
        return loss

    yield (
        step,
        rows(4, 3),
        tf.constant([0, 1, 1, 0]),
        rows(4),
        rows(4, 3, seed=1),
        tf.constant([0.0, 1.0, 0.0, 0.0]),
    )
    yield (
        rows(4, 3, seed=9),
        tf.constant([0, 1, 1, 0]),
        rows(4),
        rows(4, 3, seed=1),
        tf.constant([0.0, 1.0, 0.0, 0.0]),
    )
