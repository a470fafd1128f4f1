"""Moving averages of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.variable import Variable, behind
from ..ops.arguments import flag, listed, text
from ..ops.elementwise.arithmetic import minimum
from ..ops.elementwise.casting import cast
from ..public import public
from .graph_compat import init_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import NumericLike
    from ..engine.reference import Reference
    from ..engine.tensor import Tensor


@public("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Averages of variables in which old values count less with every update.

    An update takes each average from ``a`` to ``decay * a + (1 - decay) * value``; the first one
    begins with the value.

    >>> import cinta as tf
    >>> v = tf.Variable(1.0)
    >>> averages = tf.train.ExponentialMovingAverage(decay=0.75)
    >>> averages.apply([v])
    >>> v.assign(3.0); averages.apply([v])  # doctest: +ELLIPSIS
    <tf.Variable ...>
    >>> averages.average(v).numpy()
    np.float32(1.5)

    Args:
        decay: A number, most often a little less than 1.
        num_updates: How often the variables were updated, as a number or a variable: the decay is
            then at most ``(1 + num_updates) / (10 + num_updates)``, so that the first values, which
            are far from those that follow, are soon forgotten.
        zero_debias: Accepted: averages begin with a value, so they have no bias towards zero.
        name: Part of the names of the averages.
    """

    def __init__(
        self,
        decay: NumericLike,
        num_updates: NumericLike | None = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        flag(zero_debias, "zero_debias")
        self._decay = decay
        self._num_updates = num_updates
        self._name = text(name, "name")
        self._averages: dict[Reference[Variable], Variable] = {}

    def __repr__(self) -> str:
        return f"<tf.train.ExponentialMovingAverage of {len(self._averages)} variables>"

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    def apply(self, var_list: Sequence[Variable]) -> None:
        """Update the averages of these variables, which are made when they are first seen.

        Args:
            var_list: The variables, which hold floats.

        Raises:
            TypeError: If one of them is not a variable, or holds no floats.
        """
        variables = [_averaged(each) for each in listed(var_list, "var_list")]
        rate = 1.0 - self._limited_decay()
        for variable in variables:
            average = self._of(variable)
            average.assign_sub((average - variable) * cast(rate, average.dtype))

    def average(self, var: Variable) -> Variable | None:
        """The variable that holds the average of this one; None if it has none.

        Args:
            var: The variable.

        Raises:
            TypeError: If it is not a variable.
        """
        return self._averages.get(_variable(var, "var").ref())

    def average_name(self, var: Variable) -> str:
        """The name of the average of a variable.

        Args:
            var: The variable.

        Raises:
            TypeError: If it is not a variable.

        >>> import cinta as tf
        >>> averages = tf.train.ExponentialMovingAverage(0.9)
        >>> averages.average_name(tf.Variable(1.0, name="w"))
        'w/ExponentialMovingAverage'
        """
        average = self.average(var)
        name = _variable(var, "var").name if average is None else average.name
        stem = name.removesuffix(":0")
        return f"{stem}/{self._name}" if average is None else stem

    def variables_to_restore(self, moving_avg_variables: Sequence[Variable]) -> dict[str, Variable]:
        """These variables by the names of their averages.

        Args:
            moving_avg_variables: The variables.

        Raises:
            TypeError: If one of them is not a variable.

        >>> import cinta as tf
        >>> averages = tf.train.ExponentialMovingAverage(0.9)
        >>> [*averages.variables_to_restore([tf.Variable(1.0, name="w")])]
        ['w/ExponentialMovingAverage']
        """
        argument = "moving_avg_variables"
        given = [_variable(each, argument) for each in listed(moving_avg_variables, argument)]
        return {self.average_name(each): each for each in given}

    def _of(self, variable: Variable) -> Variable:
        reference = variable.ref()
        if reference not in self._averages:
            name = f"{variable.name.removesuffix(':0')}/{self._name}"
            with init_scope():
                self._averages[reference] = Variable(variable, trainable=False, name=name)
        return self._averages[reference]

    def _limited_decay(self) -> Tensor:
        decay = as_tensor(self._decay, dtypes.float32.dtype)
        if self._num_updates is None:
            return decay
        count = cast(as_tensor(self._num_updates), dtypes.float32)
        return minimum(decay, (1.0 + count) / (10.0 + count))


def _variable(given: object, argument: str) -> Variable:
    variable = behind(given)
    if not isinstance(variable, Variable):
        raise TypeError(f"`{argument}`: averages are kept of variables, got {given!r}.")
    return variable


def _averaged(given: object) -> Variable:
    variable = _variable(given, "var_list")
    if not variable.dtype.is_floating:
        raise TypeError(
            f"The variables must be half, float, or double: {variable.name} holds "
            f"{variable.dtype.name}."
        )
    return variable
