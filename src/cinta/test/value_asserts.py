"""The asserts of TestCase that compare values."""

from __future__ import annotations

import unittest
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.convert import is_tensor
from ..engine.shapes import TensorShape
from .comparing import (
    Tolerance,
    as_array,
    check_close,
    check_equal,
    coarseness,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt


class ValueAsserts(unittest.TestCase):
    """Asserts about the values of tensors, arrays and lists."""

    def _check(self, check: Callable[..., None], *args: object, msg: object = None) -> None:
        """Fail with what a check says, and the message of the test before it."""
        try:
            check(*args)
        except AssertionError as error:
            self.fail(self._formatMessage(None, str(error) if msg is None else f"{msg}\n{error}"))

    def assertAllClose(
        self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, msg: object = None
    ) -> None:
        """Two structures of the same form have values with |a - b| <= atol + rtol |b|; else say
        ``msg``.
        """
        self._check(check_close, a, b, Tolerance(rtol, atol), msg=msg)

    def assertAllCloseAccordingToType(
        self,
        a: object,
        b: object,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: object = None,
    ) -> None:
        """``assertAllClose`` of ``a`` and ``b``, as closely as the coarser of their dtypes allows.

        Args:
            a: A structure of values.
            b: Another one.
            rtol: The relative tolerance, of float64.
            atol: The absolute tolerance, of float64.
            float_rtol: The relative tolerance of float32.
            float_atol: The absolute tolerance of float32.
            half_rtol: The relative tolerance of float16.
            half_atol: The absolute tolerance of float16.
            bfloat16_rtol: The relative tolerance of bfloat16.
            bfloat16_atol: The absolute tolerance of bfloat16.
            msg: What to say if they differ.
        """
        x, y = as_array(a), as_array(b)
        relative, absolute = (
            max(coarseness(each.dtype, *limits) for each in (x, y))
            for limits in (
                (half_rtol, bfloat16_rtol, float_rtol, rtol),
                (half_atol, bfloat16_atol, float_atol, atol),
            )
        )
        self.assertAllClose(x, y, max(relative, rtol), max(absolute, atol), msg)

    def assertNotAllClose(
        self, a: object, b: object, rtol: float = 1e-6, atol: float = 1e-6, msg: object = None
    ) -> None:
        """``a`` and ``b`` differ by more than ``rtol`` and ``atol`` allow; else say ``msg``."""
        try:
            check_close(a, b, Tolerance(rtol, atol))
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    def assertAllEqual(self, a: object, b: object, msg: object = None) -> None:
        """``a`` and ``b`` have one shape and are equal, as are NaNs; else say ``msg``."""
        self._check(check_equal, a, b, msg=msg)

    def assertNotAllEqual(self, a: object, b: object, msg: object = None) -> None:
        """``a`` and ``b`` differ somewhere; else say ``msg``."""
        try:
            check_equal(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def assertAllGreater(self, a: object, comparison_target: object) -> None:
        """All elements of ``a`` are above ``comparison_target``."""
        self.assertGreater(np.min(as_array(a)), comparison_target)

    def assertAllLess(self, a: object, comparison_target: object) -> None:
        """All elements of ``a`` are below ``comparison_target``."""
        self.assertLess(np.max(as_array(a)), comparison_target)

    def assertAllGreaterEqual(self, a: object, comparison_target: object) -> None:
        """No element of ``a`` is below ``comparison_target``."""
        self.assertGreaterEqual(np.min(as_array(a)), comparison_target)

    def assertAllLessEqual(self, a: object, comparison_target: object) -> None:
        """No element of ``a`` is above ``comparison_target``."""
        self.assertLessEqual(np.max(as_array(a)), comparison_target)

    def assertAllInRange(
        self,
        target: object,
        lower_bound: object,
        upper_bound: object,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """All elements of ``target`` are between ``lower_bound`` and ``upper_bound``.

        Args:
            target: The values.
            lower_bound: The least value.
            upper_bound: The greatest value.
            open_lower_bound: Whether the least value itself is refused.
            open_upper_bound: Whether the greatest value itself is refused.
        """
        values = as_array(target)
        if values.dtype.kind not in "biufV":
            self.fail(f"The value of {target!r} has no order, its dtype is {values.dtype}")
        above = values <= lower_bound if open_lower_bound else values < lower_bound
        below = values >= upper_bound if open_upper_bound else values > upper_bound
        outside = values[above | below | (values != values)]
        if outside.size:
            begin, end = "[("[open_lower_bound], "])"[open_upper_bound]
            self.fail(
                f"{outside.size} of the {values.size} element(s) are outside the range "
                f"{begin}{lower_bound}, {upper_bound}{end}: {outside[:10]}"
            )

    def assertAllInSet(self, target: object, expected_set: Iterable[object]) -> None:
        """All elements of ``target`` are in ``expected_set``."""
        others = [each for each in np.unique(as_array(target)) if each not in [*expected_set]]
        if others:
            self.fail(
                f"{len(others)} unique element(s) are not in the set {[*expected_set]}: {others}"
            )

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        """The numbers ``f1`` and ``f2`` differ by no more than ``err``; else say ``msg``."""
        if not (f1 == f2 or abs(f1 - f2) <= err):
            said = f" ({msg})" if msg is not None else ""
            self.fail(f"{f1:f} != {f2:f} +/- {err:f} (difference: {abs(f1 - f2)}){said}")

    def assertArrayNear(
        self,
        farray1: Sequence[float],
        farray2: Sequence[float],
        err: float,
        msg: str | None = None,
    ) -> None:
        """``farray1`` and ``farray2`` differ nowhere by more than ``err``; else say ``msg``."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, other in zip(farray1, farray2, strict=True):
            self.assertNear(float(one), float(other), err, msg)

    def assertNDArrayNear(
        self, ndarray1: object, ndarray2: object, err: float, msg: object = None
    ) -> None:
        """The Euclidean distance of ``ndarray1`` and ``ndarray2`` is at most ``err``; else say
        ``msg``.
        """
        distance = np.linalg.norm(as_array(ndarray1) - as_array(ndarray2))
        self.assertLessEqual(distance, err, msg)

    def assertDTypeEqual(self, target: object, expected_dtype: npt.DTypeLike) -> None:
        """The dtype of ``target``, a tensor or array, is ``expected_dtype``."""
        given = as_array(target).dtype
        if given != expected_dtype:
            self.fail(f"{given!r} != {expected_dtype!r}")

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: object = None) -> None:
        """``input_a`` and ``input_b``, tensors or arrays, have the same shape; else say ``msg``.

        Raises TypeError for other values.
        """
        for name, each in {"input_a": input_a, "input_b": input_b}.items():
            if not (is_tensor(each) or isinstance(each, (np.ndarray, np.generic))):
                raise TypeError(
                    f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor. "
                    f"Instead received {type(each)}"
                )
        self.assertEqual(TensorShape(input_a.shape), TensorShape(input_b.shape), msg)

    def assertDictEqual(
        self, a: Mapping[object, object], b: Mapping[object, object], msg: object = None
    ) -> None:
        """The dicts ``a`` and ``b`` have the same keys, with equal values; else say ``msg``.

        Some of the values may be arrays.
        """
        self._check(_check_dicts, a, b, msg=msg)


def _check_dicts(a: Mapping[object, object], b: Mapping[object, object]) -> None:
    if a.keys() != b.keys():
        raise AssertionError(f"Mismatched keys: {[*a]} and {[*b]}")
    for key, value in a.items():
        try:
            check_equal(value, b[key])
        except AssertionError as error:
            raise AssertionError(f"Values of {key!r} differ: {error}") from None
