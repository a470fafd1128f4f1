"""Strings put into buckets by their hash: the buckets are TensorFlow's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import text, whole_number, whole_numbers
from .hash_functions import fingerprint, murmur, siphash
from .string_arrays import elementwise, strings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule, IntLike, TensorLike
    from ...engine.shapes import Positive
    from ...engine.tensor import Array, Tensor


@public("fingerprint")
def fingerprint_of_rows(
    data: TensorLike, method: str = "farmhash64", name: str | None = None
) -> Tensor:
    """The hash of each row, by FarmHash, as eight bytes: the same in all processes and versions.

    >>> import cinta as tf
    >>> tf.fingerprint([b"a", b"b"]).shape
    TensorShape([2, 8])

    Args:
        data: A tensor with at least one axis; numbers are hashed as the bytes that they are
            stored in.
        method: The only one is "farmhash64".

    Raises:
        InvalidArgumentError: If the data are a scalar, or the method is another.
    """
    array = np.asarray(seen(as_tensor(data)))
    if not array.ndim:
        raise InvalidArgumentError("`data` should have at least one dimension: [] [Op:Fingerprint]")
    if text(method, "method") != "farmhash64":
        raise InvalidArgumentError(f"Unsupported fingerprint method: {method} [Op:Fingerprint]")
    hashes = [fingerprint(_bytes_of(row)) for row in array]
    return wrap(np.array(hashes, "<u8").view(np.uint8).reshape(-1, 8))


def _bytes_of(row: Any) -> bytes:
    """The bytes of a row that are hashed: the hashes of several strings stand for them."""
    if isinstance(row, bytes):
        return row
    if row.dtype == object:
        hashes = [fingerprint(each) for each in row.reshape(-1)]
        return row.item() if row.size == 1 else np.array(hashes, "<u8").tobytes()
    return np.ascontiguousarray(row).tobytes()


@public("strings.to_hash_bucket")
def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """The number of the bucket of each string, by MurmurHash.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket(["Hello", "TensorFlow"], 3).numpy()
    array([2, 0])

    Args:
        input: A tensor of strings.
        num_buckets: How many buckets there are.
    """
    return StringToHashBucket(strings_of(input), count=_count("StringToHashBucket", num_buckets))


@public("strings.to_hash_bucket_fast")
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """The number of the bucket of each string, by FarmHash.

    An attacker who knows the function can make strings that all fall into one bucket; if that
    matters, use ``to_hash_bucket_strong``.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow"], 3).numpy()
    array([0, 2])

    Args:
        input: A tensor of strings.
        num_buckets: How many buckets there are.
    """
    count = _count("StringToHashBucketFast", num_buckets)
    return StringToHashBucketFast(strings_of(input), count=count)


@public("strings.to_hash_bucket_strong")
def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """The number of the bucket of each string, by SipHash with a key of two numbers.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy()
    array([2, 0])

    Args:
        input: A tensor of strings.
        num_buckets: How many buckets there are.
        key: Two whole numbers.

    Raises:
        InvalidArgumentError: If there are not two.
    """
    secret = whole_numbers(key, "key")
    if len(secret) != 2:
        raise InvalidArgumentError(
            f"Key must have 2 elements, got {list(secret)} [Op:StringToHashBucketStrong]"
        )
    count = _count("StringToHashBucketStrong", num_buckets)
    return StringToHashBucketStrong(strings_of(input), count=count, key=(secret[0], secret[1]))


def _count(op: str, num_buckets: IntLike) -> int:
    count = whole_number(num_buckets, "num_buckets")
    if count < 1:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {count} must be at least minimum 1 [Op:{op}]"
        )
    return count


@op("StringToHashBucket")
def StringToHashBucket(xp: ArrayModule, input: Array, *, count: Positive) -> Array:
    """The bucket of each string, by MurmurHash."""
    return _buckets(murmur, input, count)


@op("StringToHashBucketFast")
def StringToHashBucketFast(xp: ArrayModule, input: Array, *, count: Positive) -> Array:
    """The bucket of each string, by FarmHash."""
    return _buckets(fingerprint, input, count)


@op("StringToHashBucketStrong")
def StringToHashBucketStrong(
    xp: ArrayModule, input: Array, *, count: Positive, key: tuple[int, int]
) -> Array:
    """The bucket of each string, by SipHash."""
    return _buckets(partial(siphash, key=key), input, count)


for each in (StringToHashBucket, StringToHashBucketFast, StringToHashBucketStrong):
    each.no_grad()


def _buckets(hashed: Callable[[bytes], int], strings: Array, count: int) -> Array:
    return elementwise(lambda s: hashed(s) % count, strings, dtype=np.dtype(np.int64))
