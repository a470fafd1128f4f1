"""A function of every element: map, filter, take_while, scan, unique."""

from __future__ import annotations

import sys
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .. import nest
from .composite_elements import ComposedArray, arrays_of
from .elements import OF_TENSORS, call, common, element_of, loaded, returned, saved, spec_of, zeros
from .randomness import undisturbed
from .stage import UNKNOWN, Flow, Stage, exactly

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Array
    from ..programs.specs import TypeSpec
    from .stage import Element, Run, Specs, State


class EachFlow(Flow):
    """A flow that looks at one element after the other: `handle` gives what becomes of it.

    An error waits until what came before it has been given away, so nothing is lost to it but the
    element that is at fault.
    """

    kept = ("index", "ended")

    def __init__(self, stage: Each) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage: Any = stage
        self.index, self.ended = 0, False  # the index is that of the next element that comes in
        self.waiting: list[Element] = []
        self.failed: Exception | None = None

    def handle(self, element: Element) -> list[Element]:
        """The elements that an element becomes: any number of them."""
        raise NotImplementedError

    def run(self, count: int) -> Run:
        if self.failed:
            failed, self.failed = self.failed, None
            raise failed
        done: list[Element] = []
        while not done and not self.ended:
            if not self.waiting:
                self.waiting = list(self.inputs[0].run(count))[::-1]
            if not self.waiting:
                break
            self._handle_waiting(done)
        return done

    def _handle_waiting(self, done: list[Element]) -> None:
        while self.waiting and not self.ended:
            element = self.waiting.pop()
            self.index += 1
            try:
                done += self.handle(element)
            except Exception as error:
                name_element(error, self.stage.name, self.index - 1)
                if not done:
                    raise
                self.failed = error
                break

    def state(self) -> State:
        return {**super().state(), "waiting": saved(self.waiting)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.waiting = loaded(self.stage.inputs[0].spec, state["waiting"])


def name_element(error: Exception, name: str, index: int) -> None:
    """Add to an error on which element a dataset's function raised it."""
    error.add_note(f"Raised by the function of Dataset.{name} on element {index}, counted from 0.")


class Each(Stage):
    """A stage with a function of every element."""

    name: ClassVar[str]
    flow_class: ClassVar[type[EachFlow]]

    def __init__(self, source: Stage, function: Any = None) -> None:
        super().__init__(source)
        self.function = function

    def flow(self) -> Flow:
        return self.flow_class(self)


_TRIED = 16
"""The elements that are tried for a spec, if the function fails for the first ones."""


class MapFlow(EachFlow):
    def handle(self, element: Element) -> list[Element]:
        return [self.stage.apply(element)]


class Map(Each):
    """The function of every element."""

    name = "map"
    flow_class: ClassVar[type[EachFlow]] = MapFlow

    def apply(self, element: Element) -> Element:
        """The function's result for an element."""
        return returned(call(self.function, element))

    @cached_property
    def made(self) -> Specs:
        """The spec of what the function makes of elements.

        The function tells by what it makes of the first two, and of the first one with all lengths
        that may vary doubled: what differs then may vary. Where it fails for one of them, the first
        two for which it does not tell.
        """
        source = self.inputs[0]
        spec = source.spec()
        with undisturbed(source):
            samples = list(exactly(source.flow(), 2)) or [zeros(spec)]
            try:
                return self._made_of(samples, spec)
            except Exception:
                good = [each for each in exactly(source.flow(), _TRIED) if self._takes(each)][:2]
                if not good:
                    raise
        return self._made_of(good, spec)

    def _made_of(self, samples: list[Element], spec: Specs) -> Specs:
        longer = nest.map_structure(_doubled, samples[0], spec)
        return reduce(common, [spec_of(self.apply(sample)) for sample in [*samples, longer]])

    def _takes(self, element: Element) -> bool:
        try:
            self.apply(element)
        except Exception:
            return False
        return True

    def spec(self) -> Specs:
        return self.made


def _doubled(leaf: Array | ComposedArray, spec: TypeSpec) -> Array | ComposedArray:
    """The array twice along each axis whose length is not known."""
    if not isinstance(spec, OF_TENSORS) or spec.shape.is_fully_defined():
        return leaf
    lengths = [None] * leaf.ndim if spec.shape.rank is None else spec.shape.as_list()
    times = [2 if n is None else 1 for n in lengths]
    return leaf.repeated(times) if isinstance(leaf, ComposedArray) else np.tile(leaf, times)


class FilterFlow(EachFlow):
    def handle(self, element: Element) -> list[Element]:
        return [element] if truth(self.stage, element) else []


class Filter(Each):
    """The elements of which the function is true."""

    name, flow_class = "filter", FilterFlow

    def cardinality(self) -> int:
        return UNKNOWN


class TakeWhileFlow(EachFlow):
    def handle(self, element: Element) -> list[Element]:
        self.ended = not truth(self.stage, element)
        return [] if self.ended else [element]


class TakeWhile(Each):
    """The elements up to the first one of which the function is false."""

    name, flow_class = "take_while", TakeWhileFlow

    def cardinality(self) -> int:
        return UNKNOWN


def truth(stage: Each, element: Element) -> bool:
    """Whether the function of the stage is true of an element."""
    answer = returned(call(stage.function, element))
    if not isinstance(answer, (np.ndarray, np.generic)) or answer.dtype != bool or answer.ndim:
        raise ValueError(
            "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its "
            f"return type is {spec_of(answer)}."
        )
    return bool(answer)


class ScanFlow(EachFlow):
    def __init__(self, stage: Scan) -> None:
        super().__init__(stage)
        self.carried = stage.initial

    def handle(self, element: Element) -> list[Element]:
        self.carried, given = self.stage.step(self.carried, element)
        return [given]

    def state(self) -> State:
        return {**super().state(), "carried": saved([self.carried])}

    def restore(self, state: State) -> None:
        super().restore(state)
        (self.carried,) = loaded(lambda: self.stage.initial, state["carried"])


class Scan(Map):
    """The results of a function of every element and of a state that is passed on."""

    name, flow_class = "scan", ScanFlow

    def __init__(self, source: Stage, initial: Element, function: Callable[..., Any]) -> None:
        super().__init__(source, function)
        self.initial = initial

    def step(self, carried: Element, element: Element) -> tuple[Element, Element]:
        """The next state, and the element that is given."""
        pair = call(self.function, carried, element)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                "Invalid `scan_func`. `scan_func` should return a pair consisting of new state and "
                f"the output value but it returned {pair!r}."
            )
        return carried_on(carried, pair[0], "scan_func"), returned(pair[1])

    def apply(self, element: Element) -> Element:
        return self.step(self.initial, element)[1]


