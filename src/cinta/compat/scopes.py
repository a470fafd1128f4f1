"""Variables of TensorFlow 1, which get their names and settings from blocks around them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.convert import convert_to_tensor
from ..engine.name_scopes import name_scope
from ..engine.variable import Variable
from ..errors import UnimplementedError
from ..ops.arrays.creation import zeros
from ..ops.random.keras_initializers import GlorotUniform
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import DTypeLike, ShapeLike, TensorLike


class ReuseMode(Enum):
    """How a variable is made whose name may have been used before."""

    AUTO_REUSE = 1


AUTO_REUSE = public("compat.v1.AUTO_REUSE")(ReuseMode.AUTO_REUSE)


@public("compat.v1.VariableScope")
class VariableScope:
    """The rules of a block for the variables that are made in it.

    >>> import cinta as tf
    >>> with tf.compat.v1.variable_scope("layer") as scope:
    ...     scope.name
    'layer'

    Args:
        reuse: Whether variables are there already.
        name: The name of the block.
        initializer: How variables begin that say nothing themselves.
        dtype: Their dtype.
    """

    def __init__(
        self,
        reuse: object,
        name: str = "",
        initializer: Callable[..., Any] | None = None,
        dtype: DTypeLike = dtypes.float32,
        **settings: object,
    ) -> None:
        self.reuse, self.name, self.initializer = reuse, name, initializer
        self.dtype = dtypes.as_dtype(dtype)
        self.use_resource = True
        self.regularizer = self.caching_device = self.partitioner = None
        self.custom_getter = self.constraint = None
        self.__dict__.update(settings)

    @property
    def original_name_scope(self) -> str:
        """The name, with a slash behind it.

        >>> import cinta as tf
        >>> with tf.compat.v1.variable_scope("layer") as scope:
        ...     scope.original_name_scope
        'layer/'
        """
        return f"{self.name}/" if self.name else ""


class _Scopes(threading.local):
    """The blocks that this thread is in, and the variables of the template that it runs."""

    def __init__(self) -> None:
        self.entered = [VariableScope(reuse=False)]
        self.kept: KeptVariables | None = None


class KeptVariables:
    """The variables of a template by their names; once it is complete none is added."""

    def __init__(self) -> None:
        self.by_name: dict[str, Variable] = {}
        self.complete = False

    def found_or_made(self, name: str, make: Callable[[], Variable]) -> Variable:
        """The variable of this name, which is made if it is new."""
        if name not in self.by_name:
            made = make()
            if self.complete and made.trainable:
                raise ValueError(
                    "Trainable variable created when calling a template after the first time, "
                    f"perhaps a call takes another way through the function: {made!r}"
                )
            self.by_name[name] = made
        return self.by_name[name]


_scopes = _Scopes()


@public("compat.v1.name_scope")
class NameScope(name_scope):
    """Put ``name/`` in front of the names of variables made in the block, by TensorFlow 1's rules.

    >>> import cinta as tf
    >>> with tf.compat.v1.name_scope(None, "Tensordot", [1.0]) as scope:
    ...     print(scope, tf.Variable(1.0, name="w").name)
    Tensordot/ Tensordot/w:0

    Args:
        name: The name; an empty one replaces the scopes around it.
        default_name: The name where the first argument is None. If this is None too, the scopes
            around the block are left, as by an empty name.
        values: Accepted; changes no result.

    Raises:
        ValueError: If a name is not a string.
    """

    def __init__(
        self, name: str | None = None, default_name: str | None = None, values: object = None
    ) -> None:
        given = default_name if name is None else name
        super().__init__("" if given is None else given)


@contextmanager
def keeping(variables: KeptVariables) -> Iterator[None]:
    """A block in which `get_variable` finds the variables of a template again."""
    before, _scopes.kept = _scopes.kept, variables
    try:
        yield
    finally:
        _scopes.kept = before


@public("compat.v1.get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The rules of the block around the line for variables.

    >>> import cinta as tf
    >>> tf.compat.v1.get_variable_scope().name
    ''
    """
    return _scopes.entered[-1]


