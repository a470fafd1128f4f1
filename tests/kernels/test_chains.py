"""Chains of ufuncs give what the ufuncs give one by one, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
EACH, ROW, COLUMN, ONE = range(4)


def drawn(*shape):
    """Normal numbers, some of them special."""
    numbers = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
    special = np.float32([np.nan, np.inf, -0.0, 1e-45])
    numbers.reshape(-1)[::7] = np.resize(special, len(numbers.reshape(-1)[::7]))
    return numbers


def chain(shape, kinds, columns):
    """The function of x and y that is `one_by_one`, with the root in a group of its own."""
    x, y, half, scaled, quotient, root, scratch = range(7)
    steps = (
        (np.add, (x, y, scratch), False),
        (np.multiply, (scratch, half, scaled), False),
        (cinta_kernels.relu, (scaled, scratch), False),
        (np.subtract, (scratch, x, scratch), False),
        (np.divide, (scratch, scaled, quotient), True),
        (np.sqrt, (x, root), True),
    )
    constants = (np.float32(0.5),)
    return cinta_kernels.Chain(steps, bytes(kinds), constants, 0, 3, 1, shape, columns)


def one_by_one(x, y):
    half = (x + y) * np.float32(0.5)
    return half, (cinta_kernels.relu(half) - x) / half, np.sqrt(x)


SHAPES = {
    (3, 700): (EACH, 0),
    (700,): (COLUMN, 700),
    (1, 700): (COLUMN, 700),
    (3, 1): (ROW, 700),
    (): (ONE, 0),
    (1, 1): (ONE, 0),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_chains(shape):
    kind, columns = SHAPES[shape]
    x, y = drawn(3, 700), drawn(*shape) if shape else np.float32(1.25)
    made = chain(x.shape, [EACH, kind], columns)(x, y)
    for found, wanted in zip(made, one_by_one(x, y), strict=True):
        assert found.shape == wanted.shape
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("size", [0, 1, 5, 1024, 1025, 3000])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_blocks(size):
    x, y = drawn(size), drawn(size)[::-1].copy()
    for found, wanted in zip(chain((size,), [EACH, EACH], 0)(x, y), one_by_one(x, y), strict=True):
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_some_rows_are_filled(shape):
    kind, columns = SHAPES[shape]
    x, y = drawn(3, 700), drawn(*shape) if shape else np.float32(1.25)
    run, wanted = chain(x.shape, [EACH, kind], columns), one_by_one(x, y)
    results = [np.zeros_like(x) for _ in wanted]
    rows = slice(1, 3)
    of_y = y[rows] if kind in (EACH, ROW) else y
    assert run.fill(x[rows], of_y, *[each[rows] for each in results]) is None
    for found, expected in zip(results, wanted, strict=True):
        assert found[rows].tobytes() == expected[rows].tobytes()
        assert not found[0].any()


def test_other_arrays_are_not_filled():
    run, x = chain((4, 6), [EACH, EACH], 0), drawn(4, 6)
    results = [np.zeros_like(x) for _ in range(3)]
    read_only = np.zeros_like(x)
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="2 arrays and 3 results"):
        run.fill(x, x)
    for other in (read_only, x[:2].copy(), x.T, x.astype(np.float64), np.asfortranarray(x), None):
        with pytest.raises(ValueError, match="row-major"):
            run.fill(x, x, *results[:2], other)
    with pytest.raises(ValueError, match="row-major"):
        run.fill(x, x[:2], *results)


def test_unusual_arrays_are_left_to_others():
    run, x = chain((4, 6), [EACH, EACH], 0), drawn(4, 6)
    assert len(run(x, x)) == 3
    others = [x.T.copy(), x.T, x[:2], x.astype(np.float64), np.asfortranarray(x), 1.0, None]
    assert all(run(other, x) is None for other in others)
    assert all(run(x, other) is None for other in others[1:])
    assert chain((4, 6), [EACH, ONE], 0)(x, 1.0) is None
    with pytest.raises(TypeError, match="takes 2 arrays"):
        run(x)


def test_chains_that_cannot_be_are_refused():
    step = (np.add, (0, 0, 1), True)

    def made(*steps, kinds=b"\0", like=0, results=1, scratch=0, shape=(3,), columns=0):
        return cinta_kernels.Chain(steps, kinds, (), like, results, scratch, shape, columns)

    assert np.array_equal(made(step)(np.ones(3, np.float32))[0], [2, 2, 2])
    for ufunc in (np.frexp, np.matmul, np.isnan, np.bitwise_and):
        with pytest.raises(ValueError, match="needs ufuncs"):
            made((ufunc, (0, 0, 1), True))
    for values in ((0, 2, 1), (0, -1, 1), (0, 0, 0)):
        with pytest.raises(ValueError, match="no such value"):
            made((np.add, values, True))
    for wrong in ({"results": 0}, {"scratch": 9}, {"results": 600}, {"kinds": bytes(600)}):
        with pytest.raises(ValueError, match="no steps or results, or too many"):
            made(step, **wrong)
    for wrong in ({"like": 1}, {"like": -1}, {"kinds": b"\3"}):
        with pytest.raises(ValueError, match="must have its shape"):
            made(step, **wrong)
    with pytest.raises(ValueError, match="so many rows"):
        made(step, columns=2)
    with pytest.raises(ValueError, match="no steps"):
        made()


@pytest.mark.parametrize("size", range(8))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sums_of_few_numbers_are_those_of_numpy(size):
    random = np.random.default_rng(size)
    for _ in range(200):
        x = random.choice([*random.normal(size=20), -0.0, np.inf, np.nan, 1e-45, 3e38], 2 * size)
        for each in (x.astype(np.float32)[::2], x.astype(np.float32)[:size], np.zeros(size) - 0.0):
            given = each.astype(np.float32, copy=False)
            found = cinta_kernels.sum_of_few(given)
            assert type(found) is np.float32
            assert found.tobytes() == np.add.reduce(given).tobytes()


@pytest.mark.parametrize(
    "other", [np.ones(8, np.float32), np.ones((2, 3), np.float32), np.ones(3), 1.0]
)
def test_other_sums_are_refused(other):
    with pytest.raises(ValueError, match="up to seven"):
        cinta_kernels.sum_of_few(other)
