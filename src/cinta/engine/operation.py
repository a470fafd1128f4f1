"""Op: a kernel and its rules, and how it is called; `engine.op` says how ops are declared."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from ..dtypes import of
from ..errors import InvalidArgumentError, OpError, ResourceExhaustedError
from .device_values import Spread
from .gradient_plan import Plan, SeveralResults
from .record_calls import notify_observers, record_call
from .recorders import observers, wider
from .registry import registry as registry
from .rule_binding import Runnable
from .shapes import written
from .tensor import Array, Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .annotations import ArrayModule, NumericLike
    from .gradient_plan import WrappedPlan
    from .recorders import Tracker
    from .shapes import Shape

Rule: TypeAlias = "Callable[..., Any]"
Writer: TypeAlias = "tuple[Callable[..., Any] | None, Callable[..., Any] | None, bool]"
"""The function that computed an op when its writer was given, the writer, and `in_place`."""

REFUSALS = (ValueError, IndexError, OverflowError, np.linalg.LinAlgError)
"""NumPy's errors for arrays that it cannot work with, apart from a TypeError about a ufunc."""

# TensorFlow gives inf and nan in silence, and so do the kernels and rules of this package.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"cinta\.")

TAKES_VARARGS = 0x04  # a flag of CPython's code objects (inspect.CO_VARARGS)


