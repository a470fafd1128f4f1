"""Strings put into buckets by their hash: the buckets are TensorFlow's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import whole_number, whole_numbers
from .converting import elementwise, text_of
from .fingerprints import fingerprint, murmur, siphash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import IntLike, TensorLike
    from ...engine.tensor import Tensor


@public("strings.to_hash_bucket")
def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """The number of the bucket of each string, by MurmurHash.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket(["Hello", "TensorFlow"], 3).numpy()
    array([2, 0])
    """
    return _buckets("StringToHashBucket", murmur, input, num_buckets)


@public("strings.to_hash_bucket_fast")
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """The number of the bucket of each string, by FarmHash.

    An attacker who knows the function can make strings that all fall into one bucket; if that
    matters, use ``to_hash_bucket_strong``.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow"], 3).numpy()
    array([0, 2])
    """
    return _buckets("StringToHashBucketFast", fingerprint, input, num_buckets)


@public("strings.to_hash_bucket_strong")
def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """The number of the bucket of each string, by SipHash with a key of two numbers.

    >>> import cinta as tf
    >>> tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy()
    array([2, 0])
    """
    secret = whole_numbers(key, "key")
    if len(secret) != 2:
        raise InvalidArgumentError(
            f"Key must have 2 elements, got {list(secret)} [Op:StringToHashBucketStrong]"
        )
    return _buckets("StringToHashBucketStrong", partial(siphash, key=secret), input, num_buckets)


def _buckets(
    op: str, hashed: Callable[[bytes], int], strings: TensorLike, num_buckets: IntLike
) -> Tensor:
    count = whole_number(num_buckets, "num_buckets")
    if count < 1:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {count} must be at least minimum 1 [Op:{op}]"
        )
    return elementwise(lambda s: hashed(s) % count, text_of(strings), dtype=np.dtype(np.int64))
