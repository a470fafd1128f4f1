"""Structures of arguments and results as plain data, which can be written down and compared."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from ..dtypes import DType, of
from ..engine.composites import Assembled
from ..engine.convert import as_tensor, is_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.shapes import Count
from ..engine.sparse_tensor import PLACED, SparseTensor
from ..engine.tensor import Tensor
from ..programs.composite_specs import StructuredSpec
from ..programs.specs import TensorSpec, TypeSpec
from ..replay.argument_structures import Same, parts
from .object_structures import RECORDS, Object, Ragged, Record, record_of, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ATOMS = (int, float, complex, bool, str, bytes, type(None), type(Ellipsis), np.dtype, DType)


class CannotBeSaved(Exception):
    """Something that a file cannot say."""


class Unknown(NamedTuple):
    """A dimension that may have any size: which of the sizes is its own."""

    number: Count


class Argument(NamedTuple):
    """The place of a tensor among arguments."""

    dtype: np.dtype[Any]
    shape: tuple[Count | Unknown | None, ...]
    name: str | None

    @property
    def spec(self) -> TensorSpec:
        """The same in TensorFlow's words."""
        shape = [None if isinstance(n, Unknown) else n for n in self.shape]
        return TensorSpec(shape, of(self.dtype), self.name)

    def lengths(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The shape for these sizes of unknown dimensions."""
        return tuple([sizes[n.number] if isinstance(n, Unknown) else n or 0 for n in self.shape])

    def takes(self, tensor: Tensor, sizes: dict[int, int]) -> bool:
        """Whether the tensor may stand here; notes how large unknown dimensions are."""
        array = tensor._array
        if array.dtype != self.dtype or array.ndim != len(self.shape):
            return False
        return all(
            [
                n == (sizes.setdefault(wanted.number, n) if isinstance(wanted, Unknown) else wanted)
                for n, wanted in zip(array.shape, self.shape, strict=True)
            ]
        )


class Result(NamedTuple):
    """The place of a tensor among results."""

    position: Count


class Omitted(NamedTuple):
    """A default that cannot be written down: what is left out stands for it."""

    name: str


class Rows(NamedTuple):
    """``IndexedSlices``."""

    values: object
    indices: object
    shape: object


class Sparse(NamedTuple):
    """A ``SparseTensor``."""

    indices: object
    values: object
    lengths: object


class Named(NamedTuple):
    """A named tuple of the user's."""

    name: str
    fields: tuple[Annotated[str, str.isidentifier], ...]
    items: tuple[Any, ...]


def template(value: object, place: Callable[[Tensor], object]) -> Any:
    """The structure with ``place(tensor)`` for each tensor."""
    if isinstance(value, Tensor):
        return place(value)
    if isinstance(value, (Argument, *ATOMS)):
        return value
    record = recorded(value)
    if record is not None:
        return record.mapped(lambda part: template(part, place))
    if type(value) is tuple or type(value) is list:
        return type(value)([template(item, place) for item in value])
    if type(value) is dict:
        return {key: template(item, place) for key, item in value.items()}
    if isinstance(value, PLACED):
        kind = Rows if isinstance(value, IndexedSlices) else Sparse
        return kind(*[template(part, place) for part in parts(value)])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        items = tuple([template(item, place) for item in value])
        return Named(type(value).__name__, tuple(value._fields), items)
    raise CannotBeSaved(f"{value!r} cannot be written down")


def recorded(value: object) -> Record | None:
    """A ragged tensor, an object of an extension type, or their spec, as a record; else None."""
    try:
        return record_of(value)
    except LookupError as error:
        raise CannotBeSaved(str(error)) from None


def built(structure: object, results: Sequence[Tensor]) -> Any:
    """The structure with tensors in the places of results."""
    if isinstance(structure, Result):
        return results[structure.position]
    if isinstance(structure, RECORDS):
        return value_of(structure.mapped(lambda part: built(part, results)))
    if isinstance(structure, (Rows, Sparse)):
        composite = IndexedSlices if isinstance(structure, Rows) else SparseTensor
        return composite(*[built(part, results) for part in structure])
    if isinstance(structure, Named):
        named = namedtuple(structure.name, structure.fields)  # type: ignore[misc]
        return named(*[built(item, results) for item in structure.items])
    if isinstance(structure, (tuple, list)):
        return type(structure)([built(item, results) for item in structure])
    if isinstance(structure, dict):
        return {key: built(item, results) for key, item in structure.items()}
    return structure


def check_places(structure: object, count: int) -> None:
    """``ValueError`` unless the places in the structure are among so many results."""
    if isinstance(structure, Result):
        if structure.position >= count:
            raise ValueError(f"there are {count} results, of which {structure.position} is none")
    elif isinstance(structure, dict):
        check_places((*structure.values(),), count)
    elif isinstance(structure, (tuple, list)):
        for part in structure:
            check_places(part, count)


class BoundArguments:
    """Arguments of a call in the places where a structure has tensors."""

    def __init__(self, structure: object, given: object, *, convert: bool) -> None:
        self.tensors: list[Tensor] = []
        self._sizes: dict[int, int] = {}
        self._convert = convert
        self.fits = self._fits(structure, given)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How large the unknown dimensions are."""
        return tuple([size for _, size in sorted(self._sizes.items())])

    def _fits(self, wanted: object, given: object) -> bool:
        if isinstance(wanted, Argument):
            return self._takes(wanted, given)
        if isinstance(wanted, (Rows, Sparse)):
            kind = IndexedSlices if isinstance(wanted, Rows) else SparseTensor
            return isinstance(given, kind) and self._all_fit(wanted, parts(given))
        if isinstance(wanted, RECORDS):
            return self._is_recorded_so(wanted, record_of(given))
        if isinstance(wanted, Named):
            fields = getattr(given, "_fields", None)
            return (
                isinstance(given, tuple)
                and fields == wanted.fields
                and self._all_fit(wanted.items, given)
            )
        if isinstance(wanted, (tuple, list)) and not isinstance(wanted, Omitted):
            return isinstance(given, (tuple, list)) and self._all_fit(wanted, given)
        if isinstance(wanted, dict):
            if not isinstance(given, dict) or wanted.keys() != given.keys():
                return False
            return self._all_fit([*wanted.values()], [given[key] for key in wanted])
        return type(given) is type(wanted) and bool(given == wanted)

    def _is_recorded_so(self, wanted: Record, given: Record | None) -> bool:
        """Whether a record is of the same kind, and its parts fit."""
        if isinstance(wanted, Ragged):
            return isinstance(given, Ragged) and self._all_fit(
                (wanted.values, *wanted.splits), (given.values, *given.splits)
            )
        if isinstance(wanted, Object):
            return (
                isinstance(given, Object)
                and (given.name, given.fields) == (wanted.name, wanted.fields)
                and self._all_fit(wanted.items, given.items)
            )
        return given == wanted

    def _all_fit(self, wanted: Sequence[object], given: Sequence[object]) -> bool:
        return len(wanted) == len(given) and all(map(self._fits, wanted, given))

    def _takes(self, wanted: Argument, given: object) -> bool:
        if isinstance(given, Tensor):
            tensor = given
        else:
            if not self._convert and not is_tensor(given) and not isinstance(given, np.ndarray):
                return False
            try:
                tensor = as_tensor(given, None if is_tensor(given) else wanted.dtype)
            except (TypeError, ValueError):
                return False
        if not wanted.takes(tensor, self._sizes):
            return False
        self.tensors.append(tensor)
        return True


def of_kind(kind: Any) -> Any:
    """The structure of arguments of a kind, as functions know their recordings by."""
    if isinstance(kind, Same):
        raise CannotBeSaved(f"it was called with {kind!r}, which cannot be written down")
    cls, *inside = kind
    if isinstance(cls, np.dtype):
        return Argument(cls, inside[0], None)
    if cls in (tuple, list):
        return cls([of_kind(item) for item in inside])
    if cls is dict:
        keys, *items = inside
        return dict(zip([key for _, key in keys], map(of_kind, items), strict=True))
    if cls == "argument":
        raise CannotBeSaved("it was called with one tensor in several places")
    if cls == "with":
        raise CannotBeSaved("it was called with a tensor that a program gave attributes of its own")
    if cls in PLACED:
        return (Rows if cls is IndexedSlices else Sparse)(*map(of_kind, inside))
    if issubclass(cls, Assembled):
        return _of_assembled(inside[0], [of_kind(part) for part in inside[1:]])
    if cls is float:
        return float(inside[0])
    if len(inside) == 1 and isinstance(inside[0], ATOMS):
        return inside[0]
    raise CannotBeSaved(f"it was called with a {cls.__name__}, which cannot be written down")


def _of_assembled(kind: Any, parts: list[Any]) -> Record:
    """The structure of a ragged tensor or an object of which the arguments are these parts."""
    spec, *variables = kind or (None,)
    if variables and isinstance(spec, StructuredSpec):
        named = spec.value_type.__name__
        raise CannotBeSaved(f"it was called with variables in an object of {named}")
    if isinstance(spec, StructuredSpec):
        others = iter(parts)
        record = recorded(spec)
        return with_arguments(record, lambda spec: next(others))  # type: ignore[no-any-return]
    if any(length is not None for length in kind):
        raise CannotBeSaved("it was called with a ragged tensor whose rows are of one length")
    return Ragged(parts[0], tuple(parts[1:]))


def with_arguments(structure: Any, place: Callable[[TensorSpec], object]) -> Any:
    """A structure with what stands for arguments in the places of specs."""
    if isinstance(structure, TensorSpec):
        return place(structure)
    record = recorded(structure)
    if record is not None:
        structure = record
    if isinstance(structure, RECORDS):
        return structure.mapped(lambda part: with_arguments(part, place))
    if isinstance(structure, TypeSpec):
        raise CannotBeSaved(f"{structure!r} is none of the specs that can be saved")
    if type(structure) in (tuple, list):
        return type(structure)([with_arguments(item, place) for item in structure])
    if type(structure) is dict:
        return {key: with_arguments(item, place) for key, item in structure.items()}
    return structure


def arguments_in(structure: object) -> list[Argument]:
    """The places of tensors in a structure of arguments."""
    if isinstance(structure, Argument):
        return [structure]
    if isinstance(structure, dict):
        structure = tuple(structure.values())
    if isinstance(structure, (tuple, list)):
        return [each for item in structure for each in arguments_in(item)]
    return []


def shown(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """Arguments, for people: ``(TensorSpec(shape=(2,), dtype=tf.float32, name=None), k=3)``."""
    words = [*map(_shown, args), *[f"{name}={_shown(x)}" for name, x in kwargs.items()]]
    return f"({', '.join(words)})"


def _shown(value: object) -> str:
    if isinstance(value, Argument):
        return repr(value.spec)
    if isinstance(value, Tensor):
        return repr(TensorSpec.from_tensor(value))
    if type(value) is tuple:
        return f"({', '.join(map(_shown, value))})"
    if type(value) is list:
        return f"[{', '.join(map(_shown, value))}]"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {_shown(item)}' for key, item in value.items())}}}"
    return repr(value)
