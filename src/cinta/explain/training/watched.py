"""Watching a training: norms of values and gradients at each step, and what they tell."""

from __future__ import annotations

import math
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ... import nest
from ...checkpoints.collecting import walk
from ...derivatives.tape import GradientTape
from ...engine.convert import as_tensor
from ...engine.op import Op, originate
from ...engine.recorders import observers
from ...engine.tensor import Tensor
from ...engine.variable import Variable, behind
from ...files.system_errors import translated
from ...io.files import local_path
from ...public import public
from ...user_frames import here, user_frame
from ..enable import line_of_layer
from ..lines import line_at
from ..patching import patched
from ..program_names import name_of
from ..texts import watched_text
from .curves import BinCounts, Curve, rms
from .sentences import sentences_of
from .training_picture import svg_of
from .watch_step import WatchStep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from types import FrameType, TracebackType

    from ...engine.tensor import Array
    from ..lines import Line

_UNNAMED = "Variable"
"""The name of variables that were given none."""


class Course:
    """The course of a variable: norms at each step, and the units that no gradient reached."""

    def __init__(self, name: str, variable: Variable) -> None:
        self.name, self.variable = name, variable
        self.values, self.gradients = Curve(), Curve()
        self.gradient: BinCounts | None = None
        self.silent: Array | None = None  # for each unit, the steps since it had a gradient
        self.made: Line | None = line_of_layer(variable)

    @property
    def value(self) -> BinCounts:
        """The spread of the present value."""
        return BinCounts.of(self.variable._array)

    def step(self, value: Array, gradient: Array | None) -> None:
        """Note the value and a gradient, which may be None."""
        self.values.add(rms(value))
        if gradient is None:
            self.gradients.add(0.0)
            return
        self.gradients.add(rms(gradient))
        self.gradient = BinCounts.of(gradient)
        if gradient.ndim >= 2 and gradient.shape == value.shape:
            reached = gradient.any(axis=tuple(range(gradient.ndim - 1)))
            before = 0 if self.silent is None else self.silent
            self.silent = np.where(reached, 0, before + 1)


