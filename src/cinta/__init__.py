"""cinta: automatic differentiation by tape, with the names of TensorFlow.

>>> import cinta as tf
>>> x = tf.Variable(3.0)
>>> with tf.GradientTape() as tape:
...     y = x**2
>>> tape.gradient(y, x).numpy()
np.float32(6.0)
"""

from os import environ as _environ

from . import machine
from . import tracebacks as _tracebacks

machine.tune()  # before NumPy is imported
_tracebacks.install()

# isort: split
from .keras_import import answer_imports_of_keras as _answer_imports_of_keras
from .public import namespace as _namespace
from .version import __version__ as __version__

newaxis = None

_FIRST = """
    derivatives.tape dtypes
    engine.convert engine.indexed_slices engine.shapes engine.tensor engine.variable
    ops.arrays.creation ops.arrays.shaping ops.elementwise.arithmetic ops.elementwise.casting
    ops.elementwise.comparison ops.elementwise.division ops.elementwise.unary
    ops.elementwise.powers ops.elementwise.trigonometry ops.linalg.matmul
    ops.reductions.reduction
"""
"""The modules that most programs need at once; all others load when a name of theirs is used."""

from .ops import operators as _operators  # noqa: F401  # it gives tensors their operators

__getattr__, __dir__ = _namespace(__name__, at_once=_FIRST.split())
_answer_imports_of_keras()


def load_ipython_extension(shell: object) -> None:
    """Bring the magics ``%%explain`` and ``%%tape``; ``%load_ext cinta`` calls this."""
    from .explain.magics import register

    register(shell)


if _environ.get("CINTA_EXPLAIN", "") not in ("", "0"):
    from .explain.enable import enable_explanations as _enable_explanations

    _enable_explanations()
