"""Ops that check, print, measure time or do nothing, and that choose what runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import cinta as tf

from ..ops.checks.printing import summary
from .strings import only

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor


def _print(input: Tensor, data: list[Tensor], message: str, first_n: int, summarize: int) -> Tensor:
    shown = "".join([f"[{summary(each, summarize).strip('[]')}]" for each in data])
    tf.print(f"{message}{shown}")
    return tf.identity(input)


def _print_text(input: Tensor, stream: str, end: str) -> None:
    known = {"stderr": sys.stderr, "stdout": sys.stdout}
    told = known.get(stream.split(".")[-1].split("::")[-1], stream)
    tf.print(only(input).decode(errors="replace"), output_stream=told, end=end)


def _truth(input: Tensor) -> Tensor:
    """Whether a scalar is not zero or not empty, or another tensor has elements."""
    if len(input.shape):
        return tf.size(input) > 0
    return tf.not_equal(input, tf.zeros_like(input))


def _listed(result: object) -> list[Tensor]:
    """A function's return value as the results of an op."""
    if result is None:
        return []
    return list(tf.nest.flatten(result))


def _if(
    condition: Tensor,
    input: list[Tensor],
    _: object,
    yes: Callable[..., object],
    no: Callable[..., object],
    *shapes: object,
) -> list[Tensor]:
    chosen = _truth(condition)
    return tf.cond(chosen, lambda: _listed(yes(*input)), lambda: _listed(no(*input)))


def _case(
    index: Tensor,
    input: list[Tensor],
    _: object,
    branches: Sequence[Callable[..., object]],
    *shapes: object,
) -> list[Tensor]:
    choices = [lambda each=each: _listed(each(*input)) for each in branches]
    return tf.switch_case(index, choices)


def _while(
    input: list[Tensor],
    condition: Callable[..., object],
    body: Callable[..., object],
    *shapes: object,
) -> Sequence[Tensor]:
    held = {place: value for place, value in enumerate(input) if isinstance(value, tf.Variable)}
    moving = [place for place in range(len(input)) if place not in held]

    def whole(state: Sequence[Tensor]) -> list[Any]:
        """All values, variables among them."""
        return [*({**held, **dict(zip(moving, state, strict=True))}[k] for k in range(len(input)))]

    def turned(*state: Tensor) -> list[Tensor]:
        found = _listed(body(*whole(state)))
        return [found[place] for place in moving]

    def goes_on(*state: Tensor) -> Tensor:
        return _truth(_listed(condition(*whole(state)))[0])

    return whole(tf.while_loop(goes_on, turned, [input[place] for place in moving]))


def _for(
    start: Tensor, limit: Tensor, delta: Tensor, input: list[Tensor], body: Callable[..., object]
) -> list[Tensor]:
    _, *state = tf.while_loop(
        lambda i, *state: i < limit if int(delta) > 0 else i > limit,
        lambda i, *state: [i + delta, *_listed(body(i, *state))],
        [start, *input],
    )
    return state


def _call(
    input: list[Tensor], _: object, function: Callable[..., object], *settings: object
) -> list[Tensor]:
    return _listed(function(*input))


OPS: dict[str, Callable[..., Any]] = {
    "Assert": tf.debugging.Assert,
    "Case": _case,
    "CheckNumerics": tf.debugging.check_numerics,
    "CheckNumericsV2": tf.debugging.check_numerics,
    "ControlTrigger": tf.no_op,
    "For": _for,
    "If": _if,
    "NoOp": tf.no_op,
    "PartitionedCall": _call,
    "Print": _print,
    "PrintV2": _print_text,
    "StatefulPartitionedCall": _call,
    "StatelessCase": _case,
    "StatelessIf": _if,
    "StatelessWhile": _while,
    "Timestamp": tf.timestamp,
    "ToBool": _truth,
    "While": _while,
}
