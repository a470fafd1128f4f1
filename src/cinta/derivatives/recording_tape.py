"""The recording half of a tape: it starts and stops, watches, and says how its records are used."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NoReturn, Self

from .. import dtypes, nest
from ..engine import recorders
from ..engine.arrays import truth
from ..engine.recorders import Recorder
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..engine.warning import warn
from ..errors import InternalError
from .tape_arguments import as_tensor_first, is_single, must_be_floating, tracked_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from ..engine.annotations import Nest, Source

_claiming = threading.Lock()

_SHOWN = 8
"""How many variables a tape names when it is shown."""

_USED_UP = (
    "A non-persistent GradientTape can only be used to compute one set of gradients (or "
    "jacobians): its records were freed while they were used. Ask for all sources in one call, "
    "tape.gradient(y, [a, b]), or make the tape with persistent=True."
)
_NEVER_ENTERED = (
    "The tape was never entered, so there is nothing to differentiate: compute the target inside "
    "`with tape:`."
)


class RecordingTape:
    """A tape as a recorder with a life: entered, stopped, reset, used up."""

    _is_followed = False  # whether a function is recorded that has entered it

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = truth(persistent, "persistent")
        self._watch_accessed = truth(watch_accessed_variables, "watch_accessed_variables")
        self._recorder: Recorder | None = None
        self._recording = False
        self._broken: bool | None = None  # that is, before the first start
        self._variables: dict[int, Variable] = {}

    # -- recording ---------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._start():
            from ..engine.with_blocks import entered  # in functions

            self._is_followed = True
            entered(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._recording:
            self._stop()
        if self._is_followed:
            from ..engine.with_blocks import left

            self._is_followed = False
            left(self)

    def _start(self) -> bool:
        """Record from now on; whether others listen already."""
        if self._recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._recorder is None:
            self._recorder = Recorder(self._watch_accessed)
            self._broken = False
        are_others = recorders.start(self._recorder)
        self._recording = True
        return are_others

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        recorders.stop(self._live())
        self._recording = False

    def _live(self) -> Recorder:
        if self._recorder is None:
            raise RuntimeError(_NEVER_ENTERED if self._broken is None else _USED_UP)
        return self._recorder

    def __del__(self) -> None:
        recorder = getattr(self, "_recorder", None)
        if recorder is not None:
            recorder.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot pickle 'GradientTape' object: a recording belongs to its process")

    def __repr__(self) -> str:
        from ..languages.counted import counted

        facts = ["persistent"] if self._persistent else []
        recorder = self._recorder
        if recorder is None:
            facts.append("not entered yet" if self._broken is None else "used up")
        else:
            facts.append("recording" if self._recording else "not recording")
            facts.append(counted(len(recorder), "record"))
        names = [variable.name for variable in self.watched_variables()]
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            facts.append(f"watched {', '.join(names[:_SHOWN])}{more}")
        return f"<tf.GradientTape: {', '.join(facts)}>"

    def watch(self, tensor: Source | SparseTensor | Nest) -> None:
        """Record what is computed from this tensor or variable, or nest of them, from now on.

        A trainable variable needs no watch: it is watched when it is read. Values computed before
        the watch have no gradient by the tensor. Integers and strings are not watched.

        >>> import cinta as tf
        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.gradient(y, x).numpy()
        np.float32(6.0)

        Raises:
            ValueError: If ``tensor`` is neither a tensor nor a variable, such as a list of Python's
                numbers.
            AttributeError: If the tape does not record.
        """
        found = [tensor] if is_single(tensor) else _watched_in(tensor)
        leaves = [_watchable(leaf, tensor) for leaf in found]
        if self._recorder is None:
            raise AttributeError(
                "tape.watch needs a tape that is recording: call it inside `with tape:`, and "
                "before a non-persistent tape is asked for a gradient."
            )
        for leaf in leaves:
            if not dtypes.is_differentiable(leaf._array.dtype):
                warn(must_be_floating("watched", leaf, "tf.constant(3.0)", " before watching"))
            elif isinstance(leaf, Tensor):
                recorders.watch(leaf, self._recorder)
            if isinstance(leaf, Variable):
                self._recorder.watch_variable(leaf)
            for observer in recorders.observers():
                observer.tape_listener.watches(self._recorder, leaf)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that were read or watched, in the order in which they were made.

        >>> import cinta as tf
        >>> w, unused = tf.Variable(2.0, name="w"), tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = w * w
        >>> [variable.name for variable in tape.watched_variables()]
        ['w:0']
        """
        self._is_read()
        variables = self._variables if self._recorder is None else self._recorder.variables
        return tuple([variable for _, variable in sorted(variables.items())])

    def stop_recording(self) -> AbstractContextManager[None]:
        """Let this tape rest in the block; what is computed there is a constant for it.

        >>> import cinta as tf
        >>> x = tf.Variable(2.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         size = tf.abs(y)
        ...     loss = y / size
        >>> tape.gradient(loss, x).numpy()  # of 1/4 x²
        np.float32(1.0)

        Raises:
            RuntimeError: If the tape does not record.
        """
        from ..engine.with_blocks import FollowedBlock  # if it is used

        return FollowedBlock(self._resting(), self)

    @contextmanager
    def _resting(self) -> Iterator[None]:
        if self._recorder is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget all that was recorded and watched, and go on recording.

        >>> import cinta as tf
        >>> x = tf.Variable(2.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     tape.reset()
        ...     z = x * 3.0
        >>> tape.gradient(z, x).numpy()
        np.float32(3.0)
        """
        self._stop()
        self._live().close()
        self._recorder = None
        self._start()

    # -- records that are used -----------------------------------------------------------------

    def _is_read(self) -> None:
        """Tell recorders of functions that the program looks at what is on the tape."""
        for observer in recorders.observers():
            observer.tape_listener.is_read()

    def _prepare(self, *, for_gradient: bool = False) -> Recorder:
        """The recorder to differentiate, after the tape has been put into the state for it.

        A gradient is found by a sweep alone; whatever else is asked looks at the records.
        """
        if not for_gradient:
            self._is_read()
        if self._broken:
            raise InternalError(
                "Internal state of the gradient tape is invalid: a gradient function raised an "
                "error in the middle of the last gradient, when part of the records was used up. "
                "Make the tape with persistent=True to be able to try again."
            )
        recorder = self._live()
        if self._recording:
            if not self._persistent:
                self._stop()
            else:
                warn(
                    "A gradient was asked for inside the context of a persistent tape, so its "
                    "computation is recorded too, which takes time and memory. Do so only for "
                    "derivatives of higher order; else ask after the `with` block, or inside "
                    "`with tape.stop_recording():`."
                )
        return recorder

    def _use(self, recorder: Recorder) -> bool:
        """Get ready to use the records; answer whether they are to be kept."""
        if not self._persistent:
            with _claiming:  # of several threads that ask at once, one is answered
                if self._broken or self._recorder is not recorder:
                    raise RuntimeError(_USED_UP)
                self._broken = True
            self._variables = recorder.variables
        return self._persistent

    def _done(self, recorder: Recorder) -> None:
        """After the records were used: those of a tape that is not persistent are used up."""
        if not self._persistent:
            recorder.close()
            self._recorder, self._broken = None, False


def _watchable(leaf: object, given: object) -> Tensor | Variable:
    """A leaf of what is to be watched, which must be a tensor or a variable."""
    if isinstance(leaf, (Tensor, Variable)):
        return leaf
    raise ValueError(
        f"Passed in object {leaf} of type {type(leaf).__name__!r}, not tf.Tensor or tf.Variable or "
        "ExtensionType. Make a tensor first, watch that, and compute with it: "
        f"{as_tensor_first(given)}, tape.watch(x), y = x * x."
    )


def _watched_in(structure: object) -> Iterator[object]:
    for leaf in nest.flatten(structure):
        yield from [leaf.values] if isinstance(leaf, SparseTensor) else tracked_in(leaf)
