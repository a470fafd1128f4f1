"""Explanations switched on and off, and what is known while they are on."""

from __future__ import annotations

import atexit
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.transactions import leaving_no_trace
from ..ops.random.state import seeds
from ..public import public
from .explanation import Explanation, Explanations
from .findings import Findings
from .observer import observing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

    from ..derivatives.tape import GradientTape
    from .ledger import Ledger
    from .lines import Line
    from .tape_history import TapeHistory

_enabled = ExitStack()
atexit.register(_enabled.close)  # some things are known only at the end
_findings: Findings | None = None  # of explanations that are on
_ledger: Ledger | None = None  # with what happened since they began
_histories: MutableMapping[GradientTape, TapeHistory] = {}  # of tapes; those of the last time stay


@public("debugging.explaining")
@contextmanager
def explaining() -> Iterator[Explanations]:
    """Explain what comes out in the block as None, zero or not finite, and where that began.

    >>> import cinta as tf
    >>> w = tf.Variable(2.0)
    >>> with tf.debugging.explaining() as found:
    ...     with tf.GradientTape() as tape:
    ...         y = tf.stop_gradient(w) * 3.0
    ...     gradient = tape.gradient(y, w)
    >>> found[0].kind, found[0].cause, found[0].line.source
    ('none', 'stop-gradient', 'y = tf.stop_gradient(w) * 3.0')
    """
    # The outer block is told of everything, and this one of its part.
    if _findings is not None and _ledger is not None:
        before, since = [each.count for each in _findings.found], _ledger.count
        part = Explanations()
        try:
            yield part
        finally:
            _findings.saw_end(_ledger, since)
            before += [0] * (len(_findings.found) - len(before))
            counted = zip(_findings.found, before, strict=True)
            part.extend(each for each, count in counted if each.count > count)
        return
    with _switched_on(Findings()) as findings:
        yield findings.found


@contextmanager
def _switched_on(findings: Findings) -> Iterator[Findings]:
    global _findings, _ledger, _histories
    with observing(findings) as ledger:
        _findings, _ledger, _histories = findings, ledger, findings.histories
        try:
            yield findings
        finally:
            findings.saw_end(ledger)
            _findings = _ledger = None


def history_of(tape: GradientTape) -> TapeHistory | None:
    """The history of a tape, if explanations are on, or no others began since it recorded."""
    return _histories.get(tape)


def line_of_layer(variable: object) -> Line | None:
    """The line that made the layer of a variable, if explanations were on."""
    return None if _findings is None else _findings.layers.line_of(variable)


def is_explaining() -> bool:
    """Whether explanations are on."""
    return _findings is not None


def current_ledger() -> Ledger | None:
    """The ledger, if explanations are on."""
    return _ledger


@public("debugging.enable_explanations")
def enable_explanations() -> None:
    """Explain from now on, on stderr, what comes out as None, zero or not finite.

    ``CINTA_EXPLAIN=1`` in the environment does the same for a whole program.

    >>> import cinta as tf
    >>> tf.debugging.enable_explanations()
    >>> tf.debugging.disable_explanations()
    """
    if _findings is None:
        _enabled.enter_context(_switched_on(Findings(_print)))


@public("debugging.disable_explanations")
def disable_explanations() -> None:
    """Undo ``enable_explanations``.

    >>> import cinta as tf
    >>> tf.debugging.disable_explanations()
    """
    _enabled.close()


def _print(found: Explanation) -> None:
    print(f"\n{found}\n", file=sys.stderr)


@public("debugging.explain")
def explain(f: Callable[..., Any], *args: object, **kwargs: object) -> Explanations:
    """Call a function once, and explain what came out as None, zero or not finite.

    Variables and the random state are as before afterwards.

    >>> import cinta as tf
    >>> w = tf.Variable(0.0)
    >>> def step():
    ...     with tf.GradientTape() as tape:
    ...         loss = tf.sqrt(w)
    ...     w.assign_sub(tape.gradient(loss, w))
    >>> print(tf.debugging.explain(step)[0].cause, w.numpy())
    sqrt-at-zero 0.0

    Args:
        f: The function; the other arguments are its own.

    Raises:
        TypeError: If it is not a function, as if it was called already.
    """
    if not callable(f):
        raise TypeError(
            "tf.debugging.explain takes a function and its arguments, and calls it: write "
            f"tf.debugging.explain(step, x), not tf.debugging.explain(step(x)). Got {f!r}."
        )
    before = seeds.snapshot()

    def explained() -> Explanations:
        with explaining() as found:
            f(*args, **kwargs)
        return found

    try:
        return leaving_no_trace(explained)
    finally:
        seeds.rewind(before)
