"""TensorArrays as elements of datasets: they pass through, and are not put into batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..engine.tensor import seen, wrap
from ..ops.control.tensor_array import TensorArray
from ..programs.tensor_array_spec import TensorArraySpec
from .composite_elements import ComposedArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Array

_INSTEAD = "Use map(lambda array: array.stack()), which makes tensors of them."


class KeptTensorArray(ComposedArray):
    """The elements of a TensorArray, each an array or None where nothing was written."""

    __slots__ = ("elements", "kind", "read_once")

    def __init__(self, elements: Sequence[Array | None], kind: Any, read_once: bool) -> None:
        self.elements, self.kind, self.read_once = elements, kind, read_once

    @classmethod
    def of(cls, array: TensorArray) -> KeptTensorArray:
        """The elements of this TensorArray as they are now."""
        elements = [None if each is None else seen(each) for each in array._refers_to()]
        return cls(elements, array._kind(), array._clear_after_read)

    def __repr__(self) -> str:
        return f"a TensorArray of {len(self.elements)} elements"

    @property
    def tensor(self) -> TensorArray:
        """A new TensorArray of these elements."""
        shape, dtype, dynamic, infer = self.kind
        made = TensorArray(
            dtype, len(self.elements), dynamic, self.read_once, None, None, None, infer, shape
        )
        made._elements = [None if each is None else wrap(each) for each in self.elements]
        return made

    @property
    def spec(self) -> TensorArraySpec:
        """The spec of the TensorArray."""
        return TensorArraySpec(*self.kind)

    @property
    def ndim(self) -> int:
        """There is no axis to take it apart along."""
        return 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a value that is not taken apart."""
        return ()

    @property
    def arrays(self) -> NoReturn:
        """Refused: how many elements there are is not a part of the spec."""
        raise TypeError(f"TensorArrays cannot be kept in files and states. {_INSTEAD}")

    def repeated(self, times: Sequence[int]) -> NoReturn:
        """Refused."""
        raise TypeError(f"TensorArrays cannot be repeated along an axis. {_INSTEAD}")

    def stacked(self, parts: Sequence[Any]) -> NoReturn:
        """Refused, as in TensorFlow."""
        raise TypeError(f"TensorArrays cannot be batched. {_INSTEAD}")
