"""The memory of NumPy's arrays begins at lines of the processor's caches."""

from __future__ import annotations

from contextvars import Context

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
pytestmark = pytest.mark.skipif(
    not hasattr(cinta_kernels, "line_up"), reason="the compiled functions here are older"
)


def lined_up(make):
    """The result of a function in a context of its own, where arrays are lined up."""

    def there():
        assert cinta_kernels.line_up()
        assert not cinta_kernels.line_up()  # it was done
        return make()

    return Context().run(there)


@pytest.mark.parametrize("size", [0, 1, 15, 100, 1000, 10_000, 3_000_000])
def test_arrays_begin_at_lines(size):
    arrays = lined_up(lambda: [np.empty(size, np.float32) for _ in range(5)])
    assert not any(array.ctypes.data % 64 for array in arrays)


def test_arrays_hold_what_they_are_given():
    zeros, numbers = lined_up(lambda: (np.zeros(100_000), np.fromiter(range(5000), float)))
    assert not zeros.any()
    assert np.array_equal(numbers, np.arange(5000))


@pytest.mark.parametrize("size", [3, 700, 1_000_000])
def test_arrays_that_grow_and_shrink_keep_what_they_hold(size):
    array = lined_up(lambda: np.arange(500))
    array.resize(size, refcheck=False)
    assert array.ctypes.data % 64 == 0
    assert np.array_equal(array[:500], np.arange(min(size, 500)))
    assert not array[500:].any()


def test_arrays_of_impossible_sizes_are_refused():
    with pytest.raises(MemoryError):
        lined_up(lambda: np.empty(2**62, np.int8))
    with pytest.raises(MemoryError):
        lined_up(lambda: np.zeros(2**62, np.int8))
