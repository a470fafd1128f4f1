"""tf.test: asserts about tensors, and gradients by finite differences."""

import sys
import types
import unittest

import ml_dtypes
import numpy as np
import pytest

import cinta as tf

NAN = float("nan")


class Case(tf.test.TestCase):
    __test__ = False

    def runTest(self):
        pass


@pytest.fixture(autouse=True)
def seeds():
    """Test cases set the seeds of the process."""
    before = np.random.get_state()  # noqa: NPY002
    yield
    np.random.set_state(before)  # noqa: NPY002
    tf.random.set_seed(None)


@pytest.fixture
def case():
    case = Case()
    yield case
    case.doCleanups()


HOLD = [
    ("assertAllClose", 1.0, 1.0 + 1e-7),
    ("assertAllClose", tf.constant([1.0]), [1.0]),
    ("assertAllClose", NAN, NAN),
    ("assertAllClose", {"a": [1.0, (2.0, tf.constant(3.0))]}, {"a": [1.0, (2.0, 3.0)]}),
    ("assertAllClose", [[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]]),
    ("assertAllClose", np.array(1.005, ml_dtypes.bfloat16), 1.0),
    ("assertAllCloseAccordingToType", np.float16(1.0005), np.float32(1.0)),
    ("assertNotAllClose", [1.0], [1.1]),
    ("assertNotAllClose", [1.0], [1.0, 2.0]),
    ("assertAllEqual", [1, 2], tf.constant([1, 2])),
    ("assertAllEqual", ["a"], tf.constant(["a"])),
    ("assertAllEqual", NAN, tf.constant(NAN)),
    ("assertAllEqual", [tf.constant(1), 2], [1.0, 2.0]),
    ("assertNotAllEqual", [1, 2], [1, 3]),
    ("assertAllGreater", [1, 2], 0),
    ("assertAllLess", tf.constant([1, 2]), 3),
    ("assertAllGreaterEqual", [1, 2], 1),
    ("assertAllLessEqual", [1, 2], 2),
    ("assertAllInRange", [1, 2], 1, 2),
    ("assertAllInSet", [1, 2, 1], [1, 2]),
    ("assertDTypeEqual", tf.constant(1.0), np.float32),
    ("assertNear", 1.0, 1.05, 0.1),
    ("assertArrayNear", [1.0], [1.05], 0.1),
    ("assertNDArrayNear", np.ones(2), np.ones(2) + 0.01, 0.1),
    ("assertShapeEqual", np.ones(2), tf.zeros(2)),
    ("assertDeviceEqual", "/cpu:0", "/device:CPU:0"),
    ("assertStartsWith", "abc", "a"),
    ("assertDictEqual", {"a": np.ones(2)}, {"a": tf.ones(2)}),
]

FAIL = [
    ("assertAllClose", r"\[1\]: .*2\.0.*2\.1", [1.0, 2.0], [1.0, 2.1]),
    ("assertAllClose", "Shape mismatch", [1.0, 2.0], 1.0),
    ("assertAllClose", "mismatched keys", {"a": 1.0}, {"b": 1.0}),
    ("assertAllClose", r"at \[a\]\[1\]", {"a": [[1.0], [1.0, 2.0]]}, {"a": [[1.0], [1.0, 3.0]]}),
    ("assertAllClose", "Cannot compare", {"a": 1.0}, [1.0]),
    ("assertAllCloseAccordingToType", "tolerance", np.float32(1.0005), np.float32(1.0)),
    ("assertNotAllClose", "close at all elements", [1.0], [1.0]),
    ("assertAllEqual", "1 of 2 elements", [1, 2], [1, 3]),
    ("assertAllEqual", "Shape mismatch", [1, 2], [1, 2, 3]),
    ("assertNotAllEqual", "equal at all elements", [NAN], [NAN]),
    ("assertAllGreater", "not greater", [1, 2], 1),
    ("assertAllLess", "not less", [1, 2], 2),
    ("assertAllGreaterEqual", "not greater", [1, 2], 2),
    ("assertAllLessEqual", "not less", [1, 2], 1),
    ("assertAllInRange", r"outside the range \[1, 2\)", [1, 2], 1, 2, False, True),
    ("assertAllInRange", "1 of the 2", [1.0, NAN], 0, 2),
    ("assertAllInRange", "no order", ["a"], 1, 2),
    ("assertAllInSet", "1 unique", [1, 5, 5], [1, 2]),
    ("assertDTypeEqual", "float64", np.ones(1), tf.float32),
    ("assertNear", "difference", 1.0, 1.2, 0.1),
    ("assertArrayNear", "!=", [1.0], [1.0, 2.0], 0.1),
    ("assertNDArrayNear", "0.1", np.ones(2), np.zeros(2), 0.1),
    ("assertShapeEqual", "TensorShape", np.ones(2), tf.zeros(3)),
    ("assertDeviceEqual", "GPU", "/cpu:0", "/device:GPU:0"),
    ("assertStartsWith", "does not start", "abc", "b"),
    ("assertDictEqual", "Values of 'a'", {"a": np.ones(2)}, {"a": np.zeros(2)}),
]


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, *args in HOLD])
def test_what_holds(case, name, args):
    getattr(case, name)(*args)


