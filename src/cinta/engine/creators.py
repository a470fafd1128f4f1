"""How variables are made: functions that have a say in it, and blocks that take note."""

from __future__ import annotations

import weakref
from _thread import get_ident
from contextlib import contextmanager
from functools import cache, partial
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

from ..public import public
from .replicas import context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .variable import Variable

_creators: dict[int, list[Callable[..., Any]]] = {}
"""The program's creators on each thread, the innermost one last."""


@public("variable_creator_scope")
@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Make the variables of the block by a function that gets ``next_creator`` and the arguments.

    >>> import cinta as tf
    >>> def twice(next_creator, **kwargs):
    ...     kwargs["initial_value"] *= 2.0
    ...     return next_creator(**kwargs)
    >>> with tf.variable_creator_scope(twice):
    ...     v = tf.Variable(3.0)
    >>> v.numpy()
    np.float32(6.0)

    Args:
        variable_creator: The function.
    """
    thread = get_ident()
    creators = _creators.setdefault(thread, [])
    creators.append(variable_creator)
    try:
        yield
    finally:
        creators.pop()
        if not creators:
            del _creators[thread]


class Created(type):
    """The class of ``Variable``, whose calls make variables by the creators that are creators."""

    if not TYPE_CHECKING:  # to a type checker the arguments are those of the class

        def __call__(cls, *args: object, **kwargs: object) -> Any:
            creators, where = _creators.get(get_ident(), ()), context()
            make = super().__call__
            if (not creators and where is None) or "asks_creators" not in vars(cls):
                return make(*args, **kwargs)
            if where is not None:
                make = partial(where.strategy._variable, make)
            for creator in creators:
                make = partial(creator, make)
            return make(**_named(cls.__init__, args, kwargs))


_signature = cache(signature)


def _named(
    function: Callable[..., Any], args: tuple[object, ...], kwargs: dict[str, object]
) -> dict[str, Any]:
    """All arguments by name, with the defaults of those that are left out."""
    bound = _signature(function).bind(None, *args, **kwargs)
    bound.apply_defaults()
    found = dict(list(bound.arguments.items())[1:])
    found |= found.pop("ignored")
    return found


# -- the variables that are made in a block ----------------------------------------------------

CreatedVariables: TypeAlias = "list[weakref.ref[Variable]]"

_created: dict[int, CreatedVariables] = {}


def note_created(variable: Variable) -> None:
    """A variable has been made on this thread."""
    created = _created.get(get_ident())
    if created is not None:
        created.append(weakref.ref(variable))


@contextmanager
def noting_created() -> Iterator[CreatedVariables]:
    """Note the variables that are made in the block, without keeping them alive."""
    thread, created = get_ident(), list["weakref.ref[Variable]"]()
    outer = _created.get(thread)
    _created[thread] = created
    try:
        yield created
    finally:
        if outer is None:
            del _created[thread]
        else:
            _created[thread] = outer
            outer += created


@contextmanager
def hiding_created() -> Iterator[None]:
    """Hide the variables that are made in the block from the blocks around it."""
    with noting_created() as created:
        yield
        created.clear()
