"""The asserts of TestCase about errors, devices and texts."""

from __future__ import annotations

import re
import unittest
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.devices import DeviceSpec
from ..errors import InvalidArgumentError, OpError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ErrorAsserts(unittest.TestCase):
    """Asserts about what is raised, and about names of devices."""

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self,
        exception_type: type[BaseException] | tuple[type[BaseException], ...],
        expected_err_re_or_predicate: str | Callable[[Any], bool],
    ) -> Iterator[None]:
        """The block raises an ``exception_type`` that fits.

        Args:
            exception_type: The class of the error, or a tuple of classes.
            expected_err_re_or_predicate: A regular expression for its text, or a function of the
                error.
        """
        wanted = expected_err_re_or_predicate
        try:
            yield
        except exception_type as error:
            good = wanted(error) if callable(wanted) else re.search(wanted, _text(error))
            if not good:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
            return
        self.fail(f"{exception_type} was not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: str | Callable[[Any], bool]) -> Any:
        """The block raises an error of an op that fits.

        Args:
            expected_err_re_or_predicate: A regular expression for its text, or a function of the
                error.
        """
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(
        self,
        exception_type: type[BaseException] = InvalidArgumentError,
        expected_err_re: str = r"Incompatible shapes|Dimensions must be equal|"
        r"required broadcastable shapes",
    ) -> Any:
        """The block raises that shapes do not fit together.

        Args:
            exception_type: The class of the error.
            expected_err_re: A regular expression for its text.
        """
        return self.assertRaisesWithPredicateMatch(exception_type, expected_err_re)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """The text ``actual`` begins with ``expected_start``; else say ``msg``."""
        if not actual.startswith(expected_start):
            self.fail(
                self._formatMessage(msg, f"{actual!r} does not start with {expected_start!r}")
            )

    def assertDeviceEqual(self, device1: object, device2: object, msg: object = None) -> None:
        """The names ``device1`` and ``device2`` are of the same device; else say ``msg``."""
        self.assertEqual(_device(device1), _device(device2), msg)


def _text(error: BaseException) -> str:
    return str(getattr(error, "message", None) or error)


def _device(name: object) -> str:
    return "" if not name else DeviceSpec.from_string(str(name)).to_string()
