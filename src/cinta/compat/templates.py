"""Functions that make their variables in the first call and find them again in all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.module import Module
from ..errors import UnimplementedError
from ..ops.arguments import checked_callable, flag, text
from ..public import public
from .scopes import KeptVariables, VariableScope, get_variable_scope, keeping, variable_scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.variable import Variable

_taken: dict[str, int] = {}
"""How often the name of a block has been taken."""


@public("compat.v1.make_template")
def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None,
    **kwargs: object,
) -> Template:
    """A function whose calls share the variables that it asks `get_variable` for.

    >>> import cinta as tf
    >>> def scaled(x):
    ...     return x * tf.compat.v1.get_variable("w", initializer=2.0)
    >>> template = tf.compat.v1.make_template("layer", scaled)
    >>> template(1.0).numpy(), template(3.0).numpy()
    (np.float32(2.0), np.float32(6.0))
    >>> [v.name for v in template.variables]
    ['layer/w:0']

    Args:
        name_: The name of the block that the function runs in. The second template of a name gets
            a number behind it, and so on.
        func_: The function.
        create_scope_now_: Whether the name is taken now, and not by the first call.
        unique_name_: Refused, as TensorFlow 2 does.
        custom_getter_: Refused.
        kwargs: Arguments that each call gets.

    Raises:
        TypeError: If the function cannot be called.
        ValueError: If there is a unique name.
        UnimplementedError: If there is a getter.
    """
    if unique_name_ is not None:
        raise ValueError(
            f"`unique_name_` cannot be used when ops run at once, got {unique_name_!r}: templates "
            "of one name get numbers."
        )
    if custom_getter_ is not None:
        raise UnimplementedError("make_template has no `custom_getter_`: call it in `func_`.")
    made = Template(text(name_, "name_"), checked_callable(func_, "func_"), kwargs)
    if flag(create_scope_now_, "create_scope_now_"):
        made._take_name()
    return made


class Template(Module):
    """A function, with the variables that its first call has made."""

    def __init__(self, name: str, func: Callable[..., Any], more: dict[str, Any]) -> None:
        super().__init__(name=None)
        self._given, self._func, self._more = name, func, more
        self._kept = KeptVariables()
        self._scope: VariableScope | None = None

    @property
    def name(self) -> str:
        """The name that the template was given."""
        return self._given

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The block that the function runs in; None before the first call."""
        return self._scope

    @property
    def variable_scope_name(self) -> str | None:
        """The name of this block."""
        return None if self._scope is None else self._scope.name

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, in the order in which they were made."""
        return tuple(self._kept.by_name.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those that tapes watch."""
        return tuple([v for v in self.variables if v.trainable])

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """All others."""
        return tuple([v for v in self.variables if not v.trainable])

    weights = global_variables = variables
    trainable_weights, non_trainable_weights = trainable_variables, non_trainable_variables

    def _take_name(self) -> None:
        with variable_scope(self._given) as made:
            full = made.name
        number = _taken[full] = _taken.get(full, -1) + 1
        around = get_variable_scope()
        self._scope = VariableScope(
            False, f"{full}_{number}" if number else full, around.initializer, around.dtype
        )

    def __call__(self, *args: object, **kwargs: object) -> object:
        if self._scope is None:
            self._take_name()
        with variable_scope(self._scope), keeping(self._kept):
            result = self._func(*args, **{**self._more, **kwargs})
        self._kept.complete = True
        return result
