"""Serialized examples as tensors, a tensor for each feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.op import op
from ..engine.shapes import written
from ..errors import InvalidArgumentError
from ..ops.arguments import text
from ..ops.strings.string_arrays import strings_of, text_of
from ..public import public
from . import example_values
from .example_plans import FeaturePlan, plan_of
from .example_values import ValueOrigin
from .plain_features import PlainFeatures, plain_features, plans_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import ArrayModule, TensorLike
    from ..engine.made_up import MadeUpLengths
    from ..engine.tensor import Array
    from .example_plans import Column
    from .example_values import Features
    from .features import Feature


@public("io.parse_example")
def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Feature],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """The features of a vector of serialized ``Example`` messages, a tensor for each feature.

    >>> import cinta as tf
    >>> ages = tf.train.Feature(int64_list=tf.train.Int64List(value=[7, 8]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"ages": ages}))
    >>> serialized = [example.SerializeToString()]
    >>> known = {"ages": tf.io.FixedLenFeature([2], tf.int64)}
    >>> tf.io.parse_example(serialized, known)["ages"].numpy()
    array([[7, 8]])

    Args:
        serialized: The messages.
        features: A dictionary that says what is known of each feature: ``tf.io.FixedLenFeature``
            and its kin.
        example_names: A name for each message, which errors tell.

    Raises:
        InvalidArgumentError: If a message is damaged, or has not the features that it must have.
        ValueError: If there are no features.
    """
    plans = plans_of(features)
    found: Any = ParseExample(
        strings_of(serialized),
        features=plain_features(in_order(features, "features")),
        labels=labels_of(example_names),
    )
    return results(plans, found)


def _example(
    lengths: MadeUpLengths, serialized: Array, features: PlainFeatures, labels: tuple[str, ...]
) -> tuple[Array, ...]:
    return made_up(lengths, serialized, plans_for(features))


@op("ParseExampleV2", sized_by_values=True, example=_example)
def ParseExample(
    xp: ArrayModule, serialized: Array, *, features: PlainFeatures, labels: tuple[str, ...]
) -> tuple[Array, ...]:
    """The arrays of all features, one after the other."""
    plans = plans_for(features)

    def parsed(given: Array) -> list[list[Array]]:
        rows = [example_values.example(each) for each in given.reshape(-1)]
        places: Sequence[tuple[int, str] | None]
        places = places_of(len(rows), labels) if given.ndim else [None]
        return [arrays_of(plan, rows, places) for plan in plans]

    return found_in(serialized, plans, parsed)


ParseExample.no_grad()


@public("io.parse_single_example")
def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Feature],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """The features of one serialized ``Example``, a tensor for each feature.

    >>> import cinta as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": age}))
    >>> known = {"age": tf.io.FixedLenFeature([], tf.int64)}
    >>> tf.io.parse_single_example(example.SerializeToString(), known)["age"].numpy()
    np.int64(7)

    Args:
        serialized: The message.
        features: A dictionary that says what is known of each feature.
        example_names: Accepted.

    Raises:
        InvalidArgumentError: If the message is damaged, or has not the features that it must have.
        ValueError: If there are several messages, or no features.
    """
    given = as_tensor(serialized)
    if given.ndim:
        raise ValueError(
            f"Input serialized must be a scalar, got shape {written(given.shape)}: use "
            "tf.io.parse_example."
        )
    return parse_example(given, features)


def plans_of(features: Mapping[str, Feature] | None) -> list[FeaturePlan]:
    """How each of the features becomes a tensor."""
    if features is None or (isinstance(features, Mapping) and not features):
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features!r}")
    return [plan_of(key, feature) for key, feature in in_order(features, "features")]


def in_order(features: Mapping[str, Feature], argument: str) -> list[tuple[str, Feature]]:
    """The features with their names, in the order of these."""
    if not isinstance(features, Mapping):
        raise TypeError(f"`{argument}` must be a dict of features by name, got {features!r}.")
    return [(text(key, argument), features[key]) for key in sorted(features, key=str)]


def labels_of(names: TensorLike | None) -> tuple[str, ...]:
    if names is None:
        return ()
    return tuple([each.decode(errors="replace") for each in text_of(names).reshape(-1)])


def places_of(count: int, labels: Sequence[str]) -> list[tuple[int, str]]:
    return [(i, labels[i] if i < len(labels) else "<unknown>") for i in range(count)]


def arrays_of(
    plan: FeaturePlan, rows: Sequence[Features], places: Sequence[tuple[int, str] | None]
) -> list[Array]:
    """The arrays of a feature of some examples."""

    def column(key: str, dtype: dtypes.DType) -> Column:
        found = []
        for row, at in zip(rows, places, strict=True):
            place = ValueOrigin(key, *at or ())
            found.append((example_values.values(row.get(key.encode()), dtype, place), place))
        return found

    others = [column(key, dtypes.int64) for key in plan.index_keys]
    return plan.merged(others, column(plan.value_key, plan.dtype))


def found_in(
    serialized: Array,
    plans: Sequence[FeaturePlan],
    parsed: Callable[[Array], list[list[Array]]],
) -> tuple[Array, ...]:
    """The arrays that a function finds in strings for each of the plans."""
    given = np.asarray(serialized, object)
    try:
        if given.ndim > 1:
            raise InvalidArgumentError(
                f"Expected serialized to be a scalar or vector, got shape: {written(given.shape)}"
            )
        found = parsed(given)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{error} [Op:ParseExample]") from None
    if not given.ndim:
        found = [plan.alone(each) for plan, each in zip(plans, found, strict=True)]
    return tuple([array for each in found for array in each])


def made_up(
    lengths: MadeUpLengths, serialized: Array, plans: Sequence[FeaturePlan]
) -> tuple[Array, ...]:
    """Arrays as they are for strings of which nothing is known."""
    count = len(serialized) if serialized.ndim else 1
    found = [plan.made_up(lengths, count) for plan in plans]
    if not serialized.ndim:
        found = [plan.alone(each) for plan, each in zip(plans, found, strict=True)]
    return tuple([array for each in found for array in each])


def results(plans: Sequence[FeaturePlan], tensors: Sequence[Any]) -> dict[str, Any]:
    """The tensors that people get, by the names of features."""
    found, at = {}, 0
    for plan in plans:
        found[plan.key] = plan.result([*tensors[at : at + len(plan.dtypes)]])
        at += len(plan.dtypes)
    return found
