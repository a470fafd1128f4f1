"""Steps as one function that XLA compiles, through the ops' own kernels on ``jax.numpy``."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np

from ...engine import settings
from ...engine.device_values import is_on_device
from ..loops.loop_ops import Branch, Loop, While
from ..recording import PASSED_ON, Constant, Guard, Recording, may_fail, same_array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jax.sharding import NamedSharding

    from ...engine.op import Op
    from ..recording import Ref, Spec, Step
    from .packing import Packing

_LARGE = 1024
"""Constants of more elements are handed over, and not written into the program."""


class Unsuited(Exception):
    """A kernel cannot be run on what XLA knows of its inputs: their dtypes and shapes."""

    def __init__(self, op: Op) -> None:
        super().__init__(op)
        self.op = op


@contextmanager
def our_rules() -> Iterator[None]:
    """JAX with 64 bits and its own rules of promotion, whatever the user has set for himself."""
    with ExitStack() as stack:
        stack.enter_context(jax.enable_x64(True))
        stack.enter_context(jax.numpy_dtype_promotion("standard"))
        stack.enter_context(jax.numpy_rank_promotion("allow"))
        if not settings.tensor_float_32:
            stack.enter_context(jax.default_matmul_precision("highest"))
        yield


class DeviceLayout(Protocol):
    """The devices of a program, and how values lie on them."""

    whole: NamedSharding
    """For what every device has."""

    def shape(self, n: int, spec: Spec) -> jax.ShapeDtypeStruct:
        """A value as the program takes it."""

    def for_all(
        self,
        run: Callable[..., list[Any]],
        takes: Sequence[int],
        constants: int,
        gives: Sequence[int],
        may_fail: bool,
    ) -> Callable[..., list[Any]]:
        """The function for all devices."""


class Lowered:
    """Some steps as an executable of the values that they take.

    ``executed`` calls it, and ``waits`` says that it waits for results. ``may_fail`` says that its
    last result tells whether an op would have raised on NumPy. The values that are ``packed``
    travel together, and need not be sent before.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        takes: Sequence[int],
        gives: Sequence[int],
        specs: dict[int, Spec],
        layout: DeviceLayout | None = None,
        packing: Packing | None = None,
    ) -> None:
        self._packing = packing
        self.packed: frozenset[int] = frozenset() if packing is None else packing.taken
        self.waits = packing is not None
        self.may_fail = may_fail(steps)
        self._is_wide = any(specs[n].dtype.itemsize >= 8 for n in takes)
        large = _large_constants(steps)
        uniform = {key: value for key, value in large.items() if _is_uniform(value)}
        large = {key: value for key, value in large.items() if key not in uniform}
        with our_rules():
            self._constants = [
                jax.device_put(value, layout and layout.whole) for value in large.values()
            ]

        def run(*given: Any) -> list[Any]:
            values: dict[Any, Any] = dict(zip((*takes, *large), given, strict=True))
            for key, value in uniform.items():
                values[key] = jnp.full(value.shape, value.flat[0])
            suspicions: list[Any] = []
            self._play(steps, values, specs, suspicions)
            found = [values[n] for n in gives]
            return [*found, jnp.stack(suspicions).any()] if suspicions else found

        shape_of: Any = jax.ShapeDtypeStruct  # JAX leaves it untyped
        shapes = [shape_of(specs[n].shape, specs[n].dtype) for n in takes]
        program: Callable[..., list[Any]] = run
        if layout is not None:
            shapes = [layout.shape(n, specs[n]) for n in takes]
            program = layout.for_all(run, takes, len(self._constants), gives, self.may_fail)
        if packing is not None:
            shapes = packing.specs(dict(zip(takes, shapes, strict=True)))
            program = packing.inside(program)
        with our_rules():
            self._lowered: Any = jax.jit(program).lower(*shapes, *self._constants)

    def _play(
        self,
        steps: Sequence[Step],
        values: dict[Any, Any],
        specs: dict[int, Spec],
        suspicions: list[Any],
    ) -> None:
        """Add what the steps compute to the values."""
        for step in steps:
            values.update(computed(step, values, specs, suspicions))

    def compile(self) -> None:
        """Make it ready to be called."""
        with our_rules():
            compiled: Any = self._lowered.compile()
        del self._lowered
        self.text: Callable[[], str] = compiled.as_text
        code = compiled.memory_analysis().generated_code_size_in_bytes
        self.bytes_kept = code + sum([x.nbytes for x in self._constants])
        constants = self._constants
        execute: Callable[..., list[Any]] = (
            (lambda *given: compiled(*given, *constants)) if constants else compiled
        )
        if self._is_wide:
            execute = _with_wide_elements(execute)
        self.executed = execute if self._packing is None else self._packing.around(execute)


