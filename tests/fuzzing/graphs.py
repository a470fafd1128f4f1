"""Saved models of TensorFlow: messages in messages, with graphs in them."""

import zipfile
from functools import cache

import numpy as np

import cinta as tf
from tests.references import REFERENCES

from . import Kind
from .mutation import changed_bytes, changed_message

ARCHIVE = REFERENCES / "saved_models.zip"
FILE = "saved_model.pb"


@cache
def graph():
    """The file of a model without variables."""
    return zipfile.ZipFile(ARCHIVE).read(f"plain/{FILE}")


class Graphs(Kind):
    """The loop of the model runs no turn, whatever is changed: the count is the lowest number."""

    def changed(self, rng):
        change = changed_bytes if rng.randrange(4) == 0 else changed_message
        return {FILE: change(rng, graph())}, None

    def read(self, folder, known):
        model = tf.saved_model.load(folder)
        found = []
        for name in ("repeated", "signatures"):
            function = vars(model).get(name)
            if isinstance(function, dict):
                function = function.get("serving_default")
            if callable(function):
                try:
                    found.append(function(x=tf.ones([3]), n=tf.constant(-(2**31))))
                except (ValueError, TypeError) as error:
                    error.add_note(str(folder))  # of arguments that are not those of the function
                    raise
        return found

    def check(self, value, known):
        for leaf in tf.nest.flatten(value):
            if isinstance(leaf, tf.Tensor):
                assert np.shape(leaf.numpy()) == leaf.shape


KINDS = {"graphs": Graphs()}
