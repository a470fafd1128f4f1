"""How the results of an op depend on its inputs, element by element, for every op.

The declaration of an op says most of it: an ``elementwise`` one depends on one element of each
input, one that ``moves`` shows what it moves when it is run on the numbers of the elements. For
the others there are the tables below. An op that is in none of them is taken to mix everything:
that is right, and as wide as it gets.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, eye_array, kron

from ..dtypes import is_differentiable
from ..engine.rule_binding import bare_values, shape_of
from .axes import along, broadcast, by_letters, numbers
from .pattern import Matrix, Pattern, concatenated
from .window_patterns import WINDOWS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.recorders import Call
    from ..engine.shapes import Shape
    from ..engine.tensor import Array


def pushed(call: Call, position: int, pattern: Pattern, shape: Shape, number: int) -> Pattern:
    """The pattern of a result of this shape, from that of the input at a position.

    ``number`` counts the results of an op that has several.
    """
    own, op = shape_of(call.inputs[position]), call.op
    if op.elementwise:
        return spread(call, position, pattern, shape)
    if op.name in ALONG_AXES:
        attrs: dict[str, Any] = call.attrs
        axes = ALONG_AXES[op.name] or attrs["axes" if "axes" in attrs else "axis"]
        return along(pattern, own, axes, shape)
    if op.name in LETTERS:
        inputs, results = [letters.split(",") for letters in LETTERS[op.name].split("->")]
        return by_letters(pattern, own, inputs[position], shape, results[number])
    if op.name in SPECIAL:
        return SPECIAL[op.name](call, position, pattern, shape)
    return by_letters(pattern, (math.prod(own),), "m", (math.prod(shape),), "p")


def moved(call: Call, patterns: dict[int, Pattern]) -> list[Pattern]:
    """The patterns of the results of an op that moves elements of its inputs about."""
    nothing = [x if is_index(x) else np.zeros(x.shape) for x in map(bare_values, call.inputs)]
    inputs, start = nothing.copy(), 1
    for i in patterns:
        inputs[i] = nothing[i] + numbers(nothing[i].shape) + start
        start += inputs[i].size
    found = call.op.run(*inputs, **call.attrs)
    if not call.op.linear:  # it may fill in constants: they are there without the inputs too
        found = np.where(call.op.run(*nothing, **call.attrs) == 0, found, 0)
    joined = concatenated([*patterns.values()])
    parts = found if type(found) is tuple else (found,)
    return [joined.take(part.reshape(-1).astype(np.intp) - 1) for part in parts]


def is_index(array: Array) -> bool:
    """Whether an input says where elements go, instead of being moved itself."""
    return not is_differentiable(array.dtype)


ALONG_AXES: dict[str, Sequence[int]] = {
    **dict.fromkeys(
        [
            *("Cumprod", "Cumsum", "CumulativeLogsumexp", "EuclideanNorm", "LogSoftmax"),
            *("LogSoftmaxGrad", "LogSumExp", "Max", "Mean", "Min", "Prod", "Shares", "SharesGrad"),
            *("Softmax", "SoftmaxCrossEntropyWithLogits", "SoftmaxGrad", "SoftmaxLessLabels"),
            *("Sort", "Sum"),
            *("FFTND", "IFFTND", "IRFFTND", "RFFTND", "Variance"),
        ],
        (),
    ),
    **dict.fromkeys(
        [
            *("FFT", "IFFT", "IRFFT", "RFFT", "HSVToRGB", "LogBeta", "LogBetaSlope"),
            *("SoftmaxLessOneHot", "SparseSoftmaxCrossEntropyWithLogits", "TopKV2"),
        ],
        (-1,),
    ),
    **dict.fromkeys(["FFT2D", "IFFT2D", "IRFFT2D", "RFFT2D"], (-2, -1)),
    **dict.fromkeys(["FFT3D", "IFFT3D", "IRFFT3D", "RFFT3D"], (-3, -2, -1)),
    "ResizeSmooth": (-3, -2),
}
"""Those that mix elements along axes: these, or those of the attribute ``axis`` or ``axes``."""

LETTERS = {
    "Cholesky": "mn->pq",
    "Conv2DBackpropFilter": "bhwi,bhwo->xyio",
    "Conv3DBackpropFilterV2": "bdhwi,bdhwo->xyzio",
    "Cross": "a,b->c",
    "DepthwiseConv2dNativeBackpropFilter": "bhwi,bhwim->xyim",
    "Eig": "mn->p,pq",
    "Eigenvalues": "mn->p",
    "HueChannels": "h->c",
    "LogMatrixDeterminant": "mn->,",
    "MatrixDeterminant": "mn->",
    "MatrixExponential": "mn->pq",
    "MatrixInverse": "mn->pq",
    "MatrixSolve": "mn,rk->pk",
    "MatrixSquareRoot": "mn->pq",
    "MatrixTriangularSolve": "mn,rk->pk",
    "PseudoInverse": "mn->pq",
    "Qr": "mn->pq,rs",
    "SelfAdjointEigV2": "mn->p,pq",
    "SelfAdjointEigenvalues": "mn->p",
    "SingularValues": "mn->p",
    "Svd": "mn->p,pq,rs",
    "Sylvester": "mn,kl,rs->pq",
    "TridiagonalSolve": "dn,rk->pk",
}
"""Which axes of the inputs are axes of the result; see `by_letters`."""


# -- of what has rules of its own ----------------------------------------------------------------


def spread(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """Each element from the one of the input that is broadcast to its place."""
    own = shape_of(call.inputs[position])
    return pattern if own == shape else pattern.take(broadcast(numbers(own), shape))


def summed_to(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """A sum over the axes along which something of this shape was broadcast."""
    own, rank = shape_of(call.inputs[0]), call.attrs["rank"]
    ones = (1,) * (rank - len(call.attrs["shape"]))
    kept = numbers(own[: len(own) - rank] + ones + call.attrs["shape"])
    return pattern.grouped(broadcast(kept, own), kept.size)


def recurrence(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """A scan of two inputs that are broadcast first."""
    whole = pattern.take(broadcast(numbers(shape_of(call.inputs[position])), shape))
    return along(whole, shape, call.attrs["axis"], shape)


def product(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """Rows by columns; of a constant matrix with many zeros only what is not zero counts."""
    own, turned = shape_of(call.inputs[position]), call.attrs["transpose_" + "ab"[position]]
    if 1 - position not in call.plan.tracked and (position == 0 or len(own) == 2):
        constant = bare_values(call.inputs[1 - position])
        if constant.ndim == 2 and 4 * np.count_nonzero(constant) < constant.size:
            if turned:
                pattern = pattern.take(numbers(own).swapaxes(-1, -2).reshape(-1))
            if call.attrs["transpose_" + "ba"[position]]:
                constant = constant.T
            return by_weights(pattern, position, csr_array(constant != 0), shape)
    letters = ("ki" if turned else "ik") if position == 0 else ("jk" if turned else "kj")
    return by_letters(pattern, own, letters, shape, "ij")


def by_weights(pattern: Pattern, position: int, weights: Matrix, shape: Shape) -> Pattern:
    """A product with a sparse matrix, which stands on the other side."""
    if position == 0:
        rows = eye_array(math.prod(shape[:-1]), dtype=bool)
        return pattern.through(kron(rows, weights.T))
    return pattern.through(kron(weights, eye_array(shape[-1], dtype=bool)))


def scattered(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """Rows added up, or multiplied or compared, by the indices that they have."""
    own, indices = shape_of(call.inputs[0]), bare_values(call.inputs[1])
    rank, rows = call.attrs.get("rank", len(own)), call.attrs["rows"]
    front, width = own[: len(own) - rank], math.prod(own[len(own) - rank + 1 :])
    starts = numbers((*front, 1, 1)) * (rows * width)
    groups = starts + indices[:, None] * width + np.arange(width)
    groups = np.where(indices[:, None] < 0, -1, groups)
    return pattern.grouped(groups.reshape(-1), math.prod(shape))


def updated(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """A tensor some of whose rows are replaced by those of another, or compared with them."""
    first = len(shape) - call.attrs["rank"]
    places = numbers(shape)
    changed = places.take(bare_values(call.inputs[1]), axis=first).reshape(-1)
    if position == 2:
        return pattern.grouped(changed, places.size)
    places = places.reshape(-1)
    if call.op.name == "TensorScatterUpdate":
        places[changed] = -1
    return pattern.take(places)


def by_places(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """A product with a sparse matrix, which is given by its values and their places."""
    rows, columns = bare_values(call.inputs[1]), bare_values(call.inputs[2])
    *front, height, width = shape
    if position == 0:
        found = pattern.grouped(rows, height)
        return found.take(broadcast(numbers((height, 1)), shape))
    size = height, shape_of(call.inputs[3])[-2]
    links = csr_array((np.ones(len(rows), bool), (rows, columns)), shape=size)
    links = kron(links, eye_array(width, dtype=bool))
    return pattern.through(kron(eye_array(math.prod(front), dtype=bool), links))


def overlapped(call: Call, position: int, pattern: Pattern, shape: Shape) -> Pattern:
    """Pieces added up, each a step further along an axis."""
    axis, own = call.attrs["axis"], shape_of(call.inputs[0])
    count, length = own[axis - 1], own[axis]
    places = np.arange(count)[:, None] * call.attrs["step"] + np.arange(length)
    results = np.moveaxis(numbers(shape), axis, -1)
    inside = places < shape[axis]
    groups = np.where(inside, results[..., np.where(inside, places, 0)], -1)
    groups = np.moveaxis(groups, (-2, -1), (axis - 1, axis))
    return pattern.grouped(groups.reshape(-1), math.prod(shape))


SPECIAL: dict[str, Callable[[Call, int, Pattern, Shape], Pattern]] = {
    "LinearRecurrence": recurrence,
    "MatMul": product,
    "OverlapAndAdd": overlapped,
    "ScatterRows": scattered,
    "SegmentMax": scattered,
    "SegmentMin": scattered,
    "SegmentProd": scattered,
    "SparseTensorDenseMatMul": by_places,
    "StatelessRandomGammaV3": spread,
    "SumTo": summed_to,
    "TensorScatterMax": updated,
    "TensorScatterMin": updated,
    "TensorScatterUpdate": updated,
    **WINDOWS,
}
