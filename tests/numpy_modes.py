"""NumPy's behavior of tensors in a test alone."""

from contextlib import contextmanager

import cinta as tf
from cinta.engine import settings
from cinta.engine.variable import Variable
from cinta.experimental.numpy import promoting_names


@contextmanager
def modes_end_here():
    """A block behind which tensors, variables and dtypes are as they were."""
    before = [(kind, dict(vars(kind))) for kind in (tf.Tensor, Variable)]
    yield
    promoting_names.restore()
    settings.prefer_float32, settings.lattice = False, ""
    for kind, attributes in before:
        for name in set(vars(kind)) - set(attributes):
            delattr(kind, name)
        for name, value in attributes.items():
            if vars(kind)[name] is not value:
                setattr(kind, name, value)
