"""Windows that slide over a line, an image or a volume: where they stand and what they see.

Batches come first and channels last; the axes between them are the *spatial* ones.
"""

from __future__ import annotations

from itertools import product
from math import prod
from types import EllipsisType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.arrays import at
from ...engine.fast_calls import on_one
from ...engine.primitives import Reshape, Transpose
from ...engine.shapes import Positive, Shape
from ...engine.strided import strided
from ...errors import InvalidArgumentError, UnimplementedError
from ..arguments import text, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...engine.annotations import ArrayModule, BasicIndex
    from ...engine.tensor import Array, Tensor

Pairs = tuple[tuple[int, int], ...]
"""For every spatial axis how much is put in front, and how much behind."""


class Window(NamedTuple):
    """A window, axis by axis: how many places it sees and how far apart they are, how far it
    steps, and what is put around the image.
    """

    size: tuple[Positive, ...]
    strides: tuple[Positive, ...]
    padding: Pairs
    dilations: tuple[Positive, ...]

    def spans(self) -> Shape:
        """How far it is from the first place that the window sees to the end of the last."""
        return tuple([(k - 1) * d + 1 for k, d in zip(self.size, self.dilations, strict=True)])

    def lengths(self, shape: Shape) -> Shape:
        """The lengths of the spatial axes in the shape of an image."""
        return tuple(shape[-1 - len(self.size) : -1])

    def counts(self, lengths: Sequence[int]) -> Shape:
        """How often the window fits along each axis of an image of these lengths."""
        axes = zip(lengths, self.padding, self.spans(), self.strides, strict=True)
        return tuple([(n + b + a - span) // s + 1 for n, (b, a), span, s in axes])

    def along(self, axis: int) -> Window:
        """The window without its extent along all spatial axes but one."""
        before, after = (1,) * axis, (1,) * (len(self.size) - axis - 1)
        size, strides, dilations = [
            (*before, each[axis], *after) for each in (self.size, self.strides, self.dilations)
        ]
        none = (0, 0)
        padding = (*(none for _ in before), self.padding[axis], *(none for _ in after))
        return Window(size, strides, padding, dilations)

    def taps(self, counts: Shape) -> Iterator[tuple[Shape, tuple[Any, ...]]]:
        """Every place in the window, with the index of what all windows together see there.

        The index is for a padded image along whose axes the window fits so many times.
        """
        for place in product(*[range(k) for k in self.size]):
            axes = zip(place, counts, self.strides, self.dilations, strict=True)
            seen = [slice(i * d, i * d + s * n, s) for i, n, s, d in axes]
            yield place, (..., *seen, slice(None))


class PlacedWindow(Window):
    """A window over images whose spatial axes have these lengths.

    Its padding follows from them if ``is_same``, as "SAME" says.
    """

    lengths_seen: Shape
    is_same: bool

    def over_plane(self) -> PlacedWindow:
        """The window over a line as one over an image that is one place wide."""
        size, strides, dilations = [(*x, 1) for x in (self.size, self.strides, self.dilations)]
        made = PlacedWindow(size, strides, (*self.padding, (0, 0)), dilations)
        made.lengths_seen, made.is_same = (*self.lengths_seen, 1), self.is_same
        return made


# -- on arrays ---------------------------------------------------------------------------------


def padded(xp: ArrayModule, x: Array, padding: Pairs, value: object = 0) -> Array:
    """The image with a constant around it; where a number is negative, that much is cut off."""
    if not any([any(pair) for pair in padding]):
        return x
    seen, inside = inner(padding)
    x = x[seen]
    whole = ((0, 0),) * (x.ndim - len(padding) - 1)
    widths = (*whole, *[(max(b, 0), max(a, 0)) for b, a in padding], (0, 0))
    if xp is not np:
        return xp.pad(x, widths, constant_values=value)
    result = np.zeros([b + n + a for (b, a), n in zip(widths, x.shape, strict=True)], x.dtype)
    if value:
        result.fill(value)
    result[inside] = x
    return result


Inside = tuple[EllipsisType | slice, ...]


def inner(padding: Pairs) -> tuple[Inside, Inside]:
    """The index of what stays of an image that is padded, and that of its place in the result."""
    kept = [slice(max(-b, 0), min(a, 0) or None) for b, a in padding]
    place = [slice(max(b, 0), -max(a, 0) or None) for b, a in padding]
    return (..., *kept, slice(None)), (..., *place, slice(None))


def views(x: Array, window: Window) -> Array:
    """The elements in each window of a padded NumPy array, as a view: axes for the windows, for the
    places in a window, and for the channels.
    """
    n = len(window.size)
    *front, channel = zip(x.shape, x.strides, strict=True)
    batches, axes = front[: len(front) - n], front[len(front) - n :]
    counts = window._replace(padding=((0, 0),) * n).counts(tuple([length for length, _ in axes]))
    steps = [step * s for (_, step), s in zip(axes, window.strides, strict=True)]
    inside = [step * d for (_, step), d in zip(axes, window.dilations, strict=True)]
    shape = (*[length for length, _ in batches], *counts, *window.size, channel[0])
    strides = (*[step for _, step in batches], *steps, *inside, channel[1])
    return strided(x, shape, strides)


def unfolded(xp: ArrayModule, x: Array, window: Window) -> Array:
    """The elements in each window of a padded image, with the axes of `views`."""
    if xp is np:
        return views(x, window)
    bare = window._replace(padding=((0, 0),) * len(window.size))
    counts = bare.counts(window.lengths(x.shape))
    seen = xp.stack([x[index] for _, index in window.taps(counts)], axis=-2)
    return xp.reshape(seen, (*seen.shape[:-2], *window.size, x.shape[-1]))


def seen_at(xp: ArrayModule, x: Array, index: tuple[EllipsisType | slice, ...]) -> Array:
    """The elements of all windows at a place, by an index of `Window.taps`, and by whole rows.

    Steps that follow take a tenth of their time then: NumPy does one pixel at a time otherwise.
    """
    seen: Array = x[index]
    if xp is not np or _has_rows(seen):
        return seen
    return np.ascontiguousarray(seen)


def _has_rows(seen: Array) -> bool:
    """Whether neighbors along the last spatial axis are neighbors in memory."""
    number = seen.itemsize
    return bool(seen.strides[-1] == number and seen.strides[-2] == seen.shape[-1] * number)


def folded(
    xp: ArrayModule, piece: Callable[[Shape], Array], lengths: Sequence[int], window: Window
) -> Array:
    """The transpose of padding and unfolding: a sum of pieces, put where the windows saw them.

    ``piece`` gives what belongs to a place in the window, for all windows.
    """
    counts, whole = window.counts(lengths), []
    for n, (b, a), stride in zip(lengths, window.padding, window.strides, strict=True):
        whole.append(-(-(n + b + a) // stride) * stride)
    places = [*product(*[range(k) for k in window.size])]
    part = piece(places[0])
    total = _Phases(xp, part, whole, window)
    total.add(places[0], part, counts)
    for place in places[1:]:
        total.add(place, piece(place), counts)
    inner = [slice(b, b + n) for n, (b, _) in zip(lengths, window.padding, strict=True)]
    inside: BasicIndex = (..., *inner, slice(None))
    return total.together()[inside]


class _Phases:
    """An image that is added up as several: along each axis every stride-th place is one of them.

    In such a phase neighboring windows see neighboring places, so that rows are added in one go.
    """

    def __init__(
        self, xp: ArrayModule, part: Array, lengths: Sequence[int], window: Window
    ) -> None:
        count = len(lengths)
        self.xp, self.window = xp, window
        self.front = part.shape[: part.ndim - count - 1]
        steps = zip(lengths, window.strides, strict=True)
        own = [n // s for n, s in steps]
        self.phases = xp.zeros((*window.strides, *self.front, *own, part.shape[-1]), part.dtype)

    def add(self, place: Shape, part: Array, counts: Shape) -> None:
        """Add what belongs to a place in the window."""
        phase, seen = [], []
        for i, d, s, n in zip(
            place, self.window.dilations, self.window.strides, counts, strict=True
        ):
            phase.append(i * d % s)
            seen.append(slice(i * d // s, i * d // s + n))
        index: BasicIndex = (*phase, ..., *seen, slice(None))
        if self.xp is np:
            self.phases[index] += part
        else:
            self.phases = at(self.phases, index).add(part)

    def together(self) -> Array:
        """The image, of its phases."""
        count, front = len(self.window.strides), len(self.front)
        if max(self.window.strides) == 1:
            return self.phases.reshape(self.phases.shape[count:])
        order = list(range(count, count + front))
        shape = list(self.front)
        for axis, stride in enumerate(self.window.strides):
            order += [count + front + axis, axis]
            shape.append(self.phases.shape[count + front + axis] * stride)
        last = self.phases.ndim - 1
        return self.xp.reshape(
            self.xp.transpose(self.phases, (*order, last)), (*shape, self.phases.shape[last])
        )


# -- arguments ---------------------------------------------------------------------------------


def is_channels_first(op: str, data_format: str | None, count: int) -> bool:
    """Whether the channels come before the spatial axes, of which there are so many."""
    axes = "DHW"[-count:]
    if data_format is not None:
        data_format = text(data_format, "data_format")
    known = {None: False, f"N{axes}C": False, f"NC{axes}": True}
    if data_format not in known:
        raise InvalidArgumentError(
            f"Value for attr 'data_format' of {data_format!r} is not in the list of allowed "
            f'values: "N{axes}C", "NC{axes}" [Op:{op}]'
        )
    return known[data_format]


def per_axis(argument: str, value: object, count: int, channels_first: bool = False) -> Shape:
    """One number for each spatial axis: given as one for all, as a list, or as a list for all axes
    of the tensor, batches and channels included.
    """
    given = whole_numbers(1 if value is None else value, argument)
    if len(given) == count + 2:
        channel = 1 if channels_first else -1
        if given[0] != 1 or given[channel] != 1:
            raise UnimplementedError(
                f"Current implementation does not yet support {argument} in the batch and depth "
                f"dimensions: they must be 1, got {list(given)}."
            )
        given = given[2:] if channels_first else given[1:-1]
    elif len(given) == 1:
        given *= count
    if len(given) != count:
        raise ValueError(
            f"{argument} should be of length 1, {count} or {count + 2}. Received: "
            f"{argument}={value} of length {len(given)}"
        )
    if min(given) < 1:
        raise InvalidArgumentError(
            f"Sliding window {argument} must be positive: it must be > 0, but got {list(given)}."
        )
    return given


def four(argument: str, value: object) -> Shape:
    """Four whole numbers, one for each axis of a batch of images."""
    numbers = whole_numbers(value, argument)
    if len(numbers) != 4:
        raise InvalidArgumentError(f"`{argument}` must have 4 numbers, got {list(numbers)}.")
    return numbers


def window_over(
    op: str,
    lengths: Sequence[int],
    size: object,
    strides: object,
    padding: Any,
    dilations: object,
    channels_first: bool = False,
) -> PlacedWindow:
    """The window that these arguments describe, over an image of these lengths."""
    count = len(lengths)
    places, steps, apart = [
        per_axis(argument, value, count, channels_first)
        for argument, value in (("ksize", size), ("strides", strides), ("dilations", dilations))
    ]
    window = PlacedWindow(places, steps, ((0, 0),) * count, apart)
    is_same = False
    if isinstance(padding, (list, tuple)):
        window = window._replace(padding=_explicit(op, padding, count, channels_first))
    elif text(padding, "padding") == "SAME":
        window, is_same = window._replace(padding=_same(lengths, window)), True
    elif padding != "VALID":
        raise InvalidArgumentError(
            f"Value for attr 'padding' of \"{padding}\" is not in the list of allowed values: "
            f'"SAME", "VALID", or two numbers for every axis [Op:{op}]'
        )
    _check_counts(op, lengths, window)
    window.lengths_seen, window.is_same = tuple(lengths), is_same
    return window


def _check_counts(op: str, lengths: Sequence[int], window: Window) -> None:
    for axis, made in enumerate(window.counts(lengths)):
        if made < 0:
            raise InvalidArgumentError(
                f"Computed output size would be negative: {made} [input_size: {lengths[axis]}, "
                f"effective_filter_size: {window.spans()[axis]}, stride: {window.strides[axis]}] "
                f"[Op:{op}]"
            )


def _same(lengths: Sequence[int], bare: Window) -> Pairs:
    """Padding with which the window stands at every stride-th place; the odd one comes behind."""
    axes = zip(lengths, bare.spans(), bare.strides, strict=True)
    return tuple([same_padding(*each) for each in axes])


def same_padding(length: int, span: int, stride: int) -> tuple[int, int]:
    """The padding along an axis of this length: how much in front, and how much behind."""
    total = max((-(-length // stride) - 1) * stride + span - length, 0)
    return total // 2, total - total // 2


def _explicit(op: str, padding: Sequence[Any], count: int, channels_first: bool) -> Pairs:
    if len(padding) != count + 2:
        raise ValueError(
            f"When padding is a list, it must be of size {count + 2}. Received: padding={padding} "
            f"of size {len(padding)}"
        )
    pairs = [whole_numbers(pair, "padding") for pair in padding]
    numbers = [n for pair in pairs for n in pair]
    channel = pairs.pop(1 if channels_first else -1)
    if any(len(pair) != 2 for pair in pairs) or min(numbers) < 0 or any(pairs.pop(0) + channel):
        raise InvalidArgumentError(
            "All elements of explicit_paddings must be nonnegative: explicit padding must be two "
            "numbers from 0 on for every axis, and 0 for batches and channels, got "
            f"{padding} [Op:{op}]"
        )
    return tuple([(before, after) for before, after in pairs])


# -- layouts -----------------------------------------------------------------------------------


def to_channels_last(x: Tensor, count: int, channels_first: bool) -> Tensor:
    """The tensor with its channels behind the spatial axes, if they are in front of them."""
    if not channels_first:
        return x
    return on_one(Transpose, x, perm=(*range(-count, 0), -count - 1))


def to_channels_first(x: Tensor, count: int, channels_first: bool) -> Tensor:
    """The tensor with its channels in front of the spatial axes, if they were there."""
    if not channels_first:
        return x
    return on_one(Transpose, x, perm=(-1, *range(-count - 1, -1)))


def to_batches(x: Tensor, count: int) -> Tensor:
    """The tensor, channels last, with all axes in front of the spatial ones made one."""
    shape = x._array.shape
    if len(shape) == count + 2:
        return x
    own = shape[len(shape) - count - 1 :]
    return on_one(Reshape, x, shape=(prod(shape[: -count - 1]), *own))


def from_batches(x: Tensor, original: Tensor, count: int) -> Tensor:
    """The tensor with its batches arranged as those of the one that `to_batches` was given."""
    batches = original._array.shape[: -count - 1]
    if len(batches) == 1:
        return x
    return on_one(Reshape, x, shape=(*batches, *x._array.shape[1:]))
