"""Rules: which values they take beside the gradient, and how a plan calls them with those it keeps.

A rule is a function of the gradient of the result and of values that its parameters name. The same
rule runs on bare arrays, by the kernels of the ops that it names, and on tensors, by the ops.
"""

from __future__ import annotations

from operator import itemgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .device_values import Spread
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .annotations import NumericLike
    from .operation import Op

    Pull: TypeAlias = Callable[..., Any]
    Getter: TypeAlias = Callable[[Sequence[Any], Any, dict[str, Any]], Any]


class Runnable:
    """An op whose function ``bare`` computes on bare arrays; rules on arrays call that instead."""

    run: Callable[..., Any]

    @property
    def bare(self) -> Callable[..., Any]:
        """The function that computes on arrays."""
        raise NotImplementedError


class TakingAll:
    """A rule that takes the values of these names as ``*values``, not each as a parameter."""

    __slots__ = ("needs", "rule")

    def __init__(self, rule: Pull, needs: tuple[str, ...]) -> None:
        self.rule, self.needs = rule, needs

    def __call__(self, *arguments: object) -> object:
        return self.rule(*arguments)


def needs(op: Op, rule: Pull) -> tuple[str, ...]:
    """The names of the values that a rule takes in addition to the gradient."""
    if isinstance(rule, TakingAll):
        return rule.needs
    code = rule.__code__
    return code.co_varnames[2 if op.joint is rule else 1 : code.co_argcount]


def kept_by(op: Op, rules: Sequence[Pull]) -> tuple[str, ...]:
    """The parameters of the rules, each once: a joint rule's in its order, else inputs first."""
    named = dict.fromkeys(name for rule in rules for name in needs(op, rule))
    if op.joint is not None or op.variadic:
        return tuple(named)
    inputs = [name for name in op.inputs if name in named]
    return (*inputs, *[name for name in named if name not in op.inputs])


def getter(op: Op, name: str) -> Getter:
    """How to fetch a value that a rule names from a call's inputs, result and attributes."""
    if name in op.attrs:
        return lambda inputs, out, attrs: attrs[name]
    source, _, what = name.rpartition("_")
    if what in ("shape", "dtype") and source in (*op.inputs, "out"):
        fetch, read = getter(op, source), shape_of if what == "shape" else dtype_of
        return lambda inputs, out, attrs: read(fetch(inputs, out, attrs))
    if name == "out":
        return lambda inputs, out, attrs: out
    if op.variadic:
        return lambda inputs, out, attrs: tuple(inputs)
    position = op.inputs.index(name)
    return lambda inputs, out, attrs: inputs[position]


def keeper(getters: list[Getter]) -> Getter:
    """The values that a record saves of a call: those that rules name, alone or in a tuple."""
    if not getters:
        return lambda inputs, out, attrs: None
    if len(getters) == 1:
        return getters[0]
    if len(getters) == 2:
        first, second = getters
        return lambda inputs, out, attrs: (first(inputs, out, attrs), second(inputs, out, attrs))
    return lambda inputs, out, attrs: tuple([get(inputs, out, attrs) for get in getters])


def bind(rule: Pull, names: tuple[str, ...], kept: tuple[str, ...]) -> Pull:
    """A rule as a function of the gradient and of all that the plan keeps."""
    if not names:
        return lambda g, saved: rule(g)
    if len(kept) == 1:
        return rule
    if names == kept:
        return lambda g, saved: rule(g, *saved)
    pick = itemgetter(*[kept.index(name) for name in names])
    if len(names) == 1:
        return lambda g, saved: rule(g, pick(saved))
    return lambda g, saved: rule(g, *pick(saved))


def joint_pull(
    op: Op, rule: Pull, kept: tuple[str, ...], tracked: tuple[int, ...], count: int
) -> Pull:
    """The pull of a rule that gives the gradients of all inputs at once."""
    pick = itemgetter(*tracked)
    takes_wanted = op.joint is not None

    def pull(g: object, saved: Any, wanted: Sequence[bool] | None = None) -> object:
        values = (saved,) if len(kept) == 1 else saved or ()
        if not takes_wanted:
            return pick(rule(g, *values))
        want = [False] * count
        for k, i in enumerate(tracked):
            want[i] = wanted is None or wanted[k]
        return pick(rule(g, tuple(want), *values))

    return pull


def on_arrays(rule: Pull) -> Pull:
    """The same rule with every op that it names replaced by the op's kernel.

    So a gradient that is not recorded costs as much as NumPy alone.
    """
    if not isinstance(rule, FunctionType):
        return rule
    names = rule.__globals__
    bare = {k: names[k] for k in global_names(rule.__code__) if k in names}
    bare |= {k: v.bare for k, v in bare.items() if isinstance(v, Runnable)}
    bare |= {k: names[k] for k in ("__builtins__", "__name__")}
    return FunctionType(rule.__code__, bare, rule.__name__, rule.__defaults__, rule.__closure__)


def global_names(code: CodeType) -> set[str]:
    """The global names in a function's code and in the comprehensions and functions in it."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*map(global_names, inner))


def shape_of(value: NumericLike) -> Any:
    """The shape of an array, tensor or Python number; of a tuple of them, a tuple of shapes."""
    if type(value) is tuple:
        return tuple([shape_of(v) for v in value])
    if type(value) is Tensor:
        return value._array.shape
    return getattr(value, "shape", ())


def dtype_of(value: NumericLike) -> Any:
    """The dtype of an array or tensor, as NumPy's; of a tuple of them, a tuple of dtypes."""
    if type(value) is tuple:
        return tuple([dtype_of(v) for v in value])
    array = value._array if type(value) is Tensor else value
    return (array if isinstance(array, Spread) else np.asarray(array)).dtype


def bare_values(saved: object) -> Any:
    """Saved values with the tensors among them as arrays."""
    if isinstance(saved, Tensor):
        return saved._array
    return tuple([bare_values(value) for value in saved]) if type(saved) is tuple else saved
