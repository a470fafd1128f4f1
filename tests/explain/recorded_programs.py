"""Functions, pipelines and Keras models as people write them, each marked at the line to blame."""

import numpy as np
import pytest

import cinta as tf


def learning_rate_as_a_number():
    w = tf.Variable(1.0)

    @tf.function
    def step(x, rate):
        with tf.GradientTape() as tape:
            loss = (w * x - 1.0) ** 2
        w.assign_sub(rate * tape.gradient(loss, w))

    for rate in (0.1, 0.05):
        step(tf.constant(2.0), rate)  # <argument-value>


def last_batch_is_smaller():
    w = tf.Variable([[1.0]])

    @tf.function
    def predict(x):
        return x @ w

    data = tf.data.Dataset.from_tensor_slices(np.ones((5, 1), np.float32)).batch(2)
    for batch in data:
        predict(batch)  # <argument-shape>


def text_as_an_argument():
    @tf.function
    def reduce(x, how):
        return tf.reduce_sum(x) if how == "sum" else tf.reduce_mean(x)

    reduce(tf.ones([3]), "sum")
    reduce(tf.ones([3]), "mean")  # <argument-value>


def doubles_after_floats():
    @tf.function
    def f(x):
        return x * x

    f(tf.constant([1.0]))
    f(tf.constant(np.array([1.0])))  # <argument-dtype>


def global_flag_in_an_object():
    class Config:
        training = True

    config = Config()

    @tf.function
    def f(x):
        y = x * 2.0
        return y + 1.0 if config.training else y  # <captured-changed>

    f(tf.constant(1.0))
    config.training = False
    f(tf.constant(1.0))


def attribute_of_a_model_that_changes():
    class Model:
        def __init__(self):
            self.scale = 1.0

        @tf.function
        def __call__(self, x):
            return x * self.scale  # <captured-changed>

    model = Model()
    model(tf.constant(1.0))
    model.scale = 2.0
    model(tf.constant(1.0))


def early_stop_by_value():
    @tf.function
    def f(x):
        total = tf.constant(0.0)
        for i in range(3):
            if x[i] > 1.0:  # <python-branch>
                break
            total += x[i]
        return total

    f(tf.constant([0.0, 0.0, 0.0]))
    f(tf.constant([0.0, 2.0, 0.0]))


def lambda_made_in_each_step():
    w = tf.Variable(1.0)
    for _ in range(3):
        step = tf.function(lambda x: x * w)  # <made-anew>
        step(tf.constant(2.0))


def decorator_in_a_method():
    class Trainer:
        def __init__(self):
            self.w = tf.Variable(1.0)

        def train(self, x):
            @tf.function  # <made-anew>
            def step(x):
                return self.w * x

            return step(x)

    trainer = Trainer()
    for _ in range(2):
        trainer.train(tf.constant(1.0))


