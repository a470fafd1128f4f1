"""Every op on XLA: on other inputs it gives what the Python gives, and so do its gradients."""

import numpy as np
import pytest

import cinta as tf
from cinta import bitwise as bits
from cinta.engine.op import registry
from cinta.replay import xla
from tests.op_table import rows
from tests.op_table.coverage import row_of_each_op
from tests.op_table.domains import integers, positive, real
from tests.op_table.row import Row
from tests.replaying import (
    assert_close,
    gradients_outside,
    inputs_of,
    seeded,
    with_gradients,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*it sets the global seed")

N, M = integers(6, high=9), 1 + integers(6, high=5)
FLAGS, BOXES = real(6) > 0, np.sort(real(5, 4).reshape(5, 2, 2), axis=1).reshape(5, 4)
IMAGE, SEED = positive(1, 4, 4, 3), (1, 2)

# Ops without a gradient, which the table does not have.
OTHERS = [
    Row(lambda x, y: (x == y, x != y, x < y, x >= y), N, M, name="comparisons"),
    Row(lambda a: (a & ~a, a | a, a ^ True, tf.logical_not(a)), FLAGS, name="logic"),
    Row(lambda a: (tf.reduce_any(a), tf.reduce_all(a, 0)), FLAGS, name="any and all"),
    Row(
        lambda x, y: [
            f(x, y)
            for f in (
                *(bits.bitwise_and, bits.bitwise_or, bits.bitwise_xor),
                *(bits.left_shift, bits.right_shift),
            )
        ],
        N,
        M,
        name="bits",
    ),
    Row(bits.invert, N),
    Row(
        lambda x, y: (x // y, x % y, tf.truncatediv(x, y), tf.truncatemod(-x, y)),
        N,
        M,
        name="division of integers",
    ),
    Row(lambda x: x // 0.3 + tf.truncatediv(x, 0.4), real(5), name="division of floats"),
    Row(lambda x: (tf.math.ceil(x), tf.math.rint(x), tf.floor(x)), 3 * real(5), name="rounding"),
    Row(
        lambda x: (tf.math.is_nan(x), tf.math.is_inf(x), tf.math.is_finite(x)),
        np.array([1, np.nan, np.inf]),
        name="is nan",
    ),
    Row(lambda x: (tf.argmin(x, 1), tf.argmax(x, output_type=tf.int32)), real(3, 4), name="argmin"),
    Row(lambda x: tf.math.count_nonzero(x, 0), N, name="count_nonzero"),
    Row(lambda x: tf.math.bincount(x, minlength=9, maxlength=9), N, name="bincount"),
    Row(lambda x: tf.histogram_fixed_width(x, [-1.0, 1.0], 4), real(9), name="histogram"),
    Row(lambda x: tf.one_hot(x, 9), N, name="one_hot"),
    Row(
        lambda s, x: tf.searchsorted(s, x, "right"), np.sort(real(8)), real(3), name="searchsorted"
    ),
    Row(lambda x: tf.where(x > 0), real(3, 4), name="where"),
    Row(lambda x: tf.unique_with_counts(x), N, name="unique"),
    Row(lambda x: tf.dynamic_stitch([x, x + 3], [x, x]), integers(3, high=2), name="stitch"),
    Row(lambda x: tf.bitcast(x, tf.int64), real(3), name="bitcast"),
    Row(lambda x: tf.unravel_index(x, [3, 3]), N, name="unravel_index"),
    Row(
        lambda y, x: tf.math.in_top_k(y, tf.cast(x, tf.float32), 2),
        integers(3, high=4),
        real(3, 4),
        name="in_top_k",
    ),
    Row(lambda x: (tf.argsort(x), tf.sort(x, direction="DESCENDING")), real(3, 4), name="sorting"),
    Row(lambda x: tf.cast(tf.cast(100 * x, tf.uint8), tf.float16), positive(4), name="casts"),
    Row(lambda x: tf.linalg.lu(x), real(3, 3), name="lu"),
    Row(lambda x: tf.linalg.logm(tf.cast(x @ x, tf.complex128)), 2 * np.eye(2), name="logm"),
    Row(lambda x: tf.image.resize(x, [2, 2], "area"), IMAGE, name="resize area"),
    Row(lambda x: tf.round(1000 * tf.image.adjust_hue(x, 0.2)), IMAGE, name="adjust_hue"),
    Row(lambda x: tf.image.adjust_saturation(x, 0.2), IMAGE, name="adjust_saturation"),
    Row(lambda x: tf.image.adjust_contrast(x, 0.2), IMAGE, name="adjust_contrast"),
    Row(
        lambda boxes, scores: tf.image.non_max_suppression(boxes, scores, 3),
        BOXES,
        real(5),
        name="suppression",
    ),
    Row(lambda x: tf.random.normal([3], dtype=tf.float64) + x, real(3), name="normal numbers"),
    Row(lambda x: x * tf.random.uniform([3], dtype=tf.float64), real(3), name="uniform numbers"),
    Row(lambda x: x + tf.random.uniform([6], 0, 9, tf.int32), N, name="uniform integers"),
    Row(lambda x: x * tf.random.truncated_normal([3], dtype=tf.float64), real(3), name="truncated"),
    Row(lambda x: tf.random.shuffle(x), real(5), name="shuffle"),
    Row(lambda x: tf.random.categorical(x, 4), real(2, 3), name="categorical"),
    Row(lambda x: tf.random.gamma([2], x, dtype=tf.float64), positive(3), name="gamma numbers"),
    Row(lambda x: tf.random.poisson([2], x), positive(3), name="Poisson numbers"),
    Row(lambda x: tf.random.stateless_binomial([2], SEED, 5, x), positive(2) / 9, name="binomial"),
    Row(lambda x: tf.nn.dropout(x, 0.5), real(9), name="dropout"),
]
ROWS = rows()

# Ops that XLA lacks; random numbers, the same everywhere; ops whose result's size depends on
# values.
ON_THE_HOST = {
    *("BesselI", "BesselJ", "BesselJ0", "BesselJ1", "BesselY0", "BesselY1"),
    *("BesselK0", "BesselK0e", "BesselK1", "BesselK1e", "IgammaGradA"),
    *("IsotonicRegression", "Lu", "MatrixLogarithm", "MatrixSquareRoot", "NonMaxSuppressionV5"),
    *("Sylvester", "TridiagonalSolve"),
    *("RandomShuffle", "StatelessMultinomial", "StatelessRandomBinomial", "StatelessRandomGammaV3"),
    *("StatelessRandomNormalV2", "StatelessRandomPoisson", "StatelessRandomUniformIntV2"),
    *("StatelessRandomUniformV2", "StatelessTruncatedNormalV2"),
    *("LastPlaces", "UniqueWithCounts", "Where"),
}
found_on_the_host = set()


@pytest.fixture(scope="module", autouse=True)
def note_what_runs_on_the_host():
    lowered = xla.XlaProgram._lowered

    def noting(program):
        found = lowered(program)
        found_on_the_host.update(op.name for op in program.host_ops)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla.XlaProgram, "_lowered", noting)
        yield


@row_of_each_op
def test_xla_gives_what_python_gives(row):
    function = with_gradients(row)
    compiled = tf.function(function, jit_compile=True)
    for factor in (1.0, 0.97):
        inputs = inputs_of(row, factor)
        assert_close(seeded(compiled, *inputs), seeded(function, *inputs))


@pytest.mark.parametrize("row", OTHERS, ids=repr)
def test_what_has_no_gradient_is_what_the_other_engine_gives(row):
    """Also random numbers, which functions draw from other streams than eager code."""
    compiled, replayed = [
        tf.function(lambda *inputs: row.function(*inputs), jit_compile=by_xla)
        for by_xla in (True, False)
    ]
    for factor in (1.0, 0.97):
        inputs = inputs_of(row, factor)
        assert_close([seeded(compiled, *inputs)], [seeded(replayed, *inputs)])


@pytest.mark.parametrize("row", ROWS[::16], ids=repr)
def test_gradients_of_compiled_calls_and_their_gradients_are_those_of_python(row):
    compiled = tf.function(lambda *inputs: row.function(*inputs), jit_compile=True)
    for factor in (1.0, 0.97, 0.98):
        inputs = inputs_of(row, factor)
        found = [gradients_outside(f, inputs) for f in (row.function, compiled)]
        assert_close(*found)


def test_no_other_op_than_these_runs_on_the_host():
    assert sorted(found_on_the_host - ON_THE_HOST) == []
    assert set(registry) >= ON_THE_HOST
