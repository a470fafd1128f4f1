"""Max pooling across channels: a window of one pixel and of several channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.dtype_kinds import REAL
from ....engine.shapes import written
from ....errors import InvalidArgumentError, UnimplementedError
from ...arguments import tensor_of, whole_numbers
from ...arrays.shaping import reshape
from ..sliding_windows import window_over
from .rules import MaxPool

if TYPE_CHECKING:
    from ....engine.annotations import ExplicitPadding, IntsLike, NumericLike, Padding
    from ....engine.tensor import Tensor


def covers_channels(ksize: IntsLike, data_format: str | None) -> bool:
    """Whether a window over images covers more than one of their channels, which come last."""
    lengths = whole_numbers(ksize, "ksize")
    return len(lengths) == 4 and lengths[3] > 1 and data_format in (None, "NHWC")


def max_pool_across_channels(
    input: NumericLike, ksize: IntsLike, strides: IntsLike, padding: Padding | ExplicitPadding
) -> Tensor:
    """The largest of each group of channels of each pixel."""
    x = tensor_of("MaxPool", input, REAL)
    if x.ndim != 4:
        raise InvalidArgumentError(
            "input must be 4-dimensional, batches and channels included: "
            f"{written(x._array.shape)} [Op:MaxPool]"
        )
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
    _check_steps(x, strides, padding, depth)
    window = window_over("MaxPool", (channels,), depth, depth, "VALID", 1, False)
    groups = MaxPool(reshape(x, [-1, channels, 1]), window=window)
    return reshape(groups, [*x._array.shape[:-1], channels // depth])


def _check_steps(
    x: Tensor, strides: IntsLike, padding: Padding | ExplicitPadding, depth: int
) -> None:
    steps = whole_numbers(strides, "strides")
    over_pixels = (*steps[:-1], 1) if len(steps) == 4 else steps
    window_over("MaxPool", x._array.shape[1:3], 1, over_pixels, padding, 1)
    if isinstance(padding, (list, tuple)):
        raise UnimplementedError(
            "Depthwise max pooling with explicit padding is not supported: give "
            'padding="VALID" [Op:MaxPool]'
        )
    if len(steps) != 4 or steps[-1] != depth:
        raise UnimplementedError(
            "Depthwise max pooling requires the depth window to equal the depth stride: got "
            f"strides={[*steps]} for a window of {depth} channels [Op:MaxPool]"
        )
