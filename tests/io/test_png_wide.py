"""PNG files with 16 bits a channel keep all digits."""

import struct
import zlib

import numpy as np
import pytest

import cinta as tf
from cinta.io.png_wide import wide_pixels

PASSES = (
    (0, 8, 0, 8),
    (0, 8, 4, 8),
    (4, 8, 0, 4),
    (0, 4, 2, 4),
    (2, 4, 0, 2),
    (0, 2, 1, 2),
    (1, 2, 0, 1),
)
COLORS = {1: 0, 2: 4, 3: 2, 4: 6}


def part(kind, content):
    checked = kind + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))


def file_of(image, interlaced=False, filters=None, transparent=b""):
    """A PNG file of an image; rows with a filter keep their bytes, so the pixels are others."""
    height, width, channels = image.shape
    stored = b""
    for top, down, left, right in PASSES if interlaced else [(0, 1, 0, 1)]:
        for row in image[top::down, left::right]:
            if row.size:
                kind = 0 if filters is None else int(filters.integers(0, 5))
                stored += bytes([kind]) + row.astype(">u2").tobytes()
    head = struct.pack(">IIBBBBB", width, height, 16, COLORS[channels], 0, 0, interlaced)
    more = part(b"tRNS", transparent) if transparent else b""
    parts = part(b"IHDR", head) + more + part(b"IDAT", zlib.compress(stored))
    return b"\x89PNG\r\n\x1a\n" + parts + part(b"IEND", b"")


def drawn(*shape):
    return np.random.default_rng(3).integers(0, 65536, shape, np.uint16)


@pytest.mark.parametrize("channels", COLORS)
@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (9, 3), (16, 11)])
def test_all_digits_are_there(channels, interlaced, shape):
    image = drawn(*shape, channels)
    content = file_of(image, interlaced)
    for decode in (tf.io.decode_png, tf.io.decode_image):
        assert np.array_equal(decode(content, dtype=tf.uint16).numpy(), image)
        assert np.array_equal(decode(content).numpy(), image >> 8)
    floats = tf.io.decode_image(content, dtype=tf.float32)
    np.testing.assert_allclose(floats.numpy(), image / 65535, rtol=1e-6)


@pytest.mark.parametrize("channels", COLORS)
def test_images_are_written_and_read_again(channels):
    image = drawn(6, 5, channels)
    for level in (-1, 0, 9):
        content = tf.io.encode_png(image, level)
        assert np.array_equal(tf.io.decode_png(content, dtype=tf.uint16).numpy(), image)


@pytest.mark.parametrize("channels", COLORS)
@pytest.mark.parametrize("interlaced", [False, True])
def test_filters_are_undone_alike_with_and_without_the_compiled_function(channels, interlaced):
    compiled = pytest.importorskip("cinta_kernels").unfiltered
    content = file_of(drawn(13, 9, channels), interlaced, np.random.default_rng(1))
    quick, slow = (wide_pixels(content, 0, each) for each in (compiled, None))
    assert np.array_equal(quick, slow)


def test_filters_are_undone():
    rows = b"".join([bytes([k, 0, 1, 0, 2, 0, 3]) for k in range(5)])  # a filter each, differences
    head = struct.pack(">IIBBBBB", 3, 5, 16, 0, 0, 0, 0)
    stored = part(b"IDAT", zlib.compress(rows))
    content = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + stored + part(b"IEND", b"")
    # TensorFlow's numbers
    expected = [[1, 2, 3], [1, 3, 6], [2, 5, 9], [2, 5, 10], [3, 7, 13]]
    assert wide_pixels(content, 0, None)[..., 0].tolist() == expected
    assert tf.io.decode_png(content, dtype=tf.uint16).numpy()[..., 0].tolist() == expected


def test_other_channels():
    image = np.array([[[1000, 20000, 65535], [7, 7, 7]]], np.uint16)
    content = file_of(image)
    gray = tf.io.decode_png(content, 1, tf.uint16).numpy()
    assert gray.ravel().tolist() == [19512, 7]  # TensorFlow's numbers
    assert tf.io.decode_png(content, 4, tf.uint16).numpy()[..., 3].tolist() == [[65535, 65535]]
    one = file_of(np.array([[[300], [7]]], np.uint16))
    assert tf.io.decode_png(one, 3, tf.uint16).numpy().tolist() == [[[300] * 3, [7] * 3]]
    assert tf.io.decode_png(one, 3).numpy().tolist() == [[[1] * 3, [0] * 3]]
    with_alpha = file_of(np.array([[[1, 2, 3, 4]]], np.uint16))
    assert tf.io.decode_png(with_alpha, 3, tf.uint16).numpy().tolist() == [[[1, 2, 3]]]


def test_one_color_may_be_transparent():
    image = np.array([[[1, 2, 3], [1, 2, 4]]], np.uint16)
    content = file_of(image, transparent=bytes([0, 1, 0, 2, 0, 3]))
    decoded = tf.io.decode_png(content, 4, tf.uint16).numpy()
    assert decoded.tolist() == [[[1, 2, 3, 0], [1, 2, 4, 65535]]]
    assert tf.io.decode_png(content, dtype=tf.uint16).shape == [1, 2, 3]


@pytest.mark.parametrize("cut", [30, 45, 60, -1])
def test_damaged_files_are_refused(cut):
    content = file_of(drawn(8, 8, 3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="damaged"):
        tf.io.decode_png(content[:cut], dtype=tf.uint16)
