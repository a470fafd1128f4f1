"""Common parts of the tests of XLA."""

import cinta as tf


def compiled(function):
    """The function, compiled by XLA."""
    return tf.function(function, jit_compile=True)


def programs(function):
    """The programs of a function, by which its recordings are run where no tape listens."""
    return [variant.runner.callable.program for variant in function._variants]
