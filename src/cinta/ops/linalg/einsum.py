"""Einstein's sums: products of tensors, written by the names of their axes.

An equation is carried out by reshapes, transposes and products of matrices, two tensors at a time;
the gradients are theirs.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from ...engine.dtype_kinds import NUMERIC
from ...engine.primitives import Mul, Reshape, Transpose
from ...engine.shapes import written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import tensor_of, text
from ..arrays.joining import alike
from ..elementwise.casting import identity
from ..reductions.reduction import Sum
from .diagonals import diag_part
from .matmul import MatMul, check_summed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ...engine.annotations import TensorLike
    from ...engine.tensor import Tensor

_TERM = re.compile(r"[a-zA-Z]*(\.\.\.)?[a-zA-Z]*")
_FIRST_HIDDEN = 192  # the first of the characters that stand for the axes behind an ellipsis


class Term:
    """A tensor with a label for each of its axes. Axes with one label are of one length."""

    def __init__(self, tensor: Tensor, labels: str) -> None:
        self.tensor, self.labels = tensor, labels

    def sizes(self) -> dict[str, int]:
        """The length of each axis, by label."""
        return dict(zip(self.labels, self.tensor._array.shape, strict=True))

    def without_repeats(self) -> Term:
        """The diagonal, wherever a label stands for several axes."""
        term = self
        while len(set(term.labels)) < len(term.labels):
            label = next(a for a, n in Counter(term.labels).items() if n > 1)
            last = term.labels.rindex(label)
            first = term.labels.rindex(label, 0, last)
            rest = [i for i in range(len(term.labels)) if i not in (first, last)]
            kept = "".join([term.labels[i] for i in rest])
            square = _transposed(term.tensor, [*rest, first, last])
            term = Term(diag_part(square), kept + label)
        return term

    def summed(self, needed: Collection[str]) -> Term:
        """The sum over all axes whose labels are not needed."""
        rank = len(self.labels)
        axes = tuple([i - rank for i, a in enumerate(self.labels) if a not in needed])
        if not axes:
            return self
        kept = "".join([a for a in self.labels if a in needed])
        return Term(Sum(self.tensor, axis=axes, keepdims=False), kept)

    def arranged(self, labels: str) -> Tensor:
        """The tensor with its axes in this order, and axes of length 1 for labels it has not."""
        order = [self.labels.index(a) for a in labels if a in self.labels]
        tensor = _transposed(self.tensor, order)
        if len(order) == len(labels):
            return tensor
        sizes = self.sizes()
        return Reshape(tensor, shape=tuple([sizes.get(a, 1) for a in labels]))

    def grouped(self, *groups: str) -> Tensor:
        """The tensor with one axis for the labels of each group."""
        sizes = self.sizes()
        shape = tuple([math.prod([sizes[a] for a in group]) for group in groups])
        return Reshape(self.arranged("".join(groups)), shape=shape)


def _transposed(tensor: Tensor, order: list[int]) -> Tensor:
    rank = len(order)
    if order == list(range(rank)):
        return tensor
    return Transpose(tensor, perm=tuple([i - rank for i in order]))


def product(x: Term, y: Term, needed: Collection[str]) -> Term:
    """The product of two terms, summed over the labels that are not needed."""
    x, y = x.summed({*needed, *y.labels}), y.summed({*needed, *x.labels})
    common = [a for a in x.labels if a in y.labels]
    batch = "".join([a for a in common if a in needed])
    inner = "".join([a for a in common if a not in needed])
    of_x = "".join([a for a in x.labels if a not in common])
    of_y = "".join([a for a in y.labels if a not in common])
    labels = batch + of_x + of_y
    if not inner:
        return Term(Mul(x.arranged(labels), y.arranged(labels)), labels)
    matrices = MatMul(
        x.grouped(*batch, of_x, inner),
        y.grouped(*batch, inner, of_y),
        transpose_a=False,
        transpose_b=False,
    )
    sizes = x.sizes() | y.sizes()
    return Term(Reshape(matrices, shape=tuple([sizes[a] for a in labels])), labels)


# -- equations ---------------------------------------------------------------------------------


@public("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: TensorLike, **kwargs: str) -> Tensor:
    """Sum of products of tensors, over the axes that the equation names but not in its result.

    >>> import cinta as tf
    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.einsum("ij,jk->ik", a, a).numpy()
    array([[ 7., 10.],
           [15., 22.]], dtype=float32)
    >>> tf.einsum("ii", a).numpy()
    np.float32(5.0)

    Each letter names an axis, ``...`` any axes that are broadcast. Without ``->`` the result has
    the letters that occur once, in alphabetical order. Several tensors are multiplied two at a
    time, in an order that keeps what lies between small.

    Args:
        equation: Letters for the axes of each tensor, such as "ij,jk->ik".
        inputs: The tensors.

    Raises:
        ValueError: If the equation speaks of another number of tensors or of axes, or its result
            has an axis that no tensor has.
        InvalidArgumentError: If axes of one letter have different lengths.
    """
    unknown = set(kwargs) - {"name", "optimize", "greedy"}
    if unknown:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(sorted(unknown))}. Valid arguments: "
            "name, optimize, greedy."
        )
    given, output = _parsed(text(equation, "equation"), len(inputs))
    tensors = [tensor_of("Einsum", x, NUMERIC) for x in alike("Einsum", inputs)]
    if len(tensors) > 1:
        check_summed("Einsum", tensors[0])
    labels, output = _expanded(given, output, [x._array.ndim for x in tensors])
    terms = [Term(x, a) for x, a in zip(tensors, labels, strict=True)]
    sizes = _common_sizes(terms)
    terms = [_not_broadcast(term, sizes).without_repeats() for term in terms]
    while len(terms) > 1:
        i, j = _cheapest_pair(terms, output)
        y, x = terms.pop(j), terms.pop(i)
        terms.append(product(x, y, _needed(terms, output)))
    result = terms[0].summed(output).arranged(output)
    return identity(result) if result is tensors[0] else result


@lru_cache(maxsize=1024)
def _parsed(equation: str, count: int) -> tuple[tuple[str, ...], str]:
    """The labels of each input, and of the result, with an ellipsis as three dots."""
    terms = equation.replace(" ", "")
    given, arrow, output = terms.partition("->")
    labels = tuple(given.split(","))
    if not all(_TERM.fullmatch(part) for part in (*labels, output)):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    if len(labels) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting {len(labels)}')
    letters = Counter(given.replace(".", "").replace(",", ""))
    if not arrow:
        once = sorted([a for a, n in letters.items() if n == 1])
        return labels, "..." * ("..." in given) + "".join(once)
    for label, n in Counter(output.replace("...", "")).items():
        if n > 1:
            raise ValueError(
                f"Output subscripts contain a label appearing more than once: {equation}"
            )
        if label not in letters:
            raise ValueError(
                f"Output subscripts contain the label {label} not present in the input subscripts."
            )
    return labels, output


def _expanded(labels: Sequence[str], output: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The labels with a character in place of each axis for which an ellipsis stands."""
    hidden = []
    for i, (term, rank) in enumerate(zip(labels, ranks, strict=True)):
        letters = len(term.replace("...", ""))
        if letters != rank and ("..." not in term or letters > rank):
            raise InvalidArgumentError(
                f'Expected input {i} to have rank {letters}, as "{term}" says, but got: {rank} '
                "[Op:Einsum]"
            )
        hidden.append(rank - letters)
    axes = "".join(map(chr, range(_FIRST_HIDDEN, _FIRST_HIDDEN + max(hidden))))
    if axes and "..." not in output:
        raise InvalidArgumentError(
            f"Output contains {len(axes)} broadcasting dimension(s) but no ellipsis (...) was "
            "found in the output subscripts. [Op:Einsum]"
        )
    expanded = [
        a.replace("...", axes[len(axes) - n :]) for a, n in zip(labels, hidden, strict=True)
    ]
    return expanded, output.replace("...", axes)


