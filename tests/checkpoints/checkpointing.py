"""Common parts of the tests of checkpoints: a model, and writing."""

import cinta as tf


class Dense(tf.Module):
    def __init__(self, inputs, outputs, fill=0.0):
        super().__init__()
        self.w = tf.Variable(tf.fill([inputs, outputs], fill))
        self.b = tf.Variable(tf.fill([outputs], fill))


class Model(tf.Module):
    def __init__(self, fill=0.0):
        super().__init__()
        self.layers = [Dense(2, 3, fill), Dense(3, 1, fill)]
        self.table = {"a/b.c": tf.Variable(fill)}
        self.pair = (self.layers[0].w, tf.Variable(fill))
        self.count = 3
        self.itself = self


def saved(path, **objects):
    return tf.train.Checkpoint(**objects).write(path / "ckpt")
