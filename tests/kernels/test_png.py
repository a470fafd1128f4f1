"""Plain PNG files by the compiled function: they are what Pillow makes of them."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
from cinta.io.png import pixels_by  # noqa: E402
from tests.kernels.test_kernels import run  # noqa: E402

MODES = {1: ("L", 0), 2: ("LA", 4), 3: ("RGB", 2), 4: ("RGBA", 6)}


def read(contents, channels=0):
    return pixels_by(cinta_kernels.unfiltered, contents, channels)


def part(kind, content):
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def file_of(rows, width, color, *, changed=(), more=b""):
    """A PNG file of rows with their filters in front; `changed` are other values of its head."""
    facts = {"depth": 8, "compression": 0, "filters": 0, "interlaced": 0, **dict(changed)}
    head = struct.pack(">IIBBBBB", width, len(rows), facts["depth"], color, *[*facts.values()][1:])
    stored = zlib.compress(rows.tobytes())
    half = len(stored) // 2
    parts = part(b"IHDR", head) + more + part(b"IDAT", stored[:half]) + part(b"IDAT", stored[half:])
    return b"\x89PNG\r\n\x1a\n" + parts + part(b"IEND", b"")


def drawn(seed, height, width, channels):
    """Rows of bytes of all kinds, each with a filter in front."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, 256, (height, 1 + width * channels), dtype=np.uint8)
    rows[:, 0] = random.integers(0, 5, height)
    return rows


def of_pillow(contents):
    pixels = np.asarray(Image.open(io.BytesIO(contents)))
    return pixels if pixels.ndim == 3 else pixels[..., None]


@pytest.mark.parametrize("channels", MODES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (40, 33), (17, 256)])
def test_pixels_are_those_of_pillow(channels, shape):
    for seed in range(4):
        contents = file_of(drawn(seed, *shape, channels), shape[1], MODES[channels][1])
        assert np.array_equal(read(contents), of_pillow(contents))
        assert np.array_equal(read(contents, channels), of_pillow(contents))
        assert read(contents, channels % 4 + 1) is None


@pytest.mark.parametrize("channels", MODES)
def test_files_that_pillow_writes_are_plain(channels):
    ramp = np.add.outer(np.arange(90), np.arange(70 * channels)).astype(np.uint8)
    pixels = ramp.reshape(90, 70, channels)
    image = Image.fromarray(pixels[..., 0] if channels == 1 else pixels, MODES[channels][0])
    image.save(written := io.BytesIO(), "PNG")
    assert np.array_equal(read(written.getvalue()), pixels)


def test_others_are_left_to_pillow():
    rows = drawn(0, 6, 5, 3)
    good = file_of(rows, 5, 2)
    assert read(good) is not None
    wrong_filter = rows.copy()
    wrong_filter[2, 0] = 5
    other = [
        *(file_of(rows, 5, 2, changed={name: 1}.items()) for name in ("depth", "interlaced")),
        *(file_of(rows, 5, color) for color in (0, 1, 3, 6)),
        file_of(rows, 5, 2, more=part(b"tRNS", bytes(6))),
        file_of(rows, 5, 2, more=part(b"IDAT", b"") + part(b"tEXt", b"a\0b")),
        file_of(wrong_filter, 5, 2),
        *(file_of(rows, width, 2) for width in (0, 4, 6, 1 << 30)),
        *(good[:end] for end in (0, 7, 8, 20, 40, len(good) - 12, len(good) - 1)),
        b"GIF89a" + good,
    ]
    assert all(read(each) is None for each in other)


def test_no_damaged_byte_gives_other_pixels():
    rows = drawn(1, 6, 5, 3)
    good = file_of(rows, 5, 2)
    for at in range(len(good)):
        bad = bytearray(good)
        bad[at] ^= 0x20
        assert read(bytes(bad)) is None, at


def test_rows_that_cannot_be_are_refused():
    rows = drawn(2, 4, 6, 1)
    for filters, pixels, channels in (
        (np.full(4, 5, np.uint8), rows[:, 1:], 3),
        (rows[:, 0], rows[:, 1:], 4),
        (rows[:, 0], rows[:, 1:], 0),
        (rows[:, 0], rows[:, 1:], 9),
        (rows[:, 0], rows[:, 1::2], 1),
    ):
        with pytest.raises(ValueError, match=r"no such|contiguous"):
            cinta_kernels.unfiltered(filters, pixels, np.uint8(channels))
    assert cinta_kernels.unfiltered(rows[:0, 0], rows[:0, 1:], np.uint8(3)).shape == (0, 6)


DECODED = """
import io
import numpy as np
from PIL import Image
import cinta as tf
from cinta.io import image_ops, png
pixels = np.add.outer(np.arange(40), np.arange(90)).astype(np.uint8).reshape(40, 30, 3)
image = Image.fromarray(pixels)
image.save(written := io.BytesIO(), "PNG")
contents = written.getvalue()
assert png.plain_pixels(contents, 0) is not None
opened = image_ops._opened
def told(*given):
    print("Pillow")
    return opened(*given)
image_ops._opened = told
for decode in (tf.io.decode_png, tf.io.decode_image):
    assert np.array_equal(decode(contents), pixels)
    assert np.array_equal(decode(contents, 3), pixels)
    gray = np.asarray(image.convert("L")).astype(int)  # of which libpng's shades differ by one
    assert abs(decode(contents, 1)[..., 0].numpy() - gray).max() <= 1
    assert decode(contents, dtype="uint16").dtype == tf.uint16
    try:
        decode(contents[:60])
    except tf.errors.InvalidArgumentError as error:
        assert "not an image that can be decoded" in str(error)
"""


def test_functions_decode_plain_files_by_it_and_others_by_pillow():
    done = run("-c", DECODED, kind="best")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Pillow") == 4