@public("compat.v1.variable_scope")
@contextmanager
def variable_scope(
    name_or_scope: str | VariableScope | None,
    default_name: str | None = None,
    values: object = None,
    initializer: Callable[..., Any] | None = None,
    *,
    dtype: DTypeLike | None = None,
    reuse: object = None,
    **settings: object,
) -> Iterator[VariableScope]:
    """A block whose name stands before those of the variables that are made in it.

    >>> import cinta as tf
    >>> with tf.compat.v1.variable_scope("layer"):
    ...     print(tf.compat.v1.get_variable("w", [2, 3]).name)
    layer/w:0

    Args:
        name_or_scope: The name of the block, or the rules of another one.
        default_name: The name where the first argument is None.
        values: Accepted; changes no result.
        initializer: How variables begin that say nothing themselves.
        dtype: Their dtype.
        reuse: True to ask for variables that are there already, which `get_variable` refuses.

    Raises:
        ValueError: If there is neither a name nor a default.
    """
    around = get_variable_scope()
    if isinstance(name_or_scope, VariableScope):
        name, around = name_or_scope.name, name_or_scope
    else:
        given = name_or_scope or default_name
        if given is None:
            raise ValueError("If default_name is None then name_or_scope is required")
        name = f"{around.original_name_scope}{given}"
    chosen = initializer or around.initializer
    made = VariableScope(reuse or around.reuse, name, chosen, dtype or around.dtype, **settings)
    _scopes.entered.append(made)
    try:
        with name_scope(made.original_name_scope):
            yield made
    finally:
        _scopes.entered.pop()


@public("compat.v1.get_variable")
def get_variable(
    name: str,
    shape: ShapeLike = (),
    dtype: DTypeLike | None = None,
    initializer: object = None,
    regularizer: object = None,
    trainable: bool | None = None,
    **settings: object,
) -> Variable:
    """A new variable. In TensorFlow 2 a variable is kept by who made it, and not by its name; only
    a template, of ``make_template``, finds its own again.

    >>> import cinta as tf
    >>> tf.compat.v1.get_variable("w", [2], initializer=tf.zeros_initializer()).numpy()
    array([0., 0.], dtype=float32)

    Args:
        name: The name; that of the block comes before it.
        shape: The shape.
        dtype: The dtype; None for that of the block, which is float32 unless it says otherwise.
        initializer: A function of a shape and a dtype, or a value; None for that of the block, or
            else Glorot's uniform numbers.
        regularizer: Refused.
        trainable: Whether tapes watch the variable; None for yes.

    Raises:
        ValueError: If the block asks for variables that are there already, by ``reuse=True``.
        UnimplementedError: If there is a regularizer.
    """
    scope = get_variable_scope()
    if scope.reuse is True:
        raise ValueError(
            f"Variable {name!r} cannot be used again by its name, as reuse=True asks: ops run when "
            "they are called, and nothing keeps variables by their names. Keep the variable itself."
        )
    if regularizer is not None:
        raise UnimplementedError(
            "get_variable has no collection of losses: add regularizer(variable) to the loss."
        )
    if _scopes.kept is None:
        return _made(scope, name, shape, dtype, initializer, trainable)
    return _scopes.kept.found_or_made(
        f"{scope.original_name_scope}{name}",
        lambda: _made(scope, name, shape, dtype, initializer, trainable),
    )


def _made(
    scope: VariableScope,
    name: str,
    shape: ShapeLike,
    dtype: DTypeLike | None,
    initializer: Any,
    trainable: bool | None,
) -> Variable:
    kind = dtypes.as_dtype(dtype or scope.dtype)
    make = next(
        (each for each in (initializer, scope.initializer) if each is not None),
        GlorotUniform() if kind.is_floating else zeros,
    )
    value: TensorLike = make(shape, kind) if callable(make) else convert_to_tensor(make, dtype)
    if value is None:
        raise ValueError(f"`initializer` must give values of shape {shape}, and gave None.")
    with name_scope(scope.original_name_scope):  # and not that of tf.name_scope
        return Variable(value, trainable=trainable, name=name)
