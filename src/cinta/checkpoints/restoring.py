"""Give objects the values that a checkpoint has for them, now or when they arrive."""

from __future__ import annotations

import weakref
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.deferred_attributes import Expecting, expect
from ..engine.device_values import Spread
from ..engine.tensor import wrap
from ..engine.variable import Variable
from ..errors import DataLossError, InvalidArgumentError, OpError
from .collecting import unpacked
from .deferred_containers import WaitingDict, WaitingList, is_plain, waiting
from .object_graph import VALUE
from .sharded_values import reader
from .trackable import children, is_container, is_proxy, is_stateful, is_trackable

if TYPE_CHECKING:
    from ..engine.annotations import TensorLike
    from .deferred_containers import Taker
    from .object_graph import Node, ObjectGraph
    from .value_sources import ValueSource


_LARGE = 64 << 20
"""Bytes of an array from which on reading a file twice is better than having two of them."""


class Restoration:
    """One reading of a checkpoint: which of its objects have found their counterparts."""

    def __init__(self, source: ValueSource, graph: ObjectGraph) -> None:
        self.source, self.graph = source, graph
        self.matched: dict[int, weakref.ref[Any]] = {}
        self.consumed: set[int] = set()

    def bind(self, number: int, thing: Any) -> None:
        """Restore the object from this node, and those that it is made of from the nodes below."""
        queue, seen = deque([(number, thing)]), set()
        while queue:
            number, thing = queue.popleft()
            if is_proxy(thing):
                thing = thing._checkpoint_variable(later=partial(self.bind, number))
            if thing is None or (number, id(thing)) in seen or not self._match(number, thing):
                continue
            seen.add((number, id(thing)))
            self._restore(number, thing)
            queue += self._descend(self.graph.nodes[number], thing)

    def _match(self, number: int, thing: TensorLike) -> bool:
        """Whether the node is for such an object, and for none that came before it."""
        if is_container(thing):
            return True
        if not _fits(self.graph.nodes[number], thing):
            return False
        first = self.matched.get(number, lambda: None)()
        if first is None:
            self.matched[number] = weakref.ref(thing)
        return first is None or first is thing

    def _restore(self, number: int, thing: object) -> None:
        node = self.graph.nodes[number]
        if isinstance(thing, Variable):
            self._assign(thing, node.values[VALUE])
            self.consumed.add(number)
        elif is_stateful(thing):
            self._set_state(thing, self._state(node))
            self.consumed.add(number)

    def _assign(self, variable: Variable, key: str) -> None:
        dtype, shape = self.source.spec(key)
        if dtype != variable._array.dtype:
            raise InvalidArgumentError(
                f"tensor_name = {key}; expected dtype {variable.dtype.kernel_name} does not equal "
                f"original dtype {dtypes.of(dtype).kernel_name}, in {self.source.path}"
            )
        if not variable.shape.is_compatible_with(shape):
            raise ValueError(
                f"Received incompatible tensor with shape {shape} when attempting to restore "
                f"variable with shape {variable.shape} and name {variable.name}: {key} in "
                f"{self.source.path}."
            )
        if _is_large(variable) and variable._array.shape == shape:
            variable._overwrite(lambda array: self.source.read_into(key, array))
            return
        spread = variable._array
        if isinstance(spread, Spread):
            variable._restore(wrap(spread.made_of(reader(self.source, key))))
            return
        array = self.source.read(key)
        variable._restore(wrap(array if array.ndim or dtype.kind == "O" else array[()]))

    def _set_state(self, thing: Any, state: object) -> None:
        """Let the object take a state, which may be none that it can have had."""
        try:
            thing._restore_checkpoint_state(state)
        except (OpError, ValueError, TypeError) as error:
            error.add_note(f"in {self.source.path}")
            raise
        except (LookupError, AttributeError, ArithmeticError) as error:
            raise DataLossError(
                f"{self.source.path} is damaged: it has no state of {type(thing).__name__}: "
                f"{error!r}."
            ) from error

    def _state(self, node: Node) -> object:
        try:
            return unpacked(node.state, self.source.read)
        except ValueError as error:
            raise DataLossError(f"{self.source.path} is damaged: {error}.") from None

    def _descend(self, node: Node, thing: object) -> list[tuple[int, Any]]:
        """The children that are there; those that are not are awaited."""
        present = children(thing)
        absent: dict[str, Taker] = {}
        found = []
        for name, number in node.children.items():
            if name not in present:
                absent[name] = self._taker(number)
            else:
                found.append((number, self._ready(number, thing, name, present[name])))
        if absent:
            self._await(thing, absent)
        return found

    def _ready(self, number: int, thing: object, name: str, child: object) -> object:
        """The child; a list that lacks something is replaced by one that waits for it."""
        owner = _keeper(thing)
        if isinstance(owner, Expecting) and name in vars(owner) and self._lacks(number, child):
            child = waiting(child)
            setattr(owner, name, child)
        return child

    def _lacks(self, number: int, child: object) -> bool:
        """Whether it is a list or dictionary, and there are values for more than it has."""
        return (
            is_plain(child)
            and not self.graph.nodes[number].children.keys() <= children(child).keys()
        )

    def _await(self, thing: object, absent: dict[str, Taker]) -> None:
        owner = _keeper(thing)
        if isinstance(owner, Expecting):
            expect(owner, absent)
        elif isinstance(owner, (WaitingList, WaitingDict)):
            owner.expect(absent)

    def _taker(self, number: int) -> Taker:
        def take(value: object) -> object:
            if not is_trackable(value):
                return None
            if self._lacks(number, value):
                value = waiting(value)
            self.bind(number, value)
            return value

        return take


def _is_large(variable: Variable) -> bool:
    """Whether there should not be a second array like this, and a file can be read into it."""
    array = variable._array
    if not isinstance(array, np.ndarray):
        return False
    fits: bool = array.dtype.kind != "O" and array.flags.c_contiguous
    return fits and array.nbytes >= _LARGE


def _fits(node: Node, thing: object) -> bool:
    """Whether the node has what the object needs."""
    if isinstance(thing, Variable):
        return VALUE in node.values
    return node.state is not None or not is_stateful(thing)


def _keeper(thing: object) -> object:
    """The object that has the children for attributes: of a checkpoint with a root the root."""
    return getattr(thing, "_keeper", thing)
