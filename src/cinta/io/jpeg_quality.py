"""Images as they look after they were stored as JPEG files of some quality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import dtypes
from ..engine.convert import as_tensor
from ..errors import InvalidArgumentError
from ..ops.arguments import whole_number
from ..ops.image.dtype_conversion import convert_image_dtype
from ..ops.random.stateful import uniform
from ..ops.random.stateless import stateless_uniform
from ..public import public
from .image_files import decode_jpeg
from .image_writing import encode_jpeg

if TYPE_CHECKING:
    from ..engine.annotations import IntLike, NumericLike
    from ..engine.tensor import Tensor


@public("image.adjust_jpeg_quality")
def adjust_jpeg_quality(
    image: NumericLike, jpeg_quality: IntLike, dct_method: str = "", name: str | None = None
) -> Tensor:
    """The image with what is lost when it is stored as a JPEG file of this quality, 0 to 100.

    >>> import cinta as tf
    >>> tf.image.adjust_jpeg_quality(tf.ones([8, 8, 3]), 75).shape
    TensorShape([8, 8, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        jpeg_quality: The quality, from 0 to 100.
        dct_method: Accepted: Pillow chooses the method.

    Raises:
        InvalidArgumentError: If the quality is out of range.
    """
    given = as_tensor(image)
    quality = whole_number(jpeg_quality, "jpeg_quality")
    if not 0 <= quality <= 100:
        raise InvalidArgumentError(
            f"jpeg_quality must be from 0 to 100, got {quality} [Op:EncodeJpegVariableQuality]"
        )
    stored = encode_jpeg(convert_image_dtype(given, dtypes.uint8, saturate=True), quality=quality)
    return convert_image_dtype(decode_jpeg(stored), given.dtype, saturate=True)


@public("image.random_jpeg_quality")
def random_jpeg_quality(
    image: NumericLike,
    min_jpeg_quality: IntLike,
    max_jpeg_quality: IntLike,
    seed: int | None = None,
) -> Tensor:
    """`tf.image.adjust_jpeg_quality` by a random quality, below the second one.

    >>> import cinta as tf
    >>> tf.image.random_jpeg_quality(tf.ones([8, 8, 3]), 75, 95).shape
    TensorShape([8, 8, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        min_jpeg_quality: The least quality, from 0.
        max_jpeg_quality: A greater number up to 100, below which the quality lies.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    low, high = _range(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, uniform([], low, high, dtypes.int32, seed))


@public("image.stateless_random_jpeg_quality")
def stateless_random_jpeg_quality(
    image: NumericLike, min_jpeg_quality: IntLike, max_jpeg_quality: IntLike, seed: NumericLike
) -> Tensor:
    """`random_jpeg_quality` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> tf.image.stateless_random_jpeg_quality(tf.ones([8, 8, 3]), 75, 95, seed=(1, 2)).shape
    TensorShape([8, 8, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        min_jpeg_quality: The least quality, from 0.
        max_jpeg_quality: A greater number up to 100, below which the quality lies.
        seed: Two whole numbers.
    """
    low, high = _range(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, stateless_uniform([], seed, low, high, dtypes.int32))


def _range(low: IntLike, high: IntLike) -> tuple[int, int]:
    low, high = whole_number(low, "min_jpeg_quality"), whole_number(high, "max_jpeg_quality")
    if low < 0 or not 0 <= high <= 100:
        raise ValueError(
            "jpeg encoding range must be between 0 and 100, got min_jpeg_quality "
            f"{low} and max_jpeg_quality {high}."
        )
    if low >= high:
        raise ValueError(
            f"`min_jpeg_quality` must be less than `max_jpeg_quality`, got {low} and {high}."
        )
    return low, high
