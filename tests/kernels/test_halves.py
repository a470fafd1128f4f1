"""Half precision: conversions are exact, and NumPy's ufuncs give what they gave."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
from tests.kernels.test_kernels import KINDS, UNITS  # noqa: E402

FLOAT16, BFLOAT16 = np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)
ALL = np.arange(1 << 16, dtype=np.uint16)
HERE = KINDS[: KINDS.index(cinta_kernels.processor) + 1]

COMPARED = '''
import cinta_kernels, ml_dtypes, numpy as np
np.seterr(all="ignore")
random = np.random.default_rng(0)
FLOAT16, BFLOAT16 = np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)
ALL = np.arange(1 << 16, dtype=np.uint16)
places = random.permutation(1 << 16)

def of_dtype(dtype):
    """What ufuncs give for all numbers of the dtype: side by side, apart, alone and in sums."""
    x = ALL.view(dtype)
    others, few = x[places], x[0x3000:0x3100]
    for name in NAMES:
        ufunc = getattr(np, name)
        if ufunc.nin == 1:
            yield name, ufunc(x), ufunc(x[::-3]), ufunc(x[77])
            continue
        into = x.copy()
        ufunc(into, others, out=into)
        ahead, behind = x.copy(), x.copy()
        ufunc(ahead[1:], ahead[:-1], out=ahead[1:])
        ufunc(behind[1:], behind[:-1], out=behind[:-1])
        yield name, ufunc(x, others), ufunc(x[::3], others[::-3]), ufunc(x, x[7000]), into
        yield name, ufunc(x[0x4001], x), ufunc(x[:5], others[:5]), ufunc(x[:0], x[:0])
        yield name, ahead, behind
        if ufunc(few, few).dtype == dtype:
            square = few.reshape(16, 16)
            yield name, ufunc.reduce(few), ufunc.accumulate(few)
            yield name, ufunc.reduce(square, axis=0), ufunc.reduce(square, axis=1)

NAMES = (
    "add subtract multiply divide square sqrt reciprocal maximum minimum equal not_equal less "
    "less_equal greater greater_equal isnan isinf isfinite rint floor ceil trunc"
).split()
found = []
for turn in range(2):
    found.append([each for dtype in (FLOAT16, BFLOAT16) for each in of_dtype(dtype)])
    for dtype in (FLOAT16, BFLOAT16, FLOAT16):
        cinta_kernels.quicken(dtype)
count = 0
for (name, *before), (_, *after) in zip(*found, strict=True):
    for old, new in zip(before, after, strict=True):
        assert old.dtype == new.dtype and old.shape == new.shape, name
        old, new = [np.atleast_1d(each).astype(np.float32) for each in (old, new)]
        assert np.array_equal(old, new, equal_nan=True), name
        signs = (np.signbit(each[~np.isnan(each)]) for each in (old, new))
        assert name in ("maximum", "minimum") or np.array_equal(*signs), name
        count += 1
print(count)
'''


def run(code, kind):
    environment = {**os.environ, "CINTA_KERNELS": kind}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("kind", HERE)
def test_ufuncs_of_numpy_give_what_they_gave(kind):
    assert int(run(COMPARED, kind)) > 300


CONVERTED = """
import cinta_kernels as kernels, ml_dtypes, numpy as np
np.seterr(all="ignore")
random = np.random.default_rng(0)
ALL = np.arange(1 << 16, dtype=np.uint16)
MADE = {
    np.dtype(np.float16): (lambda x: kernels.to_float16(x), lambda x: kernels.from_float16(x)),
    np.dtype(ml_dtypes.bfloat16): (
        lambda x: kernels.to_bfloat16(x).view(ml_dtypes.bfloat16),
        lambda x: kernels.from_bfloat16(x.view(np.uint16)),
    ),
}
for dtype, (narrow, widen) in MADE.items():
    exact = ALL.view(dtype).astype(np.float32)
    for part in (slice(None), slice(3, 50000), slice(None, None, -1), slice(None, None, 7)):
        assert np.array_equal(widen(ALL.view(dtype)[part]), exact[part], equal_nan=True)
    ordered = np.sort(exact[np.isfinite(exact)]).astype(np.float64)
    between = ((ordered[1:] + ordered[:-1]) / 2).astype(np.float32)
    x = np.concatenate([
        exact, between, np.nextafter(between, np.float32(np.inf)),
        np.nextafter(between, np.float32(-np.inf)), random.normal(size=50000).astype(np.float32),
        (1e-6 * random.normal(size=50000)).astype(np.float32),
        random.integers(0, 1 << 32, 500_000, dtype=np.uint32).view(np.float32),
        np.float32([65519.996, 65520, -65520, 3.4e38, 1e-45, np.inf, -np.inf, np.nan, 0, -0.0]),
    ])
    for part in (slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 5)):
        found, wanted = narrow(x[part]), x[part].astype(dtype)
        number = ~np.isnan(x[part])
        assert np.array_equal(found.view(np.uint16)[number], wanted.view(np.uint16)[number])
        assert np.isnan(found[~number].astype(np.float32)).all()
    for n in range(20):
        assert np.array_equal(narrow(exact[:n]), exact[:n].astype(dtype))
print(kernels.processor)
"""


@pytest.mark.parametrize("kind", HERE)
def test_conversions_round_as_numpy_and_ml_dtypes_do(kind):
    assert run(CONVERTED, kind).strip() == kind


FLAGS = """
import cinta_kernels, numpy as np
cinta_kernels.quicken(np.dtype(np.float16))
large, one, zero = (np.full(21, each, np.float16) for each in (6e4, 1, 0))
for wrong in (lambda: large * large, lambda: one / zero, lambda: large[:3] + large[:3]):
    try:
        with np.errstate(all="raise"):
            wrong()
    except FloatingPointError as error:
        print(str(error).split()[0])
with np.errstate(all="raise"):
    large / one, large < np.float16(np.nan), one / np.float16(3), np.sqrt(large)
"""


@pytest.mark.parametrize("kind", HERE)
def test_overflow_and_division_by_zero_are_told_as_before(kind):
    assert run(FLAGS, kind).split() == ["overflow", "divide", "overflow"]


@pytest.mark.parametrize("dtype", [FLOAT16, BFLOAT16])
@pytest.mark.parametrize("name", [*UNITS, "relu", "relu_grad", "gelu_slope", "tanh_grad"])
def test_ufuncs_of_half_precision_round_those_of_float32(name, dtype):
    function = getattr(cinta_kernels, name)
    cinta_kernels.quicken(dtype)
    x = ALL.view(dtype)
    others = x[::-1].copy()
    given = [x, others][: function.nin]
    with np.errstate(all="ignore"):
        wanted = function(*[each.astype(np.float32) for each in given]).astype(dtype)
    found = function(*given)
    assert found.dtype == dtype
    assert np.array_equal(found.astype("f4"), wanted.astype("f4"), equal_nan=True)


def test_quicken_refuses_other_dtypes():
    for wrong in (np.dtype(np.float32), np.float16, "float16"):
        with pytest.raises(TypeError, match="takes the dtype of float16 or bfloat16"):
            cinta_kernels.quicken(wrong)


def test_threads_convert_and_add_side_by_side():
    cinta_kernels.quicken(FLOAT16)
    x = np.random.default_rng(0).normal(size=100_000).astype(np.float16)
    wanted = x + x, cinta_kernels.from_float16(x)
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: (x + x, cinta_kernels.from_float16(x)), range(32))
        assert all(np.array_equal(a, b) for pair in made for a, b in zip(pair, wanted, strict=True))
