"""Announced features as plain data, which files can hold, and what is planned for them."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from ..dtypes import DType, as_dtype
from ..engine.arrays import stored_bytes
from ..engine.convert import as_tensor
from ..engine.shapes import TensorShape
from ..engine.tensor import seen
from .example_plans import FeaturePlan, plan_of, plan_of_steps
from .features import PARTITIONS, Feature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Array
    from .example_plans import StepsPlan

Plain: TypeAlias = tuple[tuple[str, str, tuple[Any, ...]], ...]
"""The name of each feature, its kind, and the fields of that kind."""

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in Feature.__args__}
_PARTITIONS: dict[str, Any] = {kind.__name__: kind for kind in PARTITIONS}


def plain_features(features: Sequence[tuple[str, Feature]]) -> Plain:
    """Features with their names, for which there are plans, as plain data."""
    found = []
    for key, feature in features:
        kind = next(name for name, kind in _KINDS.items() if isinstance(feature, kind))
        dtype = as_dtype(feature.dtype)
        fields = [_plain(name, value, dtype) for name, value in feature._asdict().items()]
        found.append((key, kind, tuple(fields)))
    return tuple(found)


def _plain(name: str, value: Any, dtype: DType) -> Any:
    if name in ("dtype", "row_splits_dtype"):
        return as_dtype(value)
    if name == "shape":
        return tuple(TensorShape(value).as_list())
    if name == "default_value" and value is not None:
        return _stored(value, dtype)
    if name == "partitions":
        return tuple([(type(each).__name__, *each) for each in value])
    return tuple(value) if isinstance(value, list) else value


def _stored(default: TensorLike, dtype: DType) -> bytes | tuple[bytes, ...]:
    """A default to the bit, which tells 0.0 from -0.0 where plans are looked up."""
    array = np.asarray(seen(as_tensor(default, dtype.dtype)))
    return tuple(array.reshape(-1).tolist()) if array.dtype == object else stored_bytes(array)


def _restored(stored: bytes | tuple[bytes, ...], dtype: DType) -> Array:
    if isinstance(stored, bytes):
        return np.frombuffer(stored, dtype.dtype.newbyteorder("<")).astype(dtype.dtype)
    found = np.empty(len(stored), object)
    found[:] = stored
    return found


def _feature(kind: str, fields: tuple[Any, ...]) -> Feature:
    values = dict(zip(_KINDS[kind]._fields, fields, strict=True))
    if values.get("default_value") is not None:
        values["default_value"] = _restored(values["default_value"], values["dtype"])
    if "partitions" in values:
        values["partitions"] = [_PARTITIONS[name](*rest) for name, *rest in values["partitions"]]
    made: Feature = _KINDS[kind](**values)
    return made


@lru_cache(maxsize=64)
def plans_for(features: Plain) -> list[FeaturePlan]:
    """How each of the features becomes arrays."""
    return [plan_of(key, _feature(kind, fields)) for key, kind, fields in features]


@lru_cache(maxsize=64)
def plans_for_steps(features: Plain) -> list[StepsPlan]:
    """How each of the features of steps becomes arrays."""
    return [plan_of_steps(key, _feature(kind, fields)) for key, kind, fields in features]


def _succeeds(plan: Callable[[Plain], object], features: Plain) -> bool:
    """Whether a file may have these features: there must be plans for them."""
    try:
        plan(features)
    except (KeyError, TypeError, ValueError):
        return False
    return True


PlainFeatures: TypeAlias = Annotated[Plain, partial(_succeeds, plans_for)]
PlainSteps: TypeAlias = Annotated[Plain, partial(_succeeds, plans_for_steps)]
