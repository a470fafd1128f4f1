"""The operators of tensors and variables, which are ops: ``x + y`` is ``tf.add(x, y)``.

The functions stand with the other ops, above this folder: two tables in ``ops.operators`` say for
every method of Python's, such as ``__add__``, which function it is on a tensor and on a variable.
The first operator in a program fetches the tables, and their functions become the methods
themselves. So an operator costs what its function costs, without a call between the two, and
a program that uses none loads none. Only this module puts methods on tensors and variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .annotations import TensorLike
    from .tensor import Tensor

NAMES = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "matmul", "rmatmul", "truediv", "rtruediv"),
    *("floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "and", "rand", "or", "ror"),
    *("xor", "rxor", "eq", "ne", "lt", "le", "gt", "ge", "neg", "abs", "invert", "round"),
    *("getitem", "iter"),
)
"""The operators of tensors; variables add refusals to be changed in place."""

if TYPE_CHECKING:

    class Operators:
        """The types of the operators' results."""

        OVERLOADABLE_OPERATORS: ClassVar[frozenset[str]]

        def _operator(self, other: object) -> Tensor: ...
        def _unary(self) -> Tensor: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _operator
        __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _operator
        __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _operator
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _operator
        __lt__ = __le__ = __gt__ = __ge__ = _operator
        __neg__ = __abs__ = __invert__ = __round__ = _unary

        def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __getitem__(self, key: object) -> Tensor: ...
        def __iter__(self) -> Iterator[Tensor]: ...

else:

    class Operators:
        """Operators that fetch themselves when the first of them is used."""

        __slots__ = ()

        OVERLOADABLE_OPERATORS = frozenset(
            [f"__{name}__" for name in NAMES if name not in ("iter", "round")]
        )
        """The names that libraries copy into classes that shall act as tensors."""

        def __nonzero__(self) -> bool:
            """The truth of the value, by the name that Python 2 had for it."""
            return bool(self)


def fetch() -> None:
    """Give tensors and variables their operators."""
    from ..ops.operators import OF_TENSORS, OF_VARIABLES
    from .tensor import Tensor
    from .variable import Variable

    define(Tensor, OF_TENSORS)
    define(Variable, OF_VARIABLES)


def define(kind: type[Operators], methods: Mapping[str, Any]) -> None:
    """Give a class these methods, in place of those that it has."""
    for name, method in methods.items():
        setattr(kind, name, method)


def _fetching(name: str) -> Callable[..., Any]:
    """An operator until the tables are fetched."""

    def operator(self: object, *others: TensorLike) -> object:
        fetch()
        return getattr(type(self), name)(self, *others)

    operator.__name__ = operator.__qualname__ = name
    return operator


define(Operators, {f"__{name}__": _fetching(f"__{name}__") for name in NAMES})
