"""A function of one row run on all rows at once.

The function runs once, on the first row, while a `Vectorizer` listens. Whenever an op is called on
what depends on the row, the vectorizer calls the op for all rows (`row_rules` says how). Tapes that
the function makes record the row, and what their gradients compute is recorded like anything else.
Those who listened before hear of the calls for all rows, and not of those for the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ... import nest
from ...engine.arrays import same_array
from ...engine.convert import as_tensor
from ...engine.primitives import BroadcastTo
from ...engine.primitives.reshaping import boxed
from ...engine.recorders import (
    SEVERAL_TRACKERS,
    Observer,
    active,
    following,
    next_number,
    paused,
)
from ...engine.tensor import Tensor, look, tracked
from .row_rules import DiffersByRow, RowCall, on_all_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.op import Op
    from ...engine.tensor import Array
    from ...engine.variable import Variable


class GivenUp(BaseException):
    """The rows must be taken one by one; no ``except Exception`` of a function is to hold it up."""


class Vectorizer(Observer):
    """Knows for every value that depends on the row the values for all rows, stacked."""

    relays = True

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.given_up: str | None = None
        self._stacks: dict[int, Tensor] = {}

    def row(self, stack: Tensor) -> Tensor:
        """The first of these rows, which stands for all of them."""
        number = next_number()
        self._stacks[number] = stack
        return tracked(boxed(stack._array[0]), self.alone, number)

    def stack_of(self, value: object) -> Tensor | None:
        """The values for all rows; None for what is the same for all of them."""
        if type(value) is not Tensor or self not in active(value._recorder):
            return None
        return self._stacks[value._number]

    def result(self, value: object) -> Tensor | None:
        """The result of the function, for all rows."""
        if value is None:
            return None
        with following(self):
            row = as_tensor(value)
            stack = self.stack_of(row)
        if stack is not None:
            return stack
        shape = row._array.shape
        whole: Tensor = BroadcastTo(row, shape=(self.count, *shape), rank=len(shape))
        return whole

    def close(self) -> None:
        """Forget everything, with the cycle of references to itself."""
        super().close()
        self._stacks.clear()
        self.groups.clear()
        self.alone = SEVERAL_TRACKERS

    # -- notices of a listener -----------------------------------------------------------------

    def on_read(self, variable: Variable, value: Any) -> bool:
        return False  # it is the same for all rows

    def note(self, op: Op, values: Sequence[Any], attrs: dict[str, Any], result: Any) -> None:
        several = type(result) is tuple
        parts = result if several else (result,)
        stacks, arrays = [self.stack_of(x) for x in values], [part._array for part in parts]
        call = RowCall(op, values, stacks, attrs, arrays, several, self.count)
        with paused(self):
            try:
                found = on_all_rows(call)
            except (DiffersByRow, Exception) as error:
                reason = f"{op.name} does not work on all rows: {error}"
            else:
                self._stacks |= {part._number: x for part, x in zip(parts, found, strict=True)}
                return
        self._give_up(reason)

    def value_read(self, tensor: object, look: Callable[[Any], Any], found: object) -> object:
        if not self._is_seen_everywhere(tensor, look, found):
            self._give_up("Python looks at a value that is not the same in all rows")
        return found

    def _is_seen_everywhere(self, tensor: object, how: Callable[[Any], Any], found: object) -> bool:
        stack = self.stack_of(tensor)
        if stack is None:
            return True
        with paused(self):
            return all([_same(found, other) for other in look(stack, InEachRow(how))])

    def assigned(self, variable: Variable, value: Any) -> None:
        self._give_up(f"it assigns {variable.name}")

    def failed(self, op: Op) -> None:
        self._give_up(f"{op.name} raises an error")

    def refuse(self, why: str) -> None:
        self._give_up(why)

    def _give_up(self, why: str) -> None:
        self.given_up = self.given_up or why
        raise GivenUp(why)


@dataclass(frozen=True)
class InEachRow:
    """A look at each row of a stack."""

    look: Callable[[Any], Any]

    def __call__(self, stack: Array) -> list[Any]:
        return [self.look(boxed(row)) for row in stack]


def _same(one: Any, other: Any) -> bool:
    return same_array(one, other) if hasattr(one, "dtype") else bool(one == other)


def vectorized(
    fn: Callable[[Any], Any], structure: object, stacks: Sequence[Tensor], count: int
) -> Any:
    """The function of every row of these stacks; raises `GivenUp` if they must be taken one by one.

    A value with one row only goes with every row of the others.
    """
    vectorizer = Vectorizer(count)
    rows = [vectorizer.row(x) if len(x._array) == count else x[0] for x in stacks]
    try:
        with following(vectorizer):
            returned = fn(nest.pack_sequence_as(structure, rows))
        if vectorizer.given_up is not None:  # and the function caught what said so
            raise GivenUp(vectorizer.given_up)
        return nest.map_structure(vectorizer.result, returned)
    finally:
        vectorizer.close()
