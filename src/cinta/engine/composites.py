"""Values that are made of tensors, and that functions return as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence


Part: TypeAlias = Any
"""A tensor that an object is made of, or what stands in its place: a spec, a gradient, a name."""


class Composite:
    """Objects made of tensors that are not structures to be taken apart."""

    __slots__ = ()

    def _tracked(self) -> Part:
        """The tensor through which gradients flow; itself if there is none."""
        return self

    def _with_gradient(self, gradient: Part) -> Part:
        """The gradient of that tensor as one of this object."""
        return gradient


class Assembled(Composite):
    """Composites that can be taken apart into tensors and built again of others."""

    __slots__ = ()

    def _parts(self) -> Sequence[Part]:
        """The tensors that it is made of."""
        raise NotImplementedError

    def _of_parts(self, parts: Sequence[Part]) -> Part:
        """One like this, of other tensors."""
        raise NotImplementedError

    def _shown(self, element: Callable[[Part], str], summarize: int) -> str:
        """The text of it, with so many elements at both ends of every axis."""
        return repr(self)

    def _kind(self) -> Hashable:
        """All that is plain in it, on which calls of a recorded function must agree."""
        return ()