@pytest.mark.parametrize(("name", "said", "args"), [(n, said, args) for n, said, *args in FAIL])
def test_what_fails_says_where(case, name, said, args):
    with pytest.raises(AssertionError, match=said):
        getattr(case, name)(*args)


def test_the_message_of_a_test_is_shown(case):
    with pytest.raises(AssertionError, match=r"(?s)mine.*tolerance"):
        case.assertAllClose(1.0, 2.0, msg="mine")


def test_errors_are_matched(case):
    error = tf.errors.InvalidArgumentError(None, None, "Incompatible shapes: bad")
    with case.assertRaisesOpError("bad"):
        raise error
    with case.assertRaisesIncompatibleShapesError():
        raise error
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: "y" in str(e)):
        raise ValueError("y")
    with pytest.raises(AssertionError, match="bad"), case.assertRaisesOpError("good"):
        raise error
    with pytest.raises(AssertionError, match="not raised"), case.assertRaisesOpError("good"):
        pass


def test_structures_are_evaluated(case):
    found = case.evaluate({"a": [tf.constant(1.0), None], "b": lambda: tf.Variable(2)})
    assert found == {"a": [np.float32(1.0), None], "b": 2}
    assert type(found["a"][0]) is np.float32
    sparse = case.evaluate(tf.sparse.from_dense([3, 0]))
    assert (sparse.indices.tolist(), sparse.values.tolist()) == ([[0]], [3])
    slices = case.evaluate(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))
    assert (slices.values.tolist(), slices.dense_shape) == ([1.0], None)
    with pytest.raises(ValueError, match="Unsupported type"):
        case.evaluate(3)


def test_a_test_begins_with_tensorflows_random_numbers():
    case = Case()
    case.setUp()
    expected = [0.5836375, 0.2972299]  # of TensorFlow 2.21
    np.testing.assert_allclose(tf.random.uniform([2]), expected, rtol=1e-6)


def test_a_folder_lasts_as_long_as_the_test(tmp_path):
    case = Case()
    folder = case.get_temp_dir()
    assert folder == case.get_temp_dir()
    assert tf.io.gfile.isdir(folder)
    case.doCleanups()
    assert not tf.io.gfile.exists(folder)


def test_an_error_in_a_thread_fails_the_test(case):
    def fail():
        raise ValueError("in the thread")

    thread = case.checkedThread(fail)
    thread.start()
    with pytest.raises(AssertionError, match="in the thread"):
        thread.join()


def test_what_is_written_to_a_stream_is_kept(case, capfd):
    with case.captureWritesToStream(sys.stderr) as kept:
        tf.print("hello")
        assert kept.contents() == "hello\n"


def test_the_classes_run_as_unittests():
    class Tests(tf.test.TestCase):
        def test_good(self):
            with self.session(), self.cached_session():
                self.assertAllEqual(self.evaluate(tf.constant([1])), [1])

        def test_bad(self):
            self.assertAllEqual([1], [2])

        @tf.test.disable_with_predicate(lambda: True, "not here")
        def test_skipped(self):
            raise AssertionError

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Tests).run(result)
    # `test_session` is called by tests, and is none itself.
    assert (result.testsRun, len(result.failures), len(result.skipped)) == (4, 1, 2)


def test_main_runs_the_tests_of_the_program(monkeypatch):
    program = types.ModuleType("__main__")
    program.Tests = type("Tests", (tf.test.TestCase,), {"test_it": lambda self: None})
    monkeypatch.setitem(sys.modules, "__main__", program)
    monkeypatch.setattr(sys, "argv", ["program"])
    with pytest.raises(SystemExit) as ended:
        tf.test.main()
    assert not ended.value.code


def test_gradients_are_compared_with_differences():
    """The Jacobians are TensorFlow's."""

    def f(x, y):
        return (x * y)[:1] + tf.reduce_sum(y)

    by_tape, by_differences = tf.test.compute_gradient(f, [[1.0, 2.0], [3.0, 4.0]])
    for found in by_tape, by_differences:
        np.testing.assert_array_equal(found[0], [[3, 0]])
        np.testing.assert_array_equal(found[1], [[2, 1]])


def test_complex_numbers_count_twice():
    x = tf.constant([1 + 1j, 2.0])
    for found in tf.test.compute_gradient(lambda x: x * x * (1 + 2j), [x]):
        expected = [[-2, -6, 0, 0], [6, -2, 0, 0], [0, 0, 4, -8], [0, 0, 8, 4]]
        np.testing.assert_allclose(found[0], expected, atol=1e-4)
    for found in tf.test.compute_gradient(tf.abs, [x]):
        half = 0.5**0.5
        np.testing.assert_allclose(found[0], [[half, half, 0, 0], [0, 0, 1, 0]], atol=1e-4)


def test_a_wrong_gradient_shows():
    (by_tape,), (by_differences,) = tf.test.compute_gradient(tf.stop_gradient, [tf.constant(1.0)])
    assert (by_tape.item(), by_differences.item()) == (0.0, 1.0)


def test_arguments_of_compute_gradient_are_checked():
    with pytest.raises(ValueError, match="must be a list or tuple"):
        tf.test.compute_gradient(tf.square, tf.constant(1.0))
    with pytest.raises(AssertionError, match="int32 of argument 0"):
        tf.test.compute_gradient(tf.square, [tf.constant(1)])
