"""Classes drawn as counterexamples, where there are too many classes to learn from all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.convert import as_tensor
from ...engine.free_memory import check_memory
from ...engine.op import Op
from ...engine.shapes import written
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...files.system_errors import translated
from ...public import public
from ..arguments import flag, listed, number, text, whole_number
from .sampling import (
    AllCandidateSampler,
    FixedUnigramCandidateSampler,
    LearnedUnigramCandidateSampler,
    LogUniformCandidateSampler,
    UniformCandidateSampler,
)
from .state import checked_seed, seeds, stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike

_RESERVED = 512  # blocks that one class may use up


class Candidates(NamedTuple):
    """Drawn classes, and how often the true ones and they are expected among those drawn."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


@public("random.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Candidates:
    """Classes from 0 to ``range_max - 1``, all of them equally likely.

    >>> import cinta as tf
    >>> drawn = tf.random.uniform_candidate_sampler([[1]], 1, 3, True, range_max=3)
    >>> sorted(drawn.sampled_candidates.numpy().tolist())
    [0, 1, 2]

    Args:
        true_classes: Integers ``[batch, num_true]``.
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether a class is drawn only once.
        range_max: How many classes there are.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    op, attrs = UniformCandidateSampler, {"range_max": _positive(range_max)}
    return _drawn(op, true_classes, num_true, num_sampled, unique, range_max, seed, **attrs)


@public("random.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Candidates:
    """Classes from 0 to ``range_max - 1``, the smaller the likelier, as words in a text.

    >>> import cinta as tf
    >>> true = tf.constant([[0], [3]], tf.int64)
    >>> sampled, *_ = tf.random.log_uniform_candidate_sampler(true, 1, 2, True, 1000)
    >>> len(set(sampled.numpy()))
    2

    Args:
        true_classes: Integers ``[batch, num_true]``.
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether a class is drawn only once.
        range_max: How many classes there are.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    op, attrs = LogUniformCandidateSampler, {"range_max": _positive(range_max)}
    return _drawn(op, true_classes, num_true, num_sampled, unique, range_max, seed, **attrs)


@public("nn.all_candidate_sampler", "random.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: int | None = None,
    name: str | None = None,
) -> Candidates:
    """All classes from 0 to ``num_sampled - 1``, for tests of what samples.

    >>> import cinta as tf
    >>> true = tf.constant([[0], [3]], tf.int64)
    >>> tf.random.all_candidate_sampler(true, 1, 4, True).sampled_candidates.numpy()
    array([0, 1, 2, 3])

    Args:
        true_classes: Integers ``[batch, num_true]``.
        num_true: How many true classes an example has.
        num_sampled: How many classes to give.
        unique: Accepted: all classes differ.
        seed: Accepted; changes no result.
    """
    return _drawn(
        AllCandidateSampler, true_classes, num_true, num_sampled, unique, num_sampled, seed
    )


@public("nn.learned_unigram_candidate_sampler", "random.learned_unigram_candidate_sampler")
def learned_unigram_candidate_sampler(
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Candidates:
    """Classes by how often they were among the true ones of earlier calls, and once more.

    Calls with the same arguments and seed share the learned counts; ``tf.random.set_seed``
    forgets it. With a global seed alone every call is a new one.

    >>> import cinta as tf
    >>> true = tf.constant([[0], [3]], tf.int64)
    >>> sampled, *_ = tf.random.learned_unigram_candidate_sampler(true, 1, 2, True, 9)
    >>> len(set(sampled.numpy()))
    2

    Args:
        true_classes: Integers ``[batch, num_true]``.
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether a class is drawn only once.
        range_max: How many classes there are.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    sampler, range_max = LearnedUnigramCandidateSampler, _positive(range_max)
    num_sampled, unique = whole_number(num_sampled, "num_sampled"), flag(unique, "unique")
    num_true = whole_number(num_true, "num_true")
    true = _true_classes(sampler, true_classes, num_true, num_sampled, unique, range_max)
    check_memory(sampler.name, (range_max,), 4)
    own = checked_seed(seed)
    key = sampler.name, num_true, num_sampled, unique, range_max, own
    with seeds.lock:
        weights = seeds.learned.get(key, np.ones(range_max, np.int32))
        if own is not None or seeds.seed is None:
            seeds.learned[key] = weights + np.bincount(seen(true).ravel(), minlength=range_max)
        state = stream(own)(sampler, key, num_sampled * _RESERVED)
    drawn = sampler(state, true, as_tensor(weights), num_sampled=num_sampled, unique=unique)
    return Candidates(*drawn)


@public("nn.fixed_unigram_candidate_sampler", "random.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Candidates:
    """Classes by given weights, each raised to the power ``distortion``.

    The weights are ``unigrams``, or the last fields of the lines of ``vocab_file``. In front come
    ``num_reserved_ids`` classes that are never drawn; of all of them every ``num_shards``-th one
    from ``shard`` on is kept.

    >>> import cinta as tf
    >>> drawn = tf.random.fixed_unigram_candidate_sampler(
    ...     [[0]], 1, 2, False, range_max=2, unigrams=[0.0, 1.0]
    ... )
    >>> drawn.sampled_candidates.numpy()
    array([1, 1])

    Args:
        true_classes: Integers ``[batch, num_true]``.
        num_true: How many true classes an example has.
        num_sampled: How many classes to draw.
        unique: Whether a class is drawn only once.
        range_max: How many classes there are.
        vocab_file: A file with a line for each class.
        distortion: The power that weights are raised to.
        num_reserved_ids: How many classes in front are never drawn.
        num_shards: Of how many classes one is kept.
        shard: With which class that begins.
        unigrams: A weight for each class.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.

    Raises:
        InvalidArgumentError: If neither or both of ``vocab_file`` and ``unigrams`` are given, or
            there are not as many weights as classes.
    """
    vocab_file, power = text(vocab_file, "vocab_file"), number(distortion, "distortion")
    unigrams = [number(w, "unigrams") for w in listed(unigrams, "unigrams")]
    if bool(vocab_file) == bool(unigrams):
        given = "both" if vocab_file else "neither"
        raise InvalidArgumentError(f"Give one of vocab_file and unigrams; got {given}.")
    num_reserved_ids = whole_number(num_reserved_ids, "num_reserved_ids")
    num_shards, shard = whole_number(num_shards, "num_shards"), whole_number(shard, "shard")
    if not 0 <= shard < num_shards:
        raise InvalidArgumentError(f"shard must be in [0, num_shards), got {shard}, {num_shards}.")
    raw = [float(w) for w in unigrams] if unigrams else _weights_of(vocab_file)
    powers = [float(np.float32(np.float32(w) ** np.float64(power))) for w in raw]
    reserved = len(range(shard, num_reserved_ids, num_shards))
    # As in TensorFlow, the given weights are numbered from the reserved ones of this shard on.
    kept = [w for i, w in enumerate(powers, reserved) if i % num_shards == shard]
    classes, count = whole_number(range_max, "range_max"), reserved + len(kept)
    if count != classes:
        raise InvalidArgumentError(f"range is {classes}, must be equal to weights size {count}")
    if not any(kept):
        raise InvalidArgumentError(f"The weights of `unigrams` must not all be 0, got {raw}.")
    sampler = FixedUnigramCandidateSampler
    check_memory(sampler.name, (count,), 64)  # each is a number of Python's
    weights = (*[0.0] * reserved, *kept)
    return _drawn(
        sampler, true_classes, num_true, num_sampled, unique, classes, seed, weights=weights
    )


def _weights_of(vocab_file: str) -> list[float]:
    op = FixedUnigramCandidateSampler.name
    with translated(vocab_file, op), open(vocab_file, encoding="utf-8") as lines:
        return [float(line.rpartition(",")[2]) for line in lines]


def _positive(range_max: int) -> int:
    found = whole_number(range_max, "range_max")
    if found <= 0:
        raise InvalidArgumentError(f"range_max must be positive, got {range_max}")
    return found


def _drawn(
    sampler: Op,
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    classes: int,
    seed: int | None,
    **attrs: object,
) -> Candidates:
    num_true = whole_number(num_true, "num_true")
    num_sampled = whole_number(num_sampled, "num_sampled")
    unique, classes = flag(unique, "unique"), whole_number(classes, "range_max")
    true = _true_classes(sampler, true_classes, num_true, num_sampled, unique, classes)
    check_memory(sampler.name, (num_sampled,), 64)  # each is a number of Python's for a time
    name = (num_true, num_sampled, unique, *attrs.values())
    state = stream(seed)(sampler, name, num_sampled * _RESERVED)
    return Candidates(*sampler(state, true, num_sampled=num_sampled, unique=unique, **attrs))


def _true_classes(
    sampler: Op,
    true_classes: NumericLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    classes: int,
) -> Tensor:
    """Check what all samplers are given."""
    if isinstance(true_classes, Tensor) and true_classes.dtype != np.int64:
        raise InvalidArgumentError(
            f"true_classes must be int64, got {true_classes.dtype.name}. [Op:{sampler.name}]"
        )
    if num_sampled < 1:
        raise InvalidArgumentError(
            f"num_sampled must be at least 1, got {num_sampled} [Op:{sampler.name}]"
        )
    true = as_tensor(true_classes, np.dtype(np.int64))
    shape = true._array.shape
    if len(shape) != 2 or shape[1] != num_true:
        raise InvalidArgumentError(
            f"true_classes must be a matrix with num_true = {num_true} columns, got shape "
            f"{written(shape)} [Op:{sampler.name}]"
        )
    if unique and num_sampled > classes:
        raise InvalidArgumentError(
            f"Sampler's range is too small: {num_sampled} of {classes} classes cannot be unique. "
            f"[Op:{sampler.name}]"
        )
    outside = seen(true)[(seen(true) < 0) | (seen(true) >= classes)]
    if outside.size:
        raise InvalidArgumentError(
            f"`true_candidate` out of range [0, {classes}), received {outside[0]} "
            f"[Op:{sampler.name}]"
        )
    return true
