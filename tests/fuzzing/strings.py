"""Strings of bytes that hold tensors or text."""

import numpy as np

import cinta as tf

from . import Kind
from .mutation import changed_bytes, changed_message

TENSORS = (
    tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    tf.constant(7, tf.int64),
    tf.constant([[1, 2, 3]], tf.int32),
    tf.constant(["a", "bc", ""]),
    tf.constant([True, False]),
    tf.constant([1 + 2j]),
    tf.constant([0.5], tf.bfloat16),
    tf.zeros([0, 3]),
)
TEXTS = (b"1,2.5,abc", b'3,,"a ""b"" c"', b"-7,1e-3,", b'" 8",nan,"x,y"')
DTYPES = (tf.float32, tf.int64, tf.bool, tf.complex64, tf.bfloat16, tf.uint8, tf.string)


class InNoFile(Kind):
    named = False

    def changed(self, rng):
        return {}, self.given(rng)

    def given(self, rng):
        """The strings to be read."""
        raise NotImplementedError


class Tensors(InNoFile):
    def given(self, rng):
        tensor = rng.choice(TENSORS)
        stored = tf.io.serialize_tensor(tensor).numpy()
        change = rng.choice((changed_bytes, changed_message))
        return change(rng, stored), tensor.dtype

    def read(self, folder, known):
        return tf.io.parse_tensor(*known)

    def check(self, value, known):
        assert value.dtype is known[1]
        flat = np.asarray(value).reshape(-1)[:1000]
        if value.dtype == tf.string:
            assert all(isinstance(each, bytes) for each in flat)
        if value.dtype == tf.bool:
            assert flat.view(np.uint8).max(initial=0) <= 1


class Raw(InNoFile):
    def given(self, rng):
        length = rng.choice((None, None, 1, 4, 7, 1000))
        strings = [rng.randbytes(rng.choice((0, 1, 8, 8, 24))) for _ in range(rng.randrange(4))]
        return strings, rng.choice(DTYPES), rng.random() < 0.5, length

    def read(self, folder, known):
        strings, dtype, little, length = known
        return tf.io.decode_raw(strings, dtype, little_endian=little, fixed_length=length)

    def check(self, value, known):
        assert value.dtype is known[1]
        assert value.shape[0] == len(known[0])


class Csv(InNoFile):
    def given(self, rng):
        lines = [changed_bytes(rng, rng.choice(TEXTS), TEXTS) for _ in range(rng.randrange(1, 4))]
        options = {"use_quote_delim": rng.random() < 0.8}
        if rng.randrange(4) == 0:
            options["field_delim"] = rng.choice((";", '"', "\n", "\t", "", "ab", "é"))
        if rng.randrange(4) == 0:
            options["select_cols"] = rng.choice(([0, 1, 2], [0, 2, 3], [2, 1, 0], [-1, 0, 1], [5]))
        return lines, options

    def read(self, folder, known):
        lines, options = known
        return tf.io.decode_csv(lines, [0, [1.5], ""], **options)

    def check(self, value, known):
        assert [each.dtype for each in value] == [tf.int32, tf.float32, tf.string]
        assert all(each.shape == [len(known[0])] for each in value)


class Base64(InNoFile):
    def given(self, rng):
        return changed_bytes(
            rng, tf.io.encode_base64(rng.randbytes(20), rng.random() < 0.5).numpy()
        )

    def read(self, folder, known):
        return tf.io.decode_base64(known)

    def check(self, value, known):
        bare = known.rstrip(b"=")
        assert len(value.numpy()) == len(bare) * 3 // 4


KINDS = {"tensors": Tensors(), "raw": Raw(), "csv": Csv(), "base64": Base64()}