def _common_sizes(terms: Iterable[Term]) -> dict[str, int]:
    """The length of each axis by label; those that an ellipsis stands for may be 1 as well."""
    sizes: dict[str, int] = {}
    for term in terms:
        shape = term.tensor._array.shape
        for axis, (label, size) in enumerate(zip(term.labels, shape, strict=True)):
            known = sizes.setdefault(label, size)
            broadcast = ord(label) >= _FIRST_HIDDEN and 1 in (known, size)
            if known != size and not broadcast:
                raise InvalidArgumentError(
                    f"Expected dimension {known} at axis {axis} of the input shaped "
                    f"{written(shape)} but got dimension {size} [Op:Einsum]"
                )
            if broadcast and known == 1:
                sizes[label] = size
    return sizes


def _not_broadcast(term: Term, sizes: dict[str, int]) -> Term:
    """The term without axes of length 1 that are longer in others: it does not depend on them."""
    shape = term.tensor._array.shape
    kept = [i for i, a in enumerate(term.labels) if shape[i] == sizes[a]]
    if len(kept) == len(shape):
        return term
    fewer = Reshape(term.tensor, shape=tuple([shape[i] for i in kept]))
    return Term(fewer, "".join([term.labels[i] for i in kept]))


def _needed(terms: Iterable[Term], output: str) -> set[str]:
    """The labels that the result, or a product still to be made, asks for."""
    return set(output).union(*[term.labels for term in terms])


def _cheapest_pair(terms: list[Term], output: str) -> tuple[int, int]:
    """The two terms whose product is smallest, compared with themselves."""

    def growth(pair: tuple[int, int]) -> int:
        x, y = terms[pair[0]], terms[pair[1]]
        needed = _needed([t for k, t in enumerate(terms) if k not in pair], output)
        sizes = x.sizes() | y.sizes()
        result = math.prod([n for a, n in sizes.items() if a in needed])
        return result - math.prod(x.sizes().values()) - math.prod(y.sizes().values())

    return min(itertools.combinations(range(len(terms)), 2), key=growth)
