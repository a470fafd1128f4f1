"""TestCase: tests that compare tensors."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import threading
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.convert import is_tensor
from ..ops.random.state import set_seed
from ..public import name_methods, public
from .comparing import as_array, evaluated
from .error_asserts import ErrorAsserts
from .value_asserts import ValueAsserts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from io import TextIOBase

    from .comparing import Array

# TensorFlow's test cases have the asserts of absl too, which is there if TensorFlow's programs are.
_module: Any = import_module("unittest" if find_spec("absl") is None else "absl.testing.absltest")
if TYPE_CHECKING:

    class _Base:
        """The one of unittest, by way of the asserts."""
else:
    _Base = _module.TestCase

_SEED = 87654321
"""The seed that TensorFlow's test cases set, so that random numbers are theirs."""


@public("test.main")
def main(argv: Sequence[str] | None = None) -> None:
    """Run all tests of the program, and end it.

    >>> import cinta as tf
    >>> if False:  # at the end of a file of tests: if __name__ == "__main__":
    ...     tf.test.main()

    Args:
        argv: The arguments of the command, its name first; None for those of the program.
    """
    if argv is None:
        _module.main()
    else:
        _module.main(argv=list(argv))


class CapturedStream:
    """The text that was written to a stream, which is kept in a file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def contents(self) -> str:
        """All that was written."""
        with open(self._path) as file:
            return file.read()


class CheckedThread(threading.Thread):
    """A thread whose error is the test's: ``join`` raises it."""

    def __init__(
        self,
        case: TestCase,
        target: Callable[..., Any],
        args: tuple[object, ...],
        kwargs: dict[str, object] | None,
    ) -> None:
        super().__init__(target=target, args=args, kwargs=kwargs)
        self._case = case
        self._error: Exception | None = None

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            self._error = error

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error!r}")


@public("test.TestCase")
class TestCase(ValueAsserts, ErrorAsserts, _Base):
    """Tests that compare tensors, in the way of Python's ``unittest``.

    >>> import cinta as tf
    >>> class Tests(tf.test.TestCase):
    ...     def runTest(self):
    ...         self.assertAllClose(tf.sqrt([4.0, 9.0]), [2.0, 3.0])
    >>> Tests().run().wasSuccessful()
    True

    Values can be compared in many ways:

    >>> case, x = tf.test.TestCase(), tf.constant([1.0, 2.0])
    >>> case.assertAllEqual(x, [1.0, 2.0])
    >>> case.assertNotAllEqual(x, [1.0, 3.0])
    >>> case.assertNotAllClose(x, [1.0, 2.1])
    >>> case.assertAllCloseAccordingToType(tf.cast(x, tf.half), [1.0, 2.001])
    >>> case.assertAllGreater(x, 0.0)
    >>> case.assertAllGreaterEqual(x, 1.0)
    >>> case.assertAllLess(x, 3.0)
    >>> case.assertAllLessEqual(x, 2.0)
    >>> case.assertAllInRange(x, 0.0, 2.0)
    >>> case.assertAllInSet(x, {1.0, 2.0})
    >>> case.assertNear(0.1 + 0.2, 0.3, err=1e-9)
    >>> case.assertArrayNear(x, [1.0, 2.0001], err=1e-3)
    >>> case.assertNDArrayNear(x, [1.0, 2.0001], err=1e-3)
    >>> case.assertDTypeEqual(x, "float32")
    >>> case.assertShapeEqual(x, tf.zeros([2]))
    >>> case.assertDictEqual({"x": x}, {"x": x})
    >>> case.assertDeviceEqual("/CPU:0", "/device:CPU:0")
    >>> case.assertStartsWith("tape.gradient", "tape")

    And of errors:

    >>> with case.assertRaisesIncompatibleShapesError():
    ...     x + tf.zeros([3])
    >>> with case.assertRaisesOpError("is not invertible"):
    ...     tf.linalg.inv([[0.0]])
    >>> with case.assertRaisesWithPredicateMatch(ValueError, "rank"):
    ...     x.shape.assert_has_rank(2)

    Helpers for the body of a test:

    >>> case.setUp()  # unittest calls it before each test
    >>> case.evaluate({"x": x})
    {'x': array([1., 2.], dtype=float32)}
    >>> thread = case.checkedThread(case.assertAllEqual, args=(x, x))
    >>> thread.start()
    >>> thread.join()
    >>> with case.session(), case.cached_session(), case.test_session():  # for older programs
    ...     pass
    >>> case.get_temp_dir().rpartition("/")[2].startswith("runTest")
    True
    >>> case.doCleanups()
    True
    """

    _folder: str | None = None

    def setUp(self) -> None:
        """Begin each test with the same random numbers."""
        super().setUp()
        random.seed(_SEED)
        np.random.seed(_SEED)
        set_seed(_SEED)

    # -- values and surroundings -------------------------------------------------------------

    def evaluate(self, tensors: object) -> Any:
        """A structure with NumPy's values in place of tensors."""
        return evaluated(tensors)

    def _GetNdArray(self, a: object) -> Array:
        """NumPy's array of a value; asserts of libraries begin with it."""
        return as_array(a)

    def _evaluateTensors(self, a: object, b: object) -> tuple[object, object]:
        """Two values as arrays, where they are tensors."""
        return self._evaluateIfTensor(a), self._evaluateIfTensor(b)

    def _evaluateIfTensor(self, a: object) -> object:
        return self.evaluate(a) if is_tensor(a) else a

    def get_temp_dir(self) -> str:
        """A folder that lasts as long as the test."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix=f"{self._testMethodName}-")
            self.addCleanup(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def session(self, *_: object, **__: object) -> AbstractContextManager[None]:
        """A block in which ops run when they are called, as everywhere."""
        return nullcontext()

    cached_session = session

    def test_session(self, *_: object, **__: object) -> AbstractContextManager[None]:
        """The same; not a test, whatever its name says."""
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")
        return nullcontext()

    @contextmanager
    def captureWritesToStream(self, stream: TextIOBase) -> Iterator[CapturedStream]:
        """Keep what is written to a stream in the block, by other languages too.

        >>> import os, cinta as tf
        >>> with open(os.devnull, "w") as stream:
        ...     with tf.test.TestCase().captureWritesToStream(stream) as kept:
        ...         _ = os.write(stream.fileno(), b"hello")
        ...         kept.contents()
        'hello'

        Args:
            stream: A stream that writes to a file of the system.
        """
        with tempfile.NamedTemporaryFile(mode="r+") as file:
            number = stream.fileno()
            kept = os.dup(number)
            stream.flush()
            os.dup2(file.fileno(), number)
            try:
                yield CapturedStream(file.name)
            finally:
                stream.flush()
                os.dup2(kept, number)
                os.close(kept)

    def checkedThread(
        self,
        target: Callable[..., Any],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> CheckedThread:
        """A thread whose error fails the test when it is joined.

        Args:
            target: The function that runs.
            args: Its arguments.
            kwargs: Others by name.
        """
        return CheckedThread(self, target, args, kwargs)


name_methods("TestCase", ValueAsserts, ErrorAsserts)
