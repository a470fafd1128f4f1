"""Attributes with names that libraries use for themselves."""

import cinta as tf
from tests.functions.changes.table import Box, change

NAMES = """
    history stop_training train_function built _lock _losses _nodes _called _tracked _tracker
    _owned _value _name _array _keras_mask _variables
"""


def _named(make, name):
    """A row that changes an attribute of this name, which stands in the code of a function."""

    def program():
        held, space = make(), {}
        exec(f"held.{name} = 2.0\ndef f(x): return x * held.{name}", {"held": held}, space)
        yield space["f"]
        setattr(held, name, 3.0)
        yield

    program.__module__ = __name__
    return program


for _name in NAMES.split():
    for _kind, _make in (("an_object", Box), ("a_module", tf.Module)):
        _program = _named(_make, _name)
        _program.__name__ = f"{_name}_of_{_kind}"
        change(_program)


@change
def a_history_that_grows():
    class Trainer:
        def __init__(self):
            self.history = []

        def step(self, x):
            self.history.append(1)
            return x * len(self.history)

    trainer = Trainer()
    yield trainer.step
    trainer.history.clear()
    yield


@change
def a_private_attribute_of_a_variable():
    v = tf.Variable(1.0)
    v._scale = 2.0
    yield lambda x: x * v * v._scale
    v._scale = 3.0
    yield


@change
def a_private_list_of_a_variable():
    v = tf.Variable(1.0)
    v._scales = [2.0]
    yield lambda x: x * v * v._scales[0]
    v._scales[0] = 3.0
    yield


@change
def whether_a_model_stops_training():
    model = tf.keras.Sequential([])
    model.stop_training = False
    yield lambda x: x * (3.0 if model.stop_training else 2.0)
    model.stop_training = True
    yield


@change
def a_model_that_is_told_to_stop():
    model = tf.keras.Sequential([])
    model.stop_training = False

    def f(x):
        before, model.stop_training = model.stop_training, True
        return x * (3.0 if before else 2.0)

    yield f
    model.stop_training = False
    yield


@change
def a_loss_that_is_added_outside():
    layer = tf.keras.layers.Layer()
    yield lambda x: x * (1.0 + sum(layer.losses))
    layer.add_loss(tf.constant(3.0))
    yield
