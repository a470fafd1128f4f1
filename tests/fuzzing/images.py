"""Images: PNG, JPEG, GIF, BMP and WebP."""

import io
import zlib
from functools import cache

import numpy as np

import cinta as tf

from . import Kind
from .mutation import NUMBERS, changed_bytes

MODES = {
    "PNG": ("L", "LA", "RGB", "RGBA", "1", "P", "I;16"),
    "JPEG": ("L", "RGB", "CMYK"),
    "GIF": ("L", "P", "RGB"),
    "BMP": ("1", "L", "P", "RGB"),
    "WEBP": ("RGB", "RGBA"),
}


@cache
def images(form):
    """Small images of all modes."""
    from PIL import Image

    found = []
    shades = np.arange(120, dtype=np.uint8).reshape(10, 12) * 2
    for mode in MODES[form]:
        if mode == "I;16":
            image = Image.fromarray(shades.astype(np.uint16) * 200)
        else:
            image = Image.fromarray(shades).convert(mode)
        out = io.BytesIO()
        more = (
            {"save_all": True, "append_images": [image.rotate(90)]}
            if form in ("GIF", "WEBP")
            else {}
        )
        image.save(out, form, **more)
        found.append(out.getvalue())
    return tuple(found)


def changed_chunks(rng, data):
    """A PNG with a change in one of its chunks, whose checksum is right."""
    at = 8
    chunks = []
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        chunks.append([data[at + 4 : at + 8], data[at + 8 : at + 8 + size]])
        at += 12 + size
    place = rng.randrange(len(chunks))
    name, content = chunks[place]
    way = rng.randrange(5)
    if way == 0 and content:
        chunks[place][1] = changed_bytes(rng, content)
    elif way == 1:
        chunks.insert(rng.randrange(len(chunks)), [name, content])
    elif way == 2:
        del chunks[place]
    elif way == 3 and name == b"IDAT":
        chunks[place][1] = zlib.compress(changed_bytes(rng, zlib.decompress(content)))
    else:
        kind = rng.choice((b"tEXt", b"zTXt", b"iTXt", b"iCCP", b"PLTE", b"tRNS", b"acTL", b"fcTL"))
        chunks.insert(1, [kind, rng.randbytes(rng.choice((0, 3, 26, 768)))])
    out = data[:8]
    for name, content in chunks:
        out += len(content).to_bytes(4, "big") + name + content
        out += zlib.crc32(name + content).to_bytes(4, "big")
    return out


def changed_numbers(rng, data):
    """An image with another number in its first bytes, where sizes stand."""
    place, size = rng.randrange(2, 60), rng.choice((1, 2, 4))
    number = (rng.choice(NUMBERS) % 256**size).to_bytes(size, rng.choice(("little", "big")))
    return data[:place] + number + data[place + size :]


class Images(Kind):
    named = False

    def __init__(self, form, decode):
        self.form, self.decode = form, decode

    def changed(self, rng):
        data = rng.choice(images(self.form))
        ways = [lambda rng, data: changed_bytes(rng, data, images(self.form)), changed_numbers]
        if self.form == "PNG":
            ways.append(changed_chunks)
        how = rng.choice((self.decode, self.decode, tf.io.decode_image, tf.io.extract_jpeg_shape))
        return {}, (rng.choice(ways)(rng, data), how)

    def read(self, folder, known):
        data, decode = known
        return decode(data)

    def check(self, value, known):
        if known[1] is tf.io.extract_jpeg_shape:
            assert value.shape == [3]
        else:
            assert value.dtype == tf.uint8
            assert value.shape.rank in (3, 4)
            assert value.shape[-1] in (1, 2, 3, 4)


KINDS = {
    "png": Images("PNG", tf.io.decode_png),
    "jpeg": Images("JPEG", tf.io.decode_jpeg),
    "gif": Images("GIF", tf.io.decode_gif),
    "bmp": Images("BMP", tf.io.decode_bmp),
    "webp": Images("WEBP", tf.io.decode_webp),
}
