"""Readings of a function: recordings, memory; the module of each loads when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, ParamSpec, cast

if TYPE_CHECKING:
    from ..explain.explanation import Explanations
    from ..explain.summary import Summary
    from .function import Function

P = ParamSpec("P")


class Inspection(Generic[P]):
    """The methods of a function that are for people."""

    def explain(self, *args: P.args, **kwargs: P.kwargs) -> Explanations:
        """Why it was recorded again, or runs as Python; of a call, why gradients are None or NaN.

        With arguments it is called once, on a tape, with explanations on: gradients of what it
        returns by the variables that it reads, or by its arguments if it reads none, are explained
        if they are None, zero or not finite. Variables and random numbers are as before.

        >>> import cinta as tf
        >>> @tf.function
        ... def loss(x):
        ...     return tf.reduce_sum(tf.sqrt(x))
        >>> loss.explain(tf.constant([0.0, 4.0]))[0].cause
        'sqrt-at-zero'
        >>> for n in (2, 3):
        ...     y = loss(tf.ones([n]))
        >>> loss.explain()[0].cause
        'argument-shape'
        """
        from ..explain.recorded import explain_function

        return explain_function(cast("Function[P, Any]", self), args, kwargs)

    def summary(self, *args: P.args, **kwargs: P.kwargs) -> Summary:
        """The arrays that a tape keeps for the gradient of a call, by lines of the program.

        The function is called once; variables and random numbers are as before. Without arguments
        the summary is of its recording: the results of its ops, whose lines are not known.

        >>> import cinta as tf
        >>> @tf.function
        ... def loss(x):
        ...     return tf.reduce_sum(tf.exp(x))
        >>> loss.summary(tf.ones([100])).lines[0].bytes
        400
        """
        from ..explain.recorded import summary_of_function

        return summary_of_function(cast("Function[P, Any]", self), args, kwargs)
