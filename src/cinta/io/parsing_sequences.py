"""Serialized sequences of features as tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ..dtypes import DType, int64
from ..engine.convert import as_tensor
from ..engine.op import op
from ..engine.shapes import written
from ..ops.strings.string_arrays import strings_of
from ..public import public
from . import example_values
from .example_plans import SequenceFeature, plan_of, plan_of_steps
from .example_values import ValueOrigin
from .parsing_examples import arrays_of, found_in, in_order, labels_of, made_up, places_of, results
from .plain_features import (
    PlainFeatures,
    PlainSteps,
    plain_features,
    plans_for,
    plans_for_steps,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..engine.annotations import ArrayModule, TensorLike
    from ..engine.made_up import MadeUpLengths
    from ..engine.tensor import Array
    from .example_plans import Column, Lists, StepsPlan
    from .features import Feature

    Known: TypeAlias = Mapping[str, Feature] | None
    Found: TypeAlias = dict[str, Any]


@public("io.parse_sequence_example")
def parse_sequence_example(
    serialized: TensorLike,
    context_features: Known = None,
    sequence_features: Known = None,
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Found, Found, Found]:
    """The features of a vector of serialized ``SequenceExample`` messages.

    These are the features of each sequence as a whole, those of its steps, and the lengths of the
    sequences that were padded.

    >>> import cinta as tf
    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[n])) for n in (7, 8)]
    >>> lists = {"x": tf.train.FeatureList(feature=steps)}
    >>> example = tf.train.SequenceExample(feature_lists=tf.train.FeatureLists(feature_list=lists))
    >>> known = {"x": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> _, x, lengths = tf.io.parse_sequence_example([example.SerializeToString()], None, known)
    >>> x["x"].numpy(), lengths["x"].numpy()
    (array([[7, 8]]), array([2]))

    Args:
        serialized: The messages.
        context_features: What is known of each feature of a whole; None for none.
        sequence_features: What is known of each feature of steps; None for none.
        example_names: A name for each message, which errors tell.

    Raises:
        InvalidArgumentError: If a message is damaged, or has not the features that it must have.
        ValueError: If there are no features.
    """
    if context_features is None and sequence_features is None:
        raise ValueError(
            "Both `context_features` and `sequence_features` argument are None, but at least one "
            "should have values."
        )
    whole = in_order({} if context_features is None else context_features, "context_features")
    parts = in_order({} if sequence_features is None else sequence_features, "sequence_features")
    context = [plan_of(key, feature) for key, feature in whole]
    steps = [plan_of_steps(key, feature) for key, feature in parts]
    tensors: Any = ParseSequenceExample(
        strings_of(serialized),
        context=plain_features(whole),
        steps=plain_features(parts),
        labels=labels_of(example_names),
    )
    count = sum(len(plan.dtypes) for plan in context)
    lengths, at = {}, count
    for plan in steps:
        if isinstance(plan, SequenceFeature):
            lengths[plan.key] = tensors[at + 1]
        at += len(plan.dtypes)
    return results(context, tensors[:count]), results(steps, tensors[count:]), lengths


def _example(
    lengths: MadeUpLengths,
    serialized: Array,
    context: PlainFeatures,
    steps: PlainSteps,
    labels: tuple[str, ...],
) -> tuple[Array, ...]:
    return made_up(lengths, serialized, [*plans_for(context), *plans_for_steps(steps)])


@op("ParseSequenceExampleV2", sized_by_values=True, example=_example)
def ParseSequenceExample(
    xp: ArrayModule,
    serialized: Array,
    *,
    context: PlainFeatures,
    steps: PlainSteps,
    labels: tuple[str, ...],
) -> tuple[Array, ...]:
    """The arrays of all features of wholes, and then those of all features of steps."""
    of_wholes, of_steps = plans_for(context), plans_for_steps(steps)

    def parsed(given: Array) -> list[list[Array]]:
        rows = [example_values.sequence_example(each) for each in given.reshape(-1)]
        places = places_of(len(rows), labels)
        found = [arrays_of(plan, [whole for whole, _ in rows], places) for plan in of_wholes]
        return found + [_steps(plan, [lists for _, lists in rows], places) for plan in of_steps]

    return found_in(serialized, [*of_wholes, *of_steps], parsed)


ParseSequenceExample.no_grad()


@public("io.parse_single_sequence_example")
def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Known = None,
    sequence_features: Known = None,
    example_name: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Found, Found]:
    """The features of one serialized ``SequenceExample``: of the whole, and of its steps.

    >>> import cinta as tf
    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.SequenceExample(context=tf.train.Features(feature={"age": age}))
    >>> known = {"age": tf.io.FixedLenFeature([], tf.int64)}
    >>> whole, _ = tf.io.parse_single_sequence_example(example.SerializeToString(), known)
    >>> whole["age"].numpy()
    np.int64(7)

    Args:
        serialized: The message.
        context_features: What is known of each feature of the whole; None for none.
        sequence_features: What is known of each feature of steps; None for none.
        example_name: A name, which errors tell.

    Raises:
        InvalidArgumentError: If the message is damaged, or has not the features that it must have.
        ValueError: If there are several messages, or no features.
    """
    given = as_tensor(serialized)
    if given.ndim:
        raise ValueError(
            f"Input serialized must be a scalar, got shape {written(given.shape)}: use "
            "tf.io.parse_sequence_example."
        )
    names = None if example_name is None else [example_name]
    return parse_sequence_example(given, context_features, sequence_features, names)[:2]


def _steps(
    plan: StepsPlan,
    rows: Sequence[dict[bytes, list[bytes]]],
    places: Sequence[tuple[int, str]],
) -> list[Array]:
    """The arrays of a feature of the steps of some sequences."""

    def lists(key: str, dtype: DType) -> Lists:
        return [
            _column(row.get(key.encode()), dtype, ValueOrigin(key, *place))
            for row, place in zip(rows, places, strict=True)
        ]

    others = [lists(key, int64) for key in plan.index_keys]
    at = [ValueOrigin(plan.key, *place) for place in places]
    return plan.sequences(others, lists(plan.value_key, plan.dtype), at)


def _column(steps: list[bytes] | None, dtype: DType, place: ValueOrigin) -> Column | None:
    """The values of each step; None if there is no list of steps."""
    if steps is None:
        return None
    found = []
    for i, step in enumerate(steps):
        values = example_values.values(step, dtype, place._replace(step=i))
        found.append((values, place._replace(number=i)))
    return found
