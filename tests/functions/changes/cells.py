"""Keras: what layers wrap, cells of recurrent layers, models in models, training steps."""

import cinta as tf
from tests.functions.changes.keras_layers import ROWS, Scaled
from tests.functions.changes.table import change

TURNS = tf.constant([[[0.5, -0.25], [1.0, 2.0]]])


class Cell(tf.keras.layers.Layer):
    """A cell with an attribute of its own."""

    k = 2.0
    state_size = output_size = 2

    def call(self, x, states):
        y = x * self.k + states[0]
        return y, [y]


@change
def an_attribute_of_a_cell():
    cell = Cell()
    layer = tf.keras.layers.RNN(cell)
    yield (lambda x: layer(x)), TURNS
    cell.k = 3.0
    yield


@change
def which_way_a_recurrent_layer_goes():
    layer = tf.keras.layers.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones")
    yield (lambda x: layer(x)), TURNS
    layer.go_backwards = True
    yield


@change
def whether_a_recurrent_layer_returns_all():
    layer = tf.keras.layers.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones")
    yield (lambda x: layer(x)), TURNS
    layer.return_sequences = True
    yield


@change
def an_attribute_of_a_layer_for_each_turn():
    inner = Scaled(2.0)
    layer = tf.keras.layers.TimeDistributed(inner)
    yield (lambda x: layer(x)), TURNS
    inner.k = 3.0
    yield


@change
def an_attribute_three_models_deep():
    inner = Scaled(2.0)
    model = inner
    for _ in range(3):
        model = tf.keras.Sequential([model])
    yield (lambda x: model(x)), ROWS
    inner.k = 3.0
    yield


@change
def the_policy_of_a_layer():
    layer = tf.keras.layers.Activation("linear")
    yield (lambda x: layer(x)), ROWS
    layer.dtype_policy = "float64"
    yield


@change
def a_constraint():
    class Halved(tf.keras.constraints.Constraint):
        factor = 0.5

        def __call__(self, w):
            return w * self.factor

    constraint = Halved()
    v = tf.keras.Variable(1.0)
    v.constraint = constraint
    optimizer = tf.keras.optimizers.SGD(1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    constraint.factor = 0.25
    yield


@change
def an_optimizer_of_its_own():
    class Scaling(tf.keras.optimizers.Optimizer):
        factor = 2.0

        def update_step(self, gradient, variable, learning_rate):
            self.assign_sub(variable, self.factor * gradient)

    v, optimizer = tf.Variable(1.0), Scaling(learning_rate=1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    optimizer.factor = 3.0
    yield


@change
def a_metric_of_its_own():
    class Weighted(tf.keras.metrics.Metric):
        weight = 2.0

        def __init__(self):
            super().__init__()
            self.total = self.add_weight(initializer="zeros", name="total")

        def update_state(self, x):
            self.total.assign_add(self.weight * tf.reduce_sum(x))

        def result(self):
            return self.total + 0.0

    metric = Weighted()

    def f(x):
        metric.update_state(x)
        return metric.result()

    yield f, ROWS
    metric.weight = 3.0
    yield


@change
def a_regularizer_of_its_own():
    class Scaling(tf.keras.regularizers.Regularizer):
        k = 2.0

        def __call__(self, w):
            return self.k * tf.reduce_sum(w)

    regularizer = Scaling()
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", kernel_regularizer=regularizer)
    yield (lambda x: layer(x) + sum(layer.losses)), ROWS
    regularizer.k = 3.0
    yield


@change
def an_initializer_of_its_own():
    class Filled(tf.keras.initializers.Initializer):
        k = 2.0

        def __call__(self, shape, dtype=None):
            return tf.fill(shape, self.k)

    initializer = Filled()
    yield (lambda x: x * initializer([2])), ROWS
    initializer.k = 3.0
    yield


@change
def the_optimizer_of_a_training_step():
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.v = self.add_weight(shape=(), initializer="ones")

        def train_step(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(x * self.v)
            variables = self.trainable_variables
            gradients = tape.gradient(loss, variables)
            self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
            return self.v + 0.0

    model = Model()
    model.compile(optimizer=tf.keras.optimizers.SGD(1.0))
    yield model.train_step, ROWS
    model.compile(optimizer=tf.keras.optimizers.SGD(10.0))
    yield


@change
def a_function_that_a_layer_was_given():
    class Applied(tf.keras.layers.Layer):
        def __init__(self, function):
            super().__init__()
            self.function = function

        def call(self, x):
            return self.function(x)

    k = 2.0
    layer = Applied(lambda x: x * k)
    yield (lambda x: layer(x)), ROWS
    k = 3.0
    yield


@change
def settings_that_a_layer_was_given():
    class Configured(tf.keras.layers.Layer):
        def __init__(self, settings):
            super().__init__()
            self.settings = settings

        def call(self, x):
            return x * self.settings["parts"][0]["k"]

    settings = {"parts": [{"k": 2.0}]}
    layer = Configured(settings)
    yield (lambda x: layer(x)), ROWS
    layer.settings["parts"][0]["k"] = 3.0
    yield


@change
def settings_that_a_layer_does_not_copy():
    class Holder:
        k = 2.0

    class Configured(tf.keras.layers.Layer):
        def __init__(self, holder):
            super().__init__()
            self.holder = holder

        def call(self, x):
            return x * self.holder.k

    holder = Holder()
    layer = Configured(holder)
    yield (lambda x: layer(x)), ROWS
    holder.k = 3.0
    yield
