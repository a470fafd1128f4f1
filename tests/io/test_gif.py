"""The frames of GIF files are those of TensorFlow, also where pictures are small or transparent."""

import struct

import numpy as np
import pytest

import cinta as tf

COLORS = ((10, 20, 30), (40, 50, 60), (70, 80, 90), (100, 110, 120))


def gif_of(width, height, *pictures, colors=COLORS):
    """A GIF file of pictures: their left and top, rows of numbers of colors, the number that is
    transparent, and how to dispose of the picture."""
    parts = [b"GIF89a", struct.pack("<2H3B", width, height, 0x81, 1, 0), *map(bytes, colors)]
    for left, top, rows, transparent, disposal in pictures:
        shown = 0 if transparent is None else transparent
        flags = disposal << 2 | (transparent is not None)
        parts += [b"\x21\xf9\x04", bytes((flags, 0, 0, shown, 0))]
        parts += [b"\x2c", struct.pack("<4HB", left, top, len(rows[0]), len(rows), 0)]
        parts.append(_compressed([number for row in rows for number in row]))
    return b"".join([*parts, b"\x3b"])


def _compressed(numbers):
    """Numbers below 4 as codes of three bits, with a code before each two that begins anew."""
    codes = [code for i in range(0, len(numbers), 2) for code in (4, *numbers[i : i + 2])]
    bits = sum(code << 3 * i for i, code in enumerate([*codes, 5]))
    data = bits.to_bytes(3 * len(codes) // 8 + 2, "little")
    return bytes((2, len(data))) + data + b"\0"


NONE = -1  # black
CASES = {
    "transparent at first": (
        (2, 2, (0, 0, [[1, 2], [3, 1]], 1, 0)),
        [[[NONE, 2], [3, NONE]]],
    ),
    "transparent later": (
        (2, 1, (0, 0, [[1, 2]], None, 1), (0, 0, [[0, 3]], 0, 1)),
        [[[1, 2]], [[1, 3]]],
    ),
    "smaller than the screen": (
        (4, 3, (1, 0, [[1, 2], [3, 0]], None, 0)),
        [[[NONE, 1], [NONE, 3]]],
    ),
    "a part": (
        (3, 1, (0, 0, [[1, 1, 1]], None, 1), (1, 0, [[2]], None, 1)),
        [[[1, 1, 1]], [[1, 2, 1]]],
    ),
    "back to the background": (
        (2, 1, (0, 0, [[2, 3]], None, 2), (1, 0, [[0]], None, 0)),
        [[[2, 3]], [[2, 0]]],
    ),
    "back to the former": (
        (2, 1, (0, 0, [[2, 3]], None, 3), (1, 0, [[0]], None, 0)),
        [[[2, 3]], [[2, 0]]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pictures_are_laid_over_each_other(name):
    file, numbers = CASES[name]
    content = gif_of(*file)
    expected = np.array([*COLORS, (0, 0, 0)], np.uint8)[np.array(numbers)]
    np.testing.assert_array_equal(tf.io.decode_gif(content), expected)
    np.testing.assert_array_equal(tf.io.decode_image(content), expected)
    first = tf.io.decode_image(content, expand_animations=False)
    np.testing.assert_array_equal(first, expected[0])
    if len(expected) == 1:
        np.testing.assert_array_equal(tf.io.decode_png(content), expected[0])


def test_the_first_frame_is_as_large_as_all():
    content = gif_of(3, 1, (0, 0, [[1]], None, 0), (0, 0, [[2, 2, 2]], None, 0))
    first = tf.io.decode_image(content, expand_animations=False).numpy()
    assert first.tolist() == [[list(COLORS[1]), [0, 0, 0], [0, 0, 0]]]


ANIMATED = gif_of(1, 1, (0, 0, [[1]], None, 0), (0, 0, [[2]], None, 0))
PLAIN = gif_of(1, 1, (0, 0, [[1]], None, 0))
TWO_COLORS = gif_of(1, 1, (0, 0, [[3]], None, 0), colors=COLORS[:2]).replace(b"\x81", b"\x80", 1)


@pytest.mark.parametrize(
    ("decode", "message"),
    [
        (lambda: tf.io.decode_png(ANIMATED), "animated GIF of 2 frames"),
        (lambda: tf.io.decode_png(PLAIN, channels=1), "channels must be 0 or 3 for GIF, got 1"),
        (lambda: tf.io.decode_image(PLAIN, channels=4), "channels must be 0 or 3 for GIF, got 4"),
        (lambda: tf.io.decode_gif(PLAIN[:-4]), "ends too early"),
        (lambda: tf.io.decode_gif(PLAIN[:25] + b";"), "no picture"),
        (lambda: tf.io.decode_gif(PLAIN[:25] + b"?"), "begins with 0x3f"),
        (lambda: tf.io.decode_gif(TWO_COLORS), "a color that is not in its table"),
    ],
)
def test_refusals(decode, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        decode()


def test_a_file_may_lack_its_end():
    np.testing.assert_array_equal(tf.io.decode_gif(PLAIN[:-1]), tf.io.decode_gif(PLAIN))
