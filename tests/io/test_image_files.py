"""Images as bytes: what is written is read, and damaged files are refused."""

import io
import sys

import numpy as np
import pytest
from PIL import Image

import cinta as tf


def pixels(*shape, dtype=np.uint8):
    return np.random.default_rng(0).integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def stored(array, kind, **options):
    out = io.BytesIO()
    Image.fromarray(array).save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_keeps_every_pixel(channels):
    image = pixels(5, 7, channels)
    content = tf.io.encode_png(image)
    for decode in (tf.io.decode_png, tf.io.decode_image, tf.image.decode_png):
        assert np.array_equal(decode(content).numpy(), image)


def test_png_of_16_bits():
    image = pixels(5, 7, 1, dtype=np.uint16)
    content = tf.io.encode_png(image)
    assert np.array_equal(tf.io.decode_png(content, dtype=tf.uint16).numpy(), image)
    assert np.array_equal(tf.io.decode_png(content).numpy(), image >> 8)


def test_channels_that_are_asked_for():
    image = pixels(5, 7, 3)
    content = tf.io.encode_png(image)
    assert tf.io.decode_png(content, channels=1).shape == [5, 7, 1]
    with_alpha = tf.io.decode_png(content, channels=4).numpy()
    assert np.array_equal(with_alpha[..., :3], image)
    assert (with_alpha[..., 3] == 255).all()
    wide = tf.io.decode_png(content, dtype=tf.uint16).numpy()
    assert np.array_equal(wide, image.astype(np.uint16) * 257)


def test_jpeg_is_close():
    ramp = np.linspace(0, 255, 32 * 32 * 3).reshape(32, 32, 3).astype(np.uint8)
    content = tf.io.encode_jpeg(ramp, quality=95, chroma_downsampling=False)
    assert tf.io.is_jpeg(content).numpy()
    assert tf.io.extract_jpeg_shape(content).numpy().tolist() == [32, 32, 3]
    decoded = tf.io.decode_jpeg(content).numpy()
    assert np.abs(decoded.astype(int) - ramp).max() < 12
    assert tf.io.decode_jpeg(content, ratio=2).shape == [16, 16, 3]
    assert tf.io.decode_jpeg(content, channels=1).shape == [32, 32, 1]


@pytest.mark.parametrize("compiled", [None, False])
def test_windows_of_jpeg(compiled):
    content = tf.io.encode_jpeg(pixels(37, 53, 3))
    crop = tf.io.decode_and_crop_jpeg
    if compiled is not None:
        crop = tf.function(crop)
    for window, how in (
        ([3, 5, 10, 20], {}),
        ([0, 0, 37, 53], {}),
        ([1, 1, 3, 4], {"channels": 1}),
    ):
        top, left, height, width = window
        whole = tf.io.decode_jpeg(content, **how)
        found = crop(content, tf.constant(window), **how)
        assert np.array_equal(found, whole[top : top + height, left : left + width])
    assert crop(content, tf.constant([0, 0, 19, 27]), ratio=2).shape == [19, 27, 3]
    assert tf.image.decode_and_crop_jpeg(content, [36, 52, 1, 1]).shape == [1, 1, 3]


@pytest.mark.parametrize(
    ("window", "message"),
    [
        ([0, 0, 38, 53], "must lie in an image of .37,53. pixels"),
        ([-1, 0, 3, 3], "crop window"),
        ([0, 0, 0, 3], "crop window"),
        ([36, 52, 1, 2], "crop window"),
        ([0, 0, 3], "four numbers"),
        ([[0, 0, 3, 3]], "four numbers"),
    ],
)
def test_windows_that_are_refused(window, message):
    content = tf.io.encode_jpeg(pixels(37, 53, 3))
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.io.decode_and_crop_jpeg(content, window)


def test_windows_are_whole_numbers():
    content = tf.io.encode_jpeg(pixels(8, 8, 3))
    with pytest.raises(TypeError):
        tf.io.decode_and_crop_jpeg(content, [0.0, 0, 3, 3])