def carried_on(old: Element, given: TensorLike | None, argument: str) -> Element:
    """The new state of a loop, as a function gave it: it must be like the old one."""
    is_tensor = isinstance(given, list) and isinstance(old, (np.ndarray, np.generic))
    new = element_of(given) if is_tensor else returned(given)
    try:
        nest.assert_same_structure(old, new)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"`{argument}` must return a state like the one it is given: {error}"
        ) from None
    for before, after in zip(nest.flatten(old), nest.flatten(new), strict=True):
        if getattr(before, "dtype", None) != getattr(after, "dtype", None):
            raise TypeError(
                f"The element types for the new state must match the initial state. Expected "
                f"{spec_of(old)}, but `{argument}` returned {spec_of(new)}. Cast the initial state "
                "or what the function returns: tf.cast(x, dtype)."
            )
    return new


class UniqueFlow(EachFlow):
    def __init__(self, stage: Unique) -> None:
        super().__init__(stage)
        self.seen: dict[Any, Element] = {}

    def handle(self, element: Element) -> list[Element]:
        key = tuple([_key(leaf) for leaf in nest.flatten(element)])
        if key in self.seen:
            return []
        self.seen[key] = element
        return [element]

    def state(self) -> State:
        return {**super().state(), "seen": saved(list(self.seen.values()))}

    def restore(self, state: State) -> None:
        super().restore(state)
        for element in loaded(self.stage.spec, state["seen"]):
            self.handle(element)


class Unique(Each):
    """The elements without those that are equal to an earlier one."""

    name, flow_class = "unique", UniqueFlow

    def cardinality(self) -> int:
        return UNKNOWN


def _key(leaf: Array) -> tuple[bytes | tuple[Any, ...], ...]:
    if not isinstance(leaf, (np.ndarray, np.generic)):
        return tuple([_key(array) for array in arrays_of(leaf)])
    return leaf.shape, tuple(leaf.flat) if leaf.dtype == object else leaf.tobytes()


class IgnoreErrors(Stage):
    """The elements that could be made."""

    def __init__(self, source: Stage, log: bool) -> None:
        super().__init__(source)
        self.log = log

    def flow(self) -> Flow:
        return IgnoreErrorsFlow(self.inputs[0].flow(), self.log)

    def cardinality(self) -> int:
        return UNKNOWN


class IgnoreErrorsFlow(Flow):
    def __init__(self, source: Flow, log: bool) -> None:
        super().__init__(source)
        self.log = log

    def run(self, count: int) -> Run:
        while True:
            try:
                return self.inputs[0].run(count)
            except Exception as error:
                if self.log:
                    print(f"Error raised with error message {error}", file=sys.stderr)
