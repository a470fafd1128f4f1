"""Saved models: of every op of the table one, with what it takes for its gradient."""

import copy
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

import cinta as tf
from cinta.engine.op import registry
from cinta.saved_model.saving import FILE
from tests.op_table import rows
from tests.replaying import inputs_of, seeded
from tests.shorthand import differentiable

from . import Kind
from .archives import changed_arrays, opened, packed, resealed
from .mutation import changed_bytes, changed_json


class Parts(tf.Module):
    """A model with something of all that a file can hold."""

    def __init__(self):
        super().__init__()
        self.v = tf.Variable([1.0, 2.0])
        self.parts = [self.v, (self.v, 3), {"a": tf.constant(2.0)}]
        self.generator = tf.random.Generator.from_seed(1)

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def f(self, x):
        if x[0, 0] > 0:
            self.v.assign_add([1.0, 1.0])
            return {"sum": x * self.v, "mask": tf.eye(tf.shape(x)[0])}
        return {"sum": x, "mask": tf.range(tf.shape(x)[0])}

    @tf.function(input_signature=[tf.TensorSpec([2])])
    def g(self, x):
        @tf.custom_gradient
        def cube(x):
            return x**3, lambda upstream: upstream * 3 * x * x

        return cube(x) + tf.random.uniform([2], seed=1)


@cache
def all_rows():
    return [row for row in rows() if row.name != "dropout"]


@cache
def saved(number):
    """The content of a saved model, and what its functions take; -1 for the first."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if number < 0:
            model, inputs = Parts(), None
        else:
            row = all_rows()[number]
            model, inputs = tf.Module(), inputs_of(row)
            model.f = tf.function(lambda *given: row.function(*given))
            seeded(model.f, *inputs)
        tf.saved_model.save(model, folder)
        return Path(folder, FILE).read_bytes(), inputs


def changed_step(rng, document):
    """The document with a change in one step of one of its functions."""
    document = copy.deepcopy(document)
    functions = [node for node in document["nodes"] if node["kind"] == "function"]
    program = rng.choice(rng.choice(functions)["programs"])
    steps = program[2]["recording"]["steps"]
    steps = [step for step in steps if step[0] != "guard"]
    if not steps:
        return changed_json(rng, document)
    step = rng.choice(steps)
    if step[2] and rng.randrange(4):
        name = rng.choice([*step[2]])
        step[2][name] = changed_json(rng, step[2][name])
    elif rng.randrange(2):
        place = rng.randrange(1, 4)
        step[place] = changed_json(rng, step[place])
    else:
        other = rng.choice(steps)
        step[0] = rng.choice((other[0], *registry))
    return document


class Models(Kind):
    def changed(self, rng):
        number = rng.choice((-1, rng.randrange(len(all_rows()))))
        content, inputs = saved(number)
        way = rng.randrange(8)
        if way == 0:
            content, same = changed_bytes(rng, content), True
        elif way == 1:
            content, same = resealed(rng, content), False
        else:
            kind, document, arrays = opened(content)
            if way == 2 and arrays:
                arrays = changed_arrays(rng, arrays)
            elif way == 3:
                document = changed_json(rng, document)
            else:
                document = changed_step(rng, document)
            content, same = packed(kind, document, arrays), False
        return {FILE: content}, (inputs, same)

    def read(self, folder, known):
        inputs, _ = known
        model = tf.saved_model.load(folder)
        if inputs is None:
            calls = [("f", [tf.ones([3, 2])]), ("f", [-tf.ones([1, 2])]), ("g", [tf.ones([2])])]
        else:
            calls = [("f", inputs)]
        found = [model.v] if hasattr(model, "v") else []
        for name, given in calls:
            function = vars(model).get(name)
            if callable(function):
                found.append(self.called(function, given, folder))
        return found

    def called(self, function, given, folder):
        """The function's results, and its gradients."""
        with tf.GradientTape() as tape:
            tape.watch(differentiable(given))
            results = function(*given)
            flat = [x for x in tf.nest.flatten(results) if isinstance(x, tf.Tensor)]
        try:
            gradients = tape.gradient(differentiable(flat), differentiable(given))
        except LookupError as error:
            if "gradient" not in str(error):  # that there is none, says TensorFlow with it
                raise AssertionError("this LookupError is from the depths") from error
            gradients = []
        except (ValueError, TypeError, tf.errors.OpError) as error:
            error.add_note(str(folder))
            raise
        return results, gradients

    def check(self, value, known):
        for leaf in tf.nest.flatten(value):
            if isinstance(leaf, tf.Tensor):
                assert np.shape(leaf.numpy()) == leaf.shape


KINDS = {"models": Models()}
