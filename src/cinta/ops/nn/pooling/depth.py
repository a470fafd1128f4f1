"""Max pooling across channels: a window of one pixel and of several channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.dtype_kinds import REAL
from ....errors import UnimplementedError
from ...arguments import tensor_of, whole_numbers
from ...arrays.shaping import reshape
from ..sliding_windows import window_over
from .rules import MaxPool

if TYPE_CHECKING:
    from ....engine.annotations import IntsLike, NumericLike
    from ....engine.tensor import Tensor


def covers_channels(ksize: IntsLike, data_format: str | None) -> bool:
    """Whether a window over images covers more than one of their channels, which come last."""
    lengths = whole_numbers(ksize, "ksize")
    return len(lengths) == 4 and lengths[3] > 1 and data_format in (None, "NHWC")


def max_pool_across_channels(input: NumericLike, ksize: IntsLike, strides: IntsLike) -> Tensor:
    """The largest of each group of channels of each pixel."""
    x = tensor_of("MaxPool", input, REAL)
    channels, (*pixels, depth) = x._array.shape[-1], whole_numbers(ksize, "ksize")
    if pixels != [1, 1, 1]:
        raise UnimplementedError(
            "MaxPooling supports exactly one of pooling across depth or pooling across "
            f"width/height: ksize must be [1, 1, 1, {depth}], got {[*pixels, depth]} [Op:MaxPool]"
        )
    if channels % depth:
        raise UnimplementedError(
            "Depthwise max pooling requires the depth window to evenly divide the input depth: "
            f"{channels} channels do not fall into groups of {depth} [Op:MaxPool]"
        )
    if (steps := whole_numbers(strides, "strides"))[-1] != depth:
        raise UnimplementedError(
            "Depthwise max pooling requires the depth window to equal the depth stride: got "
            f"strides={[*steps]} for a window of {depth} channels [Op:MaxPool]"
        )
    window = window_over("MaxPool", (channels,), depth, depth, "VALID", 1, False)
    groups = MaxPool(reshape(x, [-1, channels, 1]), window=window)
    return reshape(groups, [*x._array.shape[:-1], channels // depth])
