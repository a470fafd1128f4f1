"""Variables of Keras's layers are named by their layers, and the line that made them is told."""

import inspect

import pytest

import cinta as tf

keras = pytest.importorskip("keras")


def line_in(function, text):
    """The number of the line of a function that has this text."""
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


class Scaled(keras.layers.Layer):
    """A layer with a variable that it does not use."""

    def __init__(self):
        super().__init__()
        self.used = keras.layers.Dense(1)

    def build(self, shape):
        self.idle = self.add_weight(shape=(), name="idle")

    def call(self, x):
        return self.used(x)


def test_a_layer_beside_the_way_is_named():
    with tf.debugging.explaining() as found:
        used, idle = keras.layers.Dense(2), keras.layers.Dense(2, name="forgotten")
        used.build((3, 4))
        idle.build((3, 4))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(used(tf.ones([3, 4])))
        tape.gradient(loss, [used.kernel, idle.kernel])
    (why,) = found
    assert why.cause == "no-path"
    assert "forgotten/kernel" in why.headline
    assert why.line.source.startswith("loss =")
    assert why.made.lineno == line_in(test_a_layer_beside_the_way_is_named, "forgotten")
    assert "The layer was made here:" in str(why)
    assert "The layer was made here:" in why._repr_html_()


@pytest.mark.filterwarnings("ignore:Gradients do not exist")
def test_the_layer_is_blamed_where_keras_trains():
    with tf.debugging.explaining() as found:
        layer = Scaled()
        model = keras.Sequential([layer])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), verbose=0)
    (why,) = [each for each in found if each.kind == "none"]
    assert why.cause == "no-path"
    assert "idle" in why.headline
    assert why.line.lineno == line_in(
        test_the_layer_is_blamed_where_keras_trains, "layer = Scaled()"
    )


def test_a_layer_made_before_has_no_line():
    idle = keras.layers.Dense(2)
    with tf.debugging.explaining() as found:
        idle.build((3, 4))
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = w * w
        tape.gradient(loss, idle.kernel)
    assert found[0].made is None
    assert "kernel" in found[0].headline


def test_an_optimizer_without_gradients_tells_how_to_find_the_reason():
    w = tf.Variable(1.0)
    with pytest.raises(ValueError, match=r"No gradients provided .* CINTA_EXPLAIN=1 says why"):
        keras.optimizers.SGD().apply_gradients([(None, w)])