def test_bmp():
    image = pixels(5, 7, 3)
    assert np.array_equal(tf.io.decode_bmp(stored(image, "BMP")).numpy(), image)


def test_gif():
    frames = [Image.fromarray(np.full((4, 6, 3), 80 * i, np.uint8)) for i in range(3)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    content = out.getvalue()
    assert tf.io.decode_gif(content)[:, 0, 0, 0].numpy().tolist() == [0, 80, 160]
    assert tf.io.decode_image(content).shape == [3, 4, 6, 3]
    assert tf.io.decode_image(content, expand_animations=False).shape == [4, 6, 3]


def test_images_as_floats():
    image = pixels(2, 2, 3)
    decoded = tf.io.decode_image(tf.io.encode_png(image), dtype=tf.float32).numpy()
    assert np.allclose(decoded, image / 255)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.io.decode_png("nonsense"), r"not an image.*DecodePng"),
        (lambda: tf.io.decode_png(tf.io.encode_png(pixels(2, 2, 1)), channels=5), "channels"),
        (lambda: tf.io.decode_png(tf.io.encode_png(pixels(2, 2, 1)), dtype=tf.int32), "uint8 or"),
        (lambda: tf.io.encode_png(pixels(2, 2)), r"got shape \[2,2\]"),
        (lambda: tf.io.encode_png(pixels(2, 2, 5, dtype=np.uint16)), "1 or 2 or 3 or 4 channels"),
        (lambda: tf.io.encode_jpeg(pixels(2, 2, 3, dtype=np.uint16)), "tf.uint8, or"),
        (lambda: tf.io.encode_jpeg(pixels(2, 2, 4)), "1 or 3 channels"),
        (lambda: tf.io.encode_jpeg(pixels(2, 2, 3), format="cmyk"), "format"),
        (lambda: tf.io.decode_jpeg(stored(pixels(2, 2, 3), "JPEG"), ratio=3), "ratio"),
    ],
)
def test_images_that_are_refused(call, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install 'cinta\[image\]'"):
        tf.io.decode_png(b"")


def test_images_lose_as_much_as_jpeg_files_of_their_quality():
    image = np.random.default_rng(0).integers(0, 256, (16, 16, 3)).astype(np.uint8)
    losses = [
        np.abs(tf.image.adjust_jpeg_quality(image, q).numpy().astype(int) - image).mean()
        for q in (90, 50, 10)
    ]
    assert losses == sorted(losses)
    floats = tf.image.adjust_jpeg_quality(image / np.float32(255), 50)
    assert floats.dtype == tf.float32
    np.testing.assert_allclose(floats * 255, tf.image.adjust_jpeg_quality(image, 50), atol=1)
    one = tf.image.stateless_random_jpeg_quality(image, 20, 90, (1, 2))
    same = tf.image.stateless_random_jpeg_quality(image, 20, 90, (1, 2))
    np.testing.assert_array_equal(one, same)
    only = tf.image.random_jpeg_quality(image, 50, 51)
    np.testing.assert_array_equal(only, tf.image.adjust_jpeg_quality(image, 50))
    with pytest.raises(tf.errors.InvalidArgumentError, match="from 0 to 100"):
        tf.image.adjust_jpeg_quality(image, 101)
    with pytest.raises(ValueError, match="between 0 and 100"):
        tf.image.random_jpeg_quality(image, -1, 9)
    with pytest.raises(ValueError, match="must be less"):
        tf.image.random_jpeg_quality(image, 9, 9)


@pytest.mark.parametrize("batch", [(1,), (2, 3), (0,)])
def test_a_batch_of_images_becomes_as_many_files(batch):
    images = np.arange(np.prod(batch) * 24, dtype=np.uint8).reshape(*batch, 2, 4, 3)
    files = tf.io.encode_png(images)
    assert files.shape == batch
    for place in np.ndindex(batch):
        np.testing.assert_array_equal(tf.io.decode_png(files[place]), images[place])


def test_colors_become_gray_as_in_libpng():
    colors = np.array([[[30, 31, 3], [77, 77, 77], [255, 255, 255], [216, 177, 243]]], np.uint8)
    content = tf.io.encode_png(colors)
    for decode in (tf.io.decode_png, tf.io.decode_image):
        np.testing.assert_array_equal(decode(content, channels=1)[..., 0], [[27, 77, 255, 196]])


def test_whole_numbers_of_wider_dtypes_have_the_whole_range():
    content = tf.io.encode_png(np.array([[[216], [255], [0]]], np.uint8))
    for dtype, expected in [
        (tf.uint16, [55512, 65535, 0]),
        (tf.int16, [27756, 32767, 0]),
        (tf.uint32, [55512 << 16, 65535 << 16, 0]),
        (tf.int8, [108, 127, 0]),
    ]:
        np.testing.assert_array_equal(
            tf.io.decode_image(content, dtype=dtype).numpy().ravel(), expected
        )


# -- WebP: the pixels are those that TensorFlow gives ------------------------------------------


def webp(*pictures, **how):
    """The content of a file with these frames."""
    first, *others = [Image.fromarray(each) for each in pictures]
    written = io.BytesIO()
    more = {"save_all": True, "append_images": others} if others else {}
    first.save(written, "WEBP", **{"lossless": True, **how, **more})
    return written.getvalue()


WEBP_PIXELS = np.random.default_rng(0).integers(0, 256, (6, 5, 3)).astype(np.uint8)
WITH_OPACITY = np.dstack([WEBP_PIXELS, np.full((6, 5), 100, np.uint8)])


@pytest.mark.parametrize("pixels", [WEBP_PIXELS, WITH_OPACITY])
def test_webp_pictures(pixels):
    content, count = webp(pixels), pixels.shape[-1]
    for channels in (0, count):
        np.testing.assert_array_equal(tf.io.decode_webp(content, channels), pixels[None])
    np.testing.assert_array_equal(tf.io.decode_image(content), pixels[None])
    np.testing.assert_array_equal(tf.io.decode_image(content, expand_animations=False), pixels)
    floats = tf.io.decode_image(content, dtype=tf.float32)
    np.testing.assert_allclose(floats, pixels[None] / 255.0, rtol=1e-6)
    decoded = tf.function(lambda c: tf.image.decode_webp(c))(tf.constant(content))
    np.testing.assert_array_equal(decoded, pixels[None])
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not match input"):
        tf.io.decode_webp(content, 7 - count)


def test_animated_webp_pictures_give_their_frames():
    frames = [np.full((4, 4, 3), 60 * i, np.uint8) for i in range(3)]
    content = webp(*frames)
    np.testing.assert_array_equal(tf.io.decode_webp(content), frames)
    np.testing.assert_array_equal(tf.io.decode_image(content), frames)
    np.testing.assert_array_equal(tf.io.decode_image(content, expand_animations=False), frames[0])


def test_what_is_no_webp_picture_is_refused():
    content = webp(WEBP_PIXELS)
    for call, message in [
        (lambda: tf.io.decode_webp(content, 1), "only supports 3 or 4 channels"),
        (lambda: tf.io.decode_webp(content, dtype=tf.float32), "dtype must be tf.uint8"),
        (lambda: tf.io.decode_webp(b"abc"), "not a WebP image"),
        (lambda: tf.io.decode_webp(content[:20]), "not an image that can be decoded"),
        (lambda: tf.io.decode_webp([content]), "must be scalar"),
        (lambda: tf.io.decode_image(b"abc"), "PNG, JPEG, GIF, BMP, WebP can be read"),
        (lambda: tf.io.decode_png(b"abc"), "PNG, JPEG, GIF, BMP can be read"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            call()