def nan_in_a_recorded_step():
    w = tf.Variable([2.0, 0.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            norm = tf.norm(w * x)  # <sqrt-at-zero>
        g = tape.gradient(norm, w)
        w.assign_sub(0.0 * g)
        return norm

    step(tf.constant([0.0, 0.0]))


def recorded_loss_with_numpy():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def loss_of(x):
        return tf.reduce_sum(tf.numpy_function(np.square, [x], tf.float32))  # <left-to-numpy>

    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = loss_of(w * 1.0)
        tape.gradient(loss, w)


def recorded_function_outside_of_the_block():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def model(x):
        return w * x  # <outside-tape>

    y = model(tf.constant([1.0, 1.0]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(y)
    tape.gradient(loss, w)


def recorded_function_with_two_weights():
    a, b = tf.Variable(1.0), tf.Variable(2.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = (a * x) ** 2  # <no-path>
        return [g for g in tape.gradient(loss, [a, b]) if g is not None]

    for _ in range(3):
        step(tf.constant(1.0))


def compiled_loss_of_zero():
    w = tf.Variable([0.0, 1.0])

    @tf.function(jit_compile=True)
    def entropy(p):
        return -tf.reduce_sum(p * tf.math.log(p))  # <log-of-zero>

    with tf.GradientTape() as tape:
        loss = entropy(w)
    tape.gradient(loss, w)


def while_loop_of_values():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        _, y = tf.while_loop(
            lambda i, y: i < 3,
            lambda i, y: (i + 1, tf.stop_gradient(y * w)),  # <stop-gradient>
            (tf.constant(0), tf.constant(1.0)),
        )
    tape.gradient(y, w)


def condition_on_a_value():
    w = tf.Variable(-2.0)
    with tf.GradientTape() as tape:
        loss = tf.cond(w > 0.0, lambda: w * 3.0, lambda: tf.constant(1.0))  # <no-path>
    tape.gradient(loss, w)


def map_with_rounding():
    w = tf.Variable([1.2, 2.7])
    with tf.GradientTape() as tape:
        y = tf.map_fn(lambda x: 2.0 * tf.round(x), w)  # <nondifferentiable-op>
        loss = tf.reduce_sum(y)
    tape.gradient(loss, w)


def keras_layer_that_is_frozen():
    keras = pytest.importorskip("keras")
    layer = keras.layers.Dense(2)
    layer.build((None, 3))
    layer.trainable = False
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        loss = tf.reduce_sum(layer(tf.ones([1, 3])))  # <not-watched>
    tape.gradient(loss, layer.kernel)


def keras_model_with_numpy_between():
    keras = pytest.importorskip("keras")
    first = keras.layers.Dense(3, kernel_initializer="ones")
    second = keras.layers.Dense(1, kernel_initializer="ones")
    x = tf.ones([2, 4])
    with tf.GradientTape() as tape:
        hidden = np.tanh(first(x))  # <left-to-numpy>
        loss = tf.reduce_mean(second(hidden))
    tape.gradient(loss, first.trainable_variables)


def keras_model_called_before_the_block():
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
    y = model(tf.ones([2, 2]))  # <outside-tape>
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(y**2)
    tape.gradient(loss, model.trainable_variables)


def keras_predict_in_the_block():
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
    x = tf.ones([2, 2])
    model(x)
    with tf.GradientTape() as tape:
        y = model.predict(x, verbose=0)  # <left-to-numpy>
        loss = tf.reduce_mean((y - 3.5) ** 2)
    tape.gradient(loss, model.trainable_variables)


def keras_layer_that_stops():
    keras = pytest.importorskip("keras")

    class Stopped(keras.layers.Layer):
        def call(self, x):
            return tf.stop_gradient(x)  # <stop-gradient>

    model = keras.Sequential([keras.layers.Dense(2, kernel_initializer="ones"), Stopped()])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([1, 2])))
    tape.gradient(loss, model.trainable_variables)


def keras_fit_with_a_log_of_zero():
    keras = pytest.importorskip("keras")

    def loss_of(y, p):
        return -tf.reduce_mean(y * tf.math.log(p))  # <log-of-zero>

    model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile("sgd", loss_of)
    model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0, epochs=1)


def keras_fit_with_dead_units():
    keras = pytest.importorskip("keras")
    bias = keras.initializers.Constant(-10.0)
    layers = [
        keras.layers.Dense(2, activation="relu", bias_initializer=bias),  # <saturated>
        keras.layers.Dense(1, kernel_initializer="ones"),  # <multiplied-by-zero>
    ]
    model = keras.Sequential(layers)
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0, epochs=1)


def queue_between_two_steps():
    w = tf.Variable([1.0, 2.0])
    queue = tf.queue.FIFOQueue(2, [tf.float32], shapes=[[2]])
    with tf.GradientTape() as tape:
        queue.enqueue([w * 2.0])  # <state-boundary>
        h = queue.dequeue()
        loss = tf.reduce_sum(h**2)
    tape.gradient(loss, w)


def dataset_of_batches_that_are_mapped():
    w = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        h = tf.tanh(w)
        data = tf.data.Dataset.from_tensors(h)  # <state-boundary>
        data = data.map(lambda x: x * 2.0).batch(1)
        loss = tf.constant(0.0)
        for batch in data:
            loss += tf.reduce_sum(batch)
    tape.gradient(loss, w)


def tensor_array_that_holds_numbers_of_python():
    w = tf.Variable([1.5, 2.5])
    array = tf.TensorArray(tf.float32, size=2)
    with tf.GradientTape() as tape:
        for i in range(2):
            array = array.write(i, float(w[i]))  # <python-value>
        loss = tf.reduce_sum(array.stack() ** 2)
    tape.gradient(loss, w)


def dictionary_of_floats():
    params = {"a": tf.Variable(1.5), "b": tf.Variable(2.5)}
    with tf.GradientTape() as tape:
        found = {name: float(value) for name, value in params.items()}  # <python-value>
        loss = tf.constant(found["a"] * 3.25) ** 2
    tape.gradient(loss, params["a"])


def accumulated_loss_of_numpy():
    w = tf.Variable([1.0, 2.0])
    losses = []
    with tf.GradientTape() as tape:
        for x in ([1.0, 2.0], [3.0, 4.0]):
            error = w * x - 1.0
            losses.append(tf.reduce_sum(error**2).numpy())  # <left-to-numpy>
        loss = tf.reduce_mean(losses)
    tape.gradient(loss, w)


def printed_and_then_stopped():
    w = tf.Variable([1.5, 2.0])
    with tf.GradientTape() as tape:
        h = w * 2.0
        print(h.numpy(), f"{h[0]:.2f}", end="\r")
        loss = tf.reduce_sum(tf.stop_gradient(h) * 2.0)  # <stop-gradient>
    tape.gradient(loss, w)


def stopped_before_numpy():
    w = tf.Variable([1.5, 2.0])
    with tf.GradientTape() as tape:
        h = tf.stop_gradient(w * 2.0)  # <stop-gradient>
        loss = tf.reduce_sum(tf.constant(np.square(h)))
    tape.gradient(loss, w)


def embedding_whose_rows_are_not_used():
    used, unused = tf.Variable(tf.ones([4, 2])), tf.Variable(tf.ones([4, 2]))
    with tf.GradientTape() as tape:
        rows = tf.nn.embedding_lookup(used, [0, 1])
        loss = tf.reduce_sum(rows)  # <no-path>
    tape.gradient(loss, [used, unused])
