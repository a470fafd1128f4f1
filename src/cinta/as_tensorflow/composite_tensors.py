"""`CompositeTensor`: the base of classes of libraries that are made of tensors.

The spec of such a value says what it is made of: ``_to_components`` takes it apart into a structure
of tensors, variables and other such values, and ``_from_components`` builds one of a structure.
"""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Any, TypeVar

from .. import nest
from ..engine.composites import Assembled, Composite
from ..engine.indexed_slices import IndexedSlices
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor
from ..ops.arrays.creation import zeros_like
from ..ops.linalg.operators.composites import MadeOfTensors
from ..replay.argument_structures import Same

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Self

    from ..engine.composites import Part

__all__ = ["CompositeTensor", "is_composite_tensor"]

T = TypeVar("T")

_OWN = Composite, SparseTensor, IndexedSlices, MadeOfTensors
"""The bases of cinta's own values that are made of tensors."""


class CompositeTensor(Assembled, metaclass=ABCMeta):
    """A value that is made of tensors, as its spec says.

    Functions take and return such values, and `tf.nest` takes them apart.
    """

    @classmethod
    def __subclasshook__(cls, subclass: type) -> bool:
        """Whether a class is one of cinta's own, which do not derive from this one."""
        return issubclass(subclass, _OWN) if cls is CompositeTensor else NotImplemented

    @property
    def _type_spec(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._type_spec")

    def _leaves(self) -> list[Part]:
        """All that it is made of: tensors, variables, and what else its spec counts in."""
        return nest.flatten(self._type_spec._to_components(self), expand_composites=True)

    def _parts(self) -> list[Tensor]:
        return [leaf for leaf in self._leaves() if isinstance(leaf, Tensor)]

    def _of_parts(self, parts: Sequence[Part]) -> Self:
        others = iter(parts)
        return self._rebuilt(lambda leaf: next(others) if isinstance(leaf, Tensor) else leaf)

    def _rebuilt(self, function: Callable[[Part], Part]) -> Self:
        """One like this, with the results of a function of its leaves in place of these."""
        spec = self._type_spec
        components = spec._to_components(self)
        found: Self = spec._from_components(
            nest.map_structure(function, components, expand_composites=True)
        )
        return found

    def _kind(self) -> Hashable:
        others = [Same(leaf) for leaf in self._leaves() if not isinstance(leaf, Tensor)]
        return self._type_spec, *others

    def _tracked_parts(self) -> list[Part]:
        """The values through which gradients flow."""
        return self._leaves()

    def _with_gradients(self, gradients: Sequence[Part]) -> Self | None:
        """The gradients of what it is made of, as one like this; None if there is none at all."""
        if all([gradient is None for gradient in gradients]):
            return None
        others = iter(gradients)

        def gradient_of(leaf: Part) -> Part:
            found = next(others)
            return zeros_like(leaf) if found is None else found

        return self._rebuilt(gradient_of)

    def _convert_variables_to_tensors(self) -> CompositeTensor:
        """One with the values of variables in their places; classes that hold some say how."""
        return self

    def _shape_invariant_to_type_spec(self, shape: object) -> object:
        """The spec of the value in a loop, in which its shape may change."""
        raise NotImplementedError(
            f"{type(self).__name__} has no shape that could change in a loop, but {shape!r} is "
            "given as its shape invariant."
        )


def is_composite_tensor(value: object) -> bool:
    """Whether this is made of tensors without being one."""
    return isinstance(value, CompositeTensor)