class Op(Runnable):
    """One operation. ``engine.op`` says how to declare one."""

    epoch = 0
    """Counts the changes of kernels and rules, for code that has compiled them."""

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Array],
        *,
        broadcasts: type[WrappedPlan] | None = None,
        elementwise: bool | None = None,
        moves: bool = False,
        rowwise: bool = False,
        linear: bool | None = None,
        effects: bool = False,
        sized_by_values: bool = False,
    ) -> None:
        code = kernel.__code__
        positional, keywords = code.co_argcount, code.co_kwonlyargcount
        self.name = name
        self.kernel = kernel
        self.attrs = code.co_varnames[positional : positional + keywords]
        self.variadic = bool(code.co_flags & TAKES_VARARGS)
        end = positional + keywords
        self.inputs = (
            code.co_varnames[end:][:1] if self.variadic else code.co_varnames[1:positional]
        )
        if {"g", "out"} & {*self.inputs, *self.attrs}:
            raise TypeError(f"{self}: g and out are the gradient and the result in rules")
        self.broadcasts = broadcasts  # the variant of its plans for inputs that were broadcast
        self.elementwise = broadcasts is not None if elementwise is None else elementwise
        self.moves = moves
        self.rowwise = rowwise
        self.linear = moves if linear is None else linear
        self.effects = effects
        self.sized_by_values = sized_by_values
        self.takes_rows = False  # whether its rules take a gradient that is rows of a table
        self.several: type[WrappedPlan] = (
            SeveralResults  # the variant of its plans for several results
        )
        self.has_user_rule = False  # whether a user wrote its rule, which may not be linear then
        self.rules: dict[str, Rule] = {}
        self.joint: Rule | None = None
        self.may_fail: Callable[..., Any] | None = None
        self.differentiable: bool | None = None  # None: no gradient is registered
        self.plans: dict[tuple[int, ...], Plan | None] = {}
        self._clear_plans()
        self.run = self.bind(np)
        self._in_rules: Callable[..., Any] | None = None
        self._writer: Writer = None, None, False
        self._special: Any = None, None
        self.fast_calls: list[Callable[[Callable[..., Any]], None]] = []  # they have `run` at hand
        self.__doc__ = kernel.__doc__
        registry.add(self)

    def __repr__(self) -> str:
        return f"<op {self.name}({', '.join((*self.inputs, *self.attrs))})>"

    def bind(self, xp: ArrayModule) -> Callable[..., Array]:
        """The kernel on the arrays of one array module."""
        return partial(self.kernel, xp)

    def replace(self, run: Callable[..., Any], in_rules: Callable[..., Any] | None = None) -> None:
        """Let another function compute the op, from now on and everywhere.

        ``in_rules`` is what rules call that run on bare arrays, if that is to be another one.
        """
        self.run = run
        self._in_rules = in_rules
        for follow in self.fast_calls:
            follow(run)
        self.forget_plans()

    @property
    def bare(self) -> Callable[..., Any]:
        """The function that computes the op in rules that run on bare arrays."""
        return self._in_rules or self.run

    @property
    def into(self) -> Callable[..., Any] | None:
        """The function that computes the op into an array ``out``, if there is one."""
        run, into, _ = self._writer
        return into if run is self.run else None

    @property
    def in_place(self) -> bool:
        """Whether that array may be one of the inputs."""
        return self.into is not None and self._writer[2]

    # -- declaring -----------------------------------------------------------------------------

    def writes(self, into: Callable[..., Any], in_place: bool = False) -> Op:
        """Give what writes into ``out``, of the result's shape and dtype, what ``run`` returns.

        That is to be in memory of its own, in the inputs' order. A function other than a ufunc is
        written for one dtype, float32 or float64. ``in_place`` says that ``out`` may well be an
        input.
        """
        self._writer = self.run, into, in_place
        return self

    def specialized(self, choose: Callable[..., tuple[Any, ...] | None]) -> None:
        """Give a function of an input's dtype and shape and of the attributes, for recordings.

        It returns a function that does what ``run`` does with such an input, and what that takes
        by position after the input; or None.
        """
        self._special = self.run, choose

    def special(self, dtype: object, shape: Shape, attrs: dict[str, Any]) -> tuple[Any, ...] | None:
        """The function for an input of this dtype and shape, and what it takes by position."""
        run, choose = self._special
        return choose(dtype, shape, **attrs) if run is self.run else None

    def grads(self, **rules: Rule) -> Op:
        """Give the gradient by a rule for each input; an input without a rule has none."""
        for name, rule in rules.items():
            if name not in self.inputs:
                raise TypeError(f"{self} has no input {name!r}")
            self._check_parameters(rule, skip=1)
        self.rules, self.differentiable = rules, True
        return self

    def pullback(self, rule: Rule) -> Rule:
        """Give the gradients of all inputs by one rule, for work that they share.

        It takes ``g``, then ``wanted`` (a bool for each input), then what it names, and returns a
        gradient or None for each input. An op with several results gets a tuple as ``g``.
        """
        self._check_parameters(rule, skip=2)
        self.joint, self.differentiable = rule, True
        return rule

    def fails_if(self, suspicion: Callable[..., Any]) -> None:
        """Give a function of ``xp``, the result, the inputs and the attributes that is true
        wherever the kernel raises on NumPy because of the values.

        Compiled code cannot raise. Where this is true, NumPy runs again what was computed.
        """
        self.may_fail = suspicion

    def no_grad(self) -> Op:
        """Declare that the op has no gradient: what goes through it is constant."""
        self.differentiable = False
        return self

    def _check_parameters(self, rule: Rule, skip: int) -> None:
        known = {"out", "out_shape", "out_dtype", *self.attrs}
        for name in self.inputs:
            known |= {name, f"{name}_shape", f"{name}_dtype"}
        code = rule.__code__
        unknown = set(code.co_varnames[skip : code.co_argcount]) - known
        if code.co_varnames[0] != "g" or unknown:
            raise TypeError(f"a rule of {self} takes g first, and does not know {unknown or ''}")

    def forget_plans(self) -> None:
        """Make the plans anew when they are next needed, because a rule has changed."""
        Op.begin_epoch()
        self._clear_plans()

    def _clear_plans(self) -> None:
        self.plans.clear()
        # the plans that the fast calls of elementwise ops use, ready to hand
        self.first: Any = None
        self.second: Any = None
        self.both: Any = None

    @staticmethod
    def begin_epoch() -> None:
        """Let no recording that was made before be replayed."""
        Op.epoch += 1

    # -- calling -------------------------------------------------------------------------------

    # Rules call ops, and are read as rules of tensors, so the result is typed as one. Several
    # results are typed as a tensor too, which can be taken apart like their tuple.
    def __call__(self, *inputs: Any, **attrs: Any) -> Tensor:
        arrays = [x._array if type(x) is Tensor else x for x in inputs]
        try:
            out = self.run(*arrays, **attrs)
        except Exception as error:
            out = self._again(error, arrays, attrs)
        on_tensors = False
        tracker: Tracker = None
        for x in inputs:
            if type(x) is Tensor:
                on_tensors = True
                recorder = x._recorder
                if recorder is not tracker and recorder is not None:
                    tracker = recorder if tracker is None else wider(tracker, recorder)
        if not on_tensors:
            return out  # type: ignore[no-any-return]  # bare arrays
        result = tuple([wrap(part) for part in out]) if type(out) is tuple else wrap(out)
        if tracker is not None:
            record_call(self, tracker, inputs, arrays, attrs, out, result)
        return result  # type: ignore[return-value]

    def _again(
        self, error: Exception, arrays: Sequence[Array], attrs: dict[str, Any]
    ) -> Array | tuple[Array, ...]:
        """Compute where the values are, or with NumPy's warnings off, or say why the kernel failed.

        Switching the warnings off takes longer than a scalar op. They are ignored by a filter, and
        switched off only if a program has turned them into errors.
        """
        if not isinstance(error, OpError):
            for array in arrays:
                if isinstance(array, Spread):
                    return array.computed(self, arrays, attrs)
        if isinstance(error, (RuntimeWarning, FloatingPointError)):
            with np.errstate(all="ignore"):
                out: Array | tuple[Array, ...] = self.run(*arrays, **attrs)
            return out
        for observer in observers():
            observer.failed(self)
        if isinstance(error, MemoryError):
            raise ResourceExhaustedError(f"{error} [Op:{self.name}]") from None
        if isinstance(error, OverflowError):
            raise ValueError(
                "Can't convert Python sequence with out-of-range integer to Tensor: "
                f"{error} [Op:{self.name}]"
            ) from None
        if isinstance(error, REFUSALS) or "ufunc" in str(error):
            raise self.refusal(arrays, error) from None
        raise error

    def refusal(self, arrays: Sequence[Array], error: Exception) -> InvalidArgumentError:
        """The error to raise if the kernel cannot work with these arrays."""
        given = [a for a in arrays if hasattr(a, "dtype")]
        if self.broadcasts and "broadcast" in str(error):
            from .incompatible_shapes import incompatible  # which few programs need

            return InvalidArgumentError(incompatible(self.name, [a.shape for a in given]))
        text = ", ".join(describe(a) for a in given)
        return InvalidArgumentError(f"{error} [Op:{self.name}], given {text}")

    # -- recording -----------------------------------------------------------------------------

    def passes_gradients(self, tracked: Sequence[int]) -> bool:
        """Whether a gradient can flow to any of the inputs at these positions."""
        if self.differentiable is False:
            return False
        if self.variadic or self.joint is not None or not self.rules:
            return True
        return any([self.inputs[i] in self.rules for i in tracked])

    def rules_for(self, tracked: tuple[int, ...]) -> list[Rule]:
        """The rules that give the gradients of the inputs at these positions."""
        if self.differentiable is None:
            return [unregistered(self)] * len(tracked)
        if self.joint is not None:
            return [self.joint]
        if self.variadic:
            return list(self.rules.values())
        return [self.rules[self.inputs[i]] for i in tracked]

    def plan_for(self, tracked: list[int], arrays: Sequence[Array], out: Any) -> Plan | None:
        """The plan for these tracked inputs, in the variant that this very call needs.

        None if no gradient can flow, because none of the tracked inputs has a rule.
        """
        key = (*tracked, len(arrays)) if self.variadic else tuple(tracked)
        try:
            plan = self.plans[key]
        except KeyError:
            plan = self._new_plan(key, tracked, len(arrays))
        if plan is None:
            return None
        if self.broadcasts is not None:
            shape = out.shape
            for i in plan.tracked:
                if arrays[i].shape != shape:
                    return plan.variant(self.broadcasts)
        elif type(out) is tuple:
            return plan.variant(self.several)
        return plan

    def _new_plan(self, key: tuple[int, ...], tracked: list[int], count: int) -> Plan | None:
        if self.differentiable is False:
            tracked = []
        elif self.rules and not self.variadic:
            tracked = [i for i in tracked if self.inputs[i] in self.rules]
        plan = self.plans[key] = Plan(self, tuple(tracked), count) if tracked else None
        if key == (0,):
            self.first = plan
        elif key == (1,):
            self.second = plan
        elif key == (0, 1) and len(tracked) == 2:
            self.both = plan
        return plan


def originate(op: Op, *inputs: NumericLike, **attrs: object) -> Any:
    """Call an op that is not a pure function of its inputs: observers hear of it in any case."""
    result: Any = op(*inputs, **attrs)
    if not isinstance(op, Op):  # a kernel, in a rule that runs on arrays unrecorded
        return result
    if not any(type(x) is Tensor for x in inputs):
        result = tuple([wrap(part) for part in result]) if type(result) is tuple else wrap(result)
    notify_observers(op, inputs, attrs, result)
    return result


def describe(array: Array) -> str:
    """An array in an error: ``float32[2,3]``."""
    return f"{of(array.dtype).name}{written(array.shape)}"


def unregistered(op: Op) -> Rule:
    """The rule of an op without a registered gradient: it raises LookupError."""

    def rule(g: object) -> NoReturn:
        raise LookupError(
            f"gradient registry has no entry for: {op.name}. Give it one with "
            f"@tf.RegisterGradient({op.name!r}), write the function with other ops, or put "
            "tf.stop_gradient around it."
        )

    return rule