def _with_wide_elements(execute: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """A function that may get elements of 64 bits from NumPy, of which JAX has to be told."""

    def executed(*given: object) -> list[Any]:
        if all(map(is_on_device, given)):
            return execute(*given)
        with jax.enable_x64(True):
            return execute(*given)

    return executed


def played(steps: Sequence[Step], values: dict[Any, Any], specs: dict[int, Spec]) -> dict[Any, Any]:
    """These values and those that the steps compute of them; no step looks out for failures."""
    for step in steps:
        values.update(computed(step, values, specs, []))
    return values


def _large_constants(steps: Sequence[Step]) -> dict[Any, Any]:
    """The large constants in the steps, each once."""
    found: dict[Any, Any] = {}
    for step in steps:
        for ref in step.inputs:
            if isinstance(ref, Constant) and getattr(ref.value, "size", 0) > _LARGE:
                found[_key(ref)] = ref.value
    return found


def _is_uniform(array: Any) -> bool:
    """Whether all elements are the same, as in the gradient of a sum."""
    return same_array(array, np.broadcast_to(array.flat[0], array.shape))


def _key(ref: Ref) -> Any:
    """The name of a value while steps are lowered."""
    return ref if isinstance(ref, int) else ("constant", id(ref.value))


def given_to(step: Step, values: dict[Any, Any]) -> list[Any]:
    """The values that a step takes."""
    return [
        values[_key(ref)] if isinstance(ref, int) or _key(ref) in values else ref.value
        for ref in step.inputs
    ]


def computed(
    step: Step, values: dict[Any, Any], specs: dict[int, Spec], suspicions: list[Any]
) -> dict[int, Any]:
    """The results of a step, with exactly the dtypes and shapes that were recorded.

    Whether NumPy might raise an error here is added to the suspicions.
    """
    given = given_to(step, values)
    if step.op is Loop:
        return _looped(step, given, specs, suspicions)
    if step.op is While:
        return _while(step, given, specs, suspicions)
    if step.op is Branch:
        return _branched(step, given, specs, suspicions)
    try:
        out = _applied(step, given)
        if step.op.may_fail is not None:
            suspicions.append(step.op.may_fail(jnp, out, *given, **step.attrs))
    except Exception as error:
        raise Unsuited(step.op) from error
    parts = out if step.several else (out,)
    return {n: fitted(step, x, specs[n]) for n, x in zip(step.outputs, parts, strict=True)}


def _looped(
    step: Step, given: Sequence[Any], specs: dict[int, Spec], suspicions: list[Any]
) -> dict[int, Any]:
    """The results of a ``Loop``, by one compiled body."""
    body, carried, sliced, last = [step.attrs[k] for k in ("body", "carried", "sliced", "last")]
    single = carried + last

    def turn(state: Any, row: Any) -> Any:
        held, failed = state
        results, fails = body_results(body, (*held[:carried], *row, *given[carried + sliced :]))
        return (results[:single], failed | fails), results[single:]

    begin = _begin(step, given[:carried], specs)
    begin += [jnp.zeros(specs[n].shape, specs[n].dtype) for n in step.outputs[carried:single]]
    rows = [jnp.asarray(x) for x in given[carried : carried + sliced]]
    (state, failed), stacks = jax.lax.scan(
        turn, (begin, jnp.asarray(False)), rows, step.attrs["turns"]
    )
    if may_fail(body.calls):
        suspicions.append(failed)
    return dict(zip(step.outputs, (*state, *stacks), strict=True))


def _while(
    step: Step, given: Sequence[Any], specs: dict[int, Spec], suspicions: list[Any]
) -> dict[int, Any]:
    """The results of a ``While``, by one compiled body."""
    body, carried = step.attrs["body"], step.attrs["carried"]
    watched, found = step.attrs["watched"], step.attrs["found"]

    def goes_on(state: Any) -> Any:
        held, _, left, _ = state
        return (_truth(held[watched]) == found) & (left == 0)

    def turn(state: Any) -> Any:
        held, turns, _, failed = state
        results, left, fails = _results_or_exit(body, (*held, *given[carried:]), held)
        return results, jnp.where(left == 0, turns + 1, turns), left, failed | fails

    zero = jnp.asarray(0, jnp.int64)
    begin = _begin(step, given[:carried], specs), zero, zero, jnp.asarray(False)
    state, turns, left, failed = jax.lax.while_loop(goes_on, turn, begin)
    if may_fail(body.calls):
        suspicions.append(failed)
    return dict(zip(step.outputs, (*state, turns, left), strict=False))


def _branched(
    step: Step, given: Sequence[Any], specs: dict[int, Spec], suspicions: list[Any]
) -> dict[int, Any]:
    """The results of a ``Branch``, whose sides are both compiled."""
    sides = step.attrs["then"], step.attrs["otherwise"]

    def side(body: Recording) -> Callable[..., Any]:
        def run(*values: object) -> Any:
            pairs = [*zip(step.outputs, body.results, strict=False)]
            nothing = [jnp.zeros(specs[n].shape, specs[n].dtype) for n, _ in pairs]
            return _results_or_exit(body, values, nothing)

        return run

    values = [jnp.asarray(x) for x in given[1:]]
    truth = _truth(jnp.asarray(given[0]))
    found, left, failed = jax.lax.cond(truth, *map(side, sides), *values)
    if any([may_fail(body.calls) for body in sides]):
        suspicions.append(failed)
    return dict(zip(step.outputs, (*found, left), strict=False))


def _truth(value: Any) -> Any:
    """The truth of a value, as Python's ``if`` would see it."""
    return value.reshape(-1)[0].astype(bool) if value.size else jnp.asarray(False)


def _begin(step: Step, given: Sequence[Any], specs: dict[int, Spec]) -> list[Any]:
    """The values that are carried into the first turn."""
    return [jnp.asarray(x, specs[n].dtype) for n, x in zip(step.outputs, given, strict=False)]


def _results_or_exit(
    body: Recording, given: Sequence[Any], nothing: Sequence[Any]
) -> tuple[list[Any], Any, Any]:
    """The results of a body, the number of the exit by which it was left, and whether NumPy might
    raise an error in it. If it was left, the results are ``nothing``."""
    dtypes = [each.dtype for each in nothing]

    def run(values: dict[Any, Any], first: int) -> tuple[list[Any], Any, Any]:
        doubts = [jnp.asarray(False)]
        for position, step in enumerate(body.steps[first:], first):
            if isinstance(step, Guard):
                number = values[step.value] if step.exit == PASSED_ON else step.exit
                exit = jnp.asarray(number, jnp.int64).reshape(())
                found, left, fails = jax.lax.cond(
                    _truth(jnp.asarray(values[step.value])) == step.found,
                    partial(run, dict(values), position + 1),
                    partial(_left, [*nothing], exit),
                )
                return found, left, jnp.stack([*doubts, fails]).any()
            values.update(computed(step, values, body.specs, doubts))
        results = [values[ref] if isinstance(ref, int) else ref.value for ref in body.results]
        found = [jnp.asarray(x, dtype) for x, dtype in zip(results, dtypes, strict=True)]
        return found, jnp.asarray(0, jnp.int64), jnp.stack(doubts).any()

    return run(dict(zip(body.inputs, given, strict=True)), 0)


def _left(nothing: list[Any], exit: Any) -> tuple[list[Any], Any, Any]:
    return nothing, exit, jnp.asarray(False)


def body_results(body: Recording, given: Sequence[Any]) -> tuple[list[Any], Any]:
    """The results of a body, and whether NumPy might raise an error in it."""
    values: dict[Any, Any] = dict(zip(body.inputs, given, strict=True))
    doubts: list[Any] = []
    for step in body.calls:
        values.update(computed(step, values, body.specs, doubts))
    results = [values[ref] if isinstance(ref, int) else ref.value for ref in body.results]
    return results, jnp.stack(doubts).any() if doubts else jnp.asarray(False)


def _applied(step: Step, given: Sequence[Any]) -> Any:
    kernel = step.op.bind(jnp)
    try:
        return kernel(*given, **step.attrs)
    except Exception:  # some want constants as they are, some as arrays of JAX
        return kernel(*[_as_jax(x) for x in given], **step.attrs)


def _as_jax(value: object) -> object:
    return jnp.asarray(value) if isinstance(value, np.ndarray) else value


def fitted(step: Step, array: Any, spec: Spec) -> object:
    """The array as it was recorded: NumPy and JAX promote differently now and then."""
    if jnp.shape(array) != spec.shape or jnp.result_type(array).kind != spec.dtype.kind:
        raise Unsuited(step.op)
    return jnp.asarray(array, spec.dtype)