@public("debugging.Watched")
class Watched:
    """The course of a training run: a picture in notebooks, words when it is printed.

    >>> import cinta as tf, os, tempfile
    >>> w = tf.Variable([3.0, 4.0])
    >>> watched = tf.debugging.watch(w).start()  # as `with tf.debugging.watch(w) as watched`
    >>> for _ in range(3):
    ...     with tf.GradientTape() as tape:
    ...         loss = tf.reduce_sum(w**2)
    ...     _ = w.assign_sub(0.1 * tape.gradient(loss, w))
    >>> watched.stop()
    >>> watched.steps, round(watched.loss.points[0], 2)
    (3, 25.0)
    >>> watched.save(os.path.join(tempfile.mkdtemp(), "training.svg"))

    Args:
        target: A model, a module, or variables in a nest.
        frame: The function whose names variables are called by.
    """

    def __init__(self, target: object, frame: FrameType | None = None) -> None:
        self.courses: list[Course] = []
        self.loss = Curve()
        self.line: Line | None = None
        self.first_bad: tuple[int, str] | None = None
        """The first step at which something was not finite, and what."""
        self._target, self._frame = target, frame
        self._by_number: dict[int, Course] = {}
        self._is_on = False
        self._undo = ExitStack()
        self._meet()
        self._frame = None  # it would keep all that its names lead to

    def _meet(self) -> None:
        """Take in the variables that there are by now: layers of Keras make theirs when called."""
        for given in _variables(self._target):
            variable = behind(given)
            if variable._number not in self._by_number:
                course = Course(_name(given, self._target, self._frame), variable)
                self._by_number[variable._number] = course
                self.courses.append(course)

    # -- collecting ----------------------------------------------------------------------------

    def start(self) -> Self:
        """Begin to watch: functions are recorded anew, so that their replays tell of steps too."""
        if not self._is_on:
            self._is_on = True
            self._undo.enter_context(patched([(GradientTape, "gradient", self._watching)]))
            self._undo.callback(Op.begin_epoch)
            Op.begin_epoch()
        return self

    def stop(self) -> None:
        """Watch no longer; all that was collected stays."""
        self._is_on = False
        self._undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _watching(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def gradient(
            tape: GradientTape, target: object, sources: object, *args: object, **kwargs: object
        ) -> Any:
            result = ask(tape, target, sources, *args, **kwargs)
            self._meet()
            self._tell(target, nest.flatten(sources), nest.flatten(result))
            return result

        return gradient

    def _tell(self, target: object, sources: Sequence[Any], gradients: Sequence[Any]) -> None:
        """Note a step now, and in a function that is recorded in each of its replays."""
        numbers = [getattr(behind(source), "_number", -1) for source in sources]
        pairs = zip([self._by_number.get(number) for number in numbers], gradients, strict=False)
        found = [(course, g) for course, g in pairs if course is not None]
        if not found:
            return
        self.line = line_at(here(3))
        losses = [x for x in map(behind, nest.flatten(target)) if isinstance(x, (Tensor, Variable))]
        met = [(course, g is not None) for course, g in found]
        values = [*losses, *[course.variable for course, _ in found]]
        values += [getattr(g, "values", g) for _, g in found if g is not None]
        told = partial(self._step, len(losses), met)
        if observers():
            originate(WatchStep, *map(as_tensor, values), told=told)
        else:
            told(*[x._array for x in values])

    def _step(self, losses: int, met: Sequence[tuple[Course, bool]], *arrays: Array) -> None:
        """Note a step: its losses, then the values of variables, then their gradients."""
        self.loss.add(float(sum(np.sum(x, dtype=np.float64) for x in arrays[:losses])))
        values, gradients = arrays[losses:][: len(met)], iter(arrays[losses + len(met) :])
        for (course, has_gradient), value in zip(met, values, strict=True):
            course.step(value, next(gradients) if has_gradient else None)
        if self.first_bad is None and (bad := self._what_is_bad()):
            self.first_bad = self.steps, bad

    def _what_is_bad(self) -> str:
        """The first thing that is not finite at this step: a value, the loss, or a gradient."""
        for course in self.courses:
            if course.values.steps and not math.isfinite(course.values.last):
                return course.name
        if not math.isfinite(self.loss.last):
            return watched_text("legend-loss")
        for course in self.courses:
            if course.gradients.steps and not math.isfinite(course.gradients.last):
                return watched_text("gradient-of", name=course.name)
        return ""

    # -- telling -------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """How many steps were seen: how often gradients by these variables were asked for."""
        return self.loss.steps

    @property
    def findings(self) -> list[str]:
        """Sentences about dead units, gradients that vanish or explode, and a constant loss."""
        return sentences_of(self)

    def __str__(self) -> str:
        return "\n".join(self.findings or [watched_text("nothing", steps=str(self.steps))])

    def __repr__(self) -> str:
        return f"<Watched {len(self.courses)} variables over {self.steps} steps>"

    def _repr_html_(self) -> str:
        return svg_of(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the curves and histograms as an SVG file.

        Args:
            path: The name of the file.

        Raises:
            OpError: If it cannot be written.
        """
        place = local_path(path, "path")
        with translated(place), open(place, "w", encoding="utf-8") as file:
            file.write(svg_of(self))


@public("debugging.watch")
def watch(model_or_variables: object) -> Watched:
    """Watch how a model trains: its loss, and norms of its variables and of their gradients.

    Each call of ``tape.gradient`` for one of the variables is a step, in loops of your own and in
    Keras's ``fit``. A notebook shows curves and histograms; ``save`` writes them as SVG; printed,
    the result says which units are dead, which gradients vanish or explode, and whether the loss
    is constant or not finite. Memory does not grow with the steps. Functions are recorded again and
    replayed. ``stop`` ends it, as does the end of a ``with`` block.

    >>> import cinta as tf
    >>> w = tf.Variable([1.0, 2.0])
    >>> watched = tf.debugging.watch(w)
    >>> for _ in range(20):
    ...     with tf.GradientTape() as tape:
    ...         loss = tf.reduce_sum(tf.stop_gradient(w)) + 0.0 * tf.reduce_sum(w)
    ...     gradient = tape.gradient(loss, w)
    >>> watched.stop()
    >>> watched.findings[0].partition(" (")[0]
    'The loss has been 3 at each of 20 steps'

    Args:
        model_or_variables: A model or module, or variables in any structure. The variables of a
            model of Keras may be created later.
    """
    return Watched(model_or_variables, user_frame(2)).start()


def _variables(target: object) -> list[Any]:
    """The trainable variables of a model, or the variables of a structure."""
    found = getattr(target, "trainable_variables", None)
    if found is None:
        found = [x for x in nest.flatten(target) if isinstance(behind(x), Variable)]
        if not found:
            raise TypeError(
                f"tf.debugging.watch takes a model, a module or variables, got {target!r}."
            )
    return list(found)


def _name(given: object, target: object, frame: FrameType | None) -> str:
    """A variable's name: Keras's path, that of the program, its own, or the way to it."""
    path = getattr(given, "path", None)
    if isinstance(path, str):
        return path
    variable = behind(given)
    own = variable.name.removesuffix(":0")
    called = name_of(variable, frame)
    if called != own or own != _UNNAMED:
        return called
    ways = (way for way, part, _ in walk(target) if behind(part) is variable)
    return ".".join((name_of(target, frame), *next(ways, (own,)))).lstrip(".")
