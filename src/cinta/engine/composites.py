"""Values that are made of tensors, and that functions return as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from .. import nest

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


class Unrecorded(Composite):
    """Objects that no recording can give: a function that returns one runs its Python."""

    __slots__ = ()


class Assembled(Composite):
    """Composites that can be taken apart into tensors and built again of others."""

    __slots__ = ()
    _is_ragged = False  # of ragged tensors it is True, whose class few programs load

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


class OpenedComposite(Assembled):
    """Composites with fields, which some code opens into structures of what is in the fields."""

    def _opened(self) -> OpenObject:
        raise NotImplementedError


class OpenObject:
    """The contents of an object's fields, or what stands for them, as a structure for `nest`.

    ``spec`` builds the object again, by ``_value``, or its spec, by ``_spec``.
    """

    __slots__ = ("inner", "spec")

    def __init__(self, spec: Part, inner: Sequence[Part]) -> None:
        self.spec, self.inner = spec, tuple(inner)

    def __tf_flatten__(self) -> tuple[Part, tuple[Part, ...]]:
        return self.spec, self.inner

    @classmethod
    def __tf_unflatten__(cls, metadata: Part, components: tuple[Part, ...]) -> OpenObject:
        return cls(metadata, components)


def opened(structure: Part) -> Part:
    """The structure with the objects of fields in it opened."""
    return nest.map_structure(
        lambda leaf: leaf._opened() if isinstance(leaf, OpenedComposite) else leaf, structure
    )


def opened_specs(structure: Part) -> Part:
    """The structure with the specs of such objects opened as the objects are."""
    return nest.map_structure(lambda leaf: getattr(leaf, "_opened", lambda: leaf)(), structure)


def closed(structure: Part) -> Part:
    """The structure with objects in place of what they were opened into."""
    if isinstance(structure, OpenObject):
        return structure.spec._value([closed(each) for each in structure.inner])
    return nest.map_children(closed, structure) if nest.is_nested(structure) else structure


def closed_specs(structure: Part) -> Part:
    """The same for specs."""
    if isinstance(structure, OpenObject):
        return structure.spec._spec([closed_specs(each) for each in structure.inner])
    return nest.map_children(closed_specs, structure) if nest.is_nested(structure) else structure
