"""Tables of variables and their gradients, and what notebooks show of tapes and functions."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes, nest
from ..engine.convert import as_tensor
from ..engine.variable import behind
from ..languages.phrases import said
from ..public import public
from ..text_tables import FACTS, Table, facts
from .tape_answers import summary_of

if TYPE_CHECKING:
    from ..derivatives.tape import GradientTape
    from ..programs.function import Function
    from ..text_tables import Cell


@public("debugging.table")
def table(variables: object, gradients: object = None) -> Table:
    """Variables as a table: shapes, norms and small histograms, and those of their gradients.

    Notebooks show it as a table, and ``print`` as text.

    >>> import cinta as tf
    >>> w, b = tf.Variable([[3.0], [4.0]], name="w"), tf.Variable(0.0, name="b")
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(w * w)
    >>> gradients = tape.gradient(y, [w, b])
    >>> table = tf.debugging.table([w, b], gradients)
    >>> for row in table.rows:
    ...     print(*row[:4], row[5])
    w:0 (2, 1) float32 5 10
    b:0 () float32 0 None

    Args:
        variables: A model or module, whose trainable variables are meant, or variables and
            tensors in any structure.
        gradients: Their gradients, in the same structure, as a tape gives them. Without them the
            table also shows the minimum, the mean and the maximum.

    Raises:
        ValueError: If there is another number of gradients than of variables.
    """
    known = nest.flatten_with_path(getattr(variables, "trainable_variables", variables))
    rows = [(_name(each, path), facts(_array(behind(each)))) for path, each in known]
    if gradients is None:
        return Table(("variable", *FACTS), [(name, *told) for name, told in rows])
    found = nest.flatten(gradients)
    if len(found) != len(rows):
        raise ValueError(
            f"{len(rows)} variables have {len(found)} gradients: give a gradient, or None, for "
            "each variable, as tape.gradient(loss, variables) does."
        )
    headings = "variable", "shape", "dtype", "norm", "values", "gradient", "its values"
    return Table(
        headings,
        [
            (name, *told[:2], *told[-2:], *_gradient(gradient))
            for (name, told), gradient in zip(rows, found, strict=True)
        ],
    )


def _name(value: object, path: nest.Path) -> str:
    """The name of a variable, which has its layer's name in Keras; of a tensor, where it stands."""
    name = getattr(value, "path", None) or getattr(value, "name", None)
    return name if isinstance(name, str) else "/".join(map(str, path))


def _array(value: object) -> np.ndarray:
    tensor = as_tensor(value)
    if not tensor.dtype.is_numeric and tensor.dtype is not dtypes.bool:
        raise TypeError(f"A table shows variables of numbers, got {tensor.dtype!r}: {value!r}.")
    return np.asarray(tensor.numpy())


def _gradient(gradient: object) -> tuple[Cell, Cell]:
    """The norm of a gradient, and its values."""
    if gradient is None:
        return "None", ""
    *_, norm, values = facts(_array(gradient))
    return norm, values


def html_of_tape(tape: GradientTape) -> str:
    """The variables that a tape watched, and what it keeps."""
    parts = [f"<p>{html.escape(repr(tape))}</p>"]
    if variables := tape.watched_variables():
        parts.append(table(variables)._repr_html_())
    if tape._recorder is not None:
        parts.append(summary_of(tape)._repr_html_())
    return "".join(parts)


def html_of_function(function: Function[..., object]) -> str:
    """The recordings of a function, and how often it was called."""
    report = function.report()
    text = said("{}: {} calls, {} of them replayed")
    text = text.format(repr(function), report.calls, report.replays)
    rows = [
        (str(function._type_of(variant)), str(sum(1 for _ in variant.recording.calls)))
        for variant in function._variants
    ]
    return f"<p>{html.escape(text)}</p>{Table(('recording', 'ops'), rows)._repr_html_()}"
