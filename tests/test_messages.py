"""Mistakes of newcomers: each is noticed, and the message says what to do."""

import re

import numpy as np
import pytest

import cinta as tf
from cinta.__main__ import main


@pytest.fixture
def x():
    return tf.constant([1.0, 2.0])


def refused(error, *words):
    """Expect this error, with all of these words in its message."""
    return pytest.raises(error, match="".join(f"(?=.*{word})" for word in words))


# -- lists that were forgotten ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "error"),
    [
        (tf.constant([3.0, 4.0]), ValueError),
        (tf.constant([3, 4]), ValueError),
        ([0], ValueError),
        (None, ValueError),
        (1.5, TypeError),
    ],
)
def test_concat_of_one_value_needs_an_axis(x, axis, error):
    with refused(error, r"tf\.concat\(\[a, b\], axis=0\)"):
        tf.concat(x, axis)
    with refused(error, r"tf\.concat\(\[a, b\], axis=0\)"):
        tf.concat([x], axis)


@pytest.mark.parametrize("axis", [0, 5, np.int64(1), tf.constant(0)])
def test_concat_of_one_value_takes_any_axis(x, axis):
    assert tf.concat([x], axis).numpy().tolist() == [1, 2]


def test_a_length_is_no_dtype():
    with refused(TypeError, r"tf\.zeros\(\[2, 3\]\)"):
        tf.zeros(2, 3)
    assert tf.ones([2, 3], 4).dtype == tf.uint8  # behind a list it is TensorFlow's number of one
    with refused(TypeError, r"\[2, 3\]"):
        tf.ones_initializer()(2, 3)


def test_a_dtype_is_no_answer_to_whether_a_variable_is_trainable():
    with pytest.warns(UserWarning, match=r"`trainable`.*Write dtype=tf\.float32") as caught:
        v = tf.Variable([1, 2], tf.float32)
    assert v.dtype == tf.int32
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match=r"Write dtype=<class 'numpy\.float64'>"):
        tf.Variable([1, 2], np.float64)


@pytest.mark.parametrize(
    "given", [[1.0, 2.0], (1.0, 2.0), [[1.0, 2.0]], [tf.constant(1.0), np.float32(2.0)]]
)
def test_output_gradients_of_one_tensor_may_be_a_list_of_numbers(x, given):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x, output_gradients=given).numpy().tolist() == [2, 8]
    assert tape.gradient([y], x, output_gradients=given).numpy().tolist() == [2, 8]


def test_such_a_list_has_the_shape_of_the_tensor(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.reduce_sum(y)
    with refused(tf.errors.InvalidArgumentError, "shapes of the targets"):
        tape.gradient(y, x, output_gradients=[1.0, 2.0, 3.0])
    assert tape.gradient(y, x, output_gradients=[3.0]).numpy().tolist() == [6, 12]
    assert tape.gradient(z, x, output_gradients=[3.0, 4.0]).numpy().tolist() == [6, 12]


# -- functions that leave tf on their way ----------------------------------------------------------

LEAVING = {
    "grad": lambda f, x: tf.grad(lambda x: float(f(x)[0]))(x),
    "value_and_grad": lambda f, x: tf.value_and_grad(lambda x: float(f(x)[0]))(x),
    "elementwise_grad": lambda f, x: tf.elementwise_grad(f)(x),
    "per_example_gradient": lambda f, x: tf.per_example_gradient(lambda w, x: f(x))(x, x),
    "jacobian": lambda f, x: tf.jacobian(f)(x),
    "hessian": lambda f, x: tf.hessian(lambda x: float(f(x)[0]))(x),
    "hvp": lambda f, x: tf.hvp(lambda x: float(f(x)[0]))(x, x),
    "jvp": lambda f, x: tf.jvp(f, [x], [x]),
    "vjp": lambda f, x: tf.vjp(f, x),
    "linearize": lambda f, x: tf.linearize(f, x),
    "taylor": lambda f, x: tf.autodiff.taylor(f, x, 2),
    "sparse_jacobian": lambda f, x: tf.autodiff.sparse_jacobian(f)(x),
    "sparse_hessian": lambda f, x: tf.autodiff.sparse_hessian(lambda x: float(f(x)[0]))(x),
    "root": lambda f, x: tf.optimize.root(f, x),
    "least_squares": lambda f, x: tf.optimize.least_squares(f, x),
}


@pytest.mark.parametrize("way", LEAVING.values(), ids=LEAVING)
def test_a_function_that_leaves_tf_is_noticed_at_the_line_of_the_user(x, way):
    with pytest.warns(UserWarning, match="so its derivative is zero") as caught:
        way(lambda x: np.asarray(x) - 1.0, x)
    assert {w.filename for w in caught} == {__file__}


@pytest.mark.parametrize(
    ("f", "what"),
    [
        (lambda x: float(x) ** 2, "a Python number, 9.0"),
        (lambda x: x.numpy() ** 2, "a NumPy value"),
        (lambda x: tf.constant(1.0), "a tensor that was computed without x"),
    ],
)
def test_minimize_needs_a_value_that_depends_on_x(f, what):
    with refused(ValueError, "does not depend on x through tf's functions", what, "Nelder-Mead"):
        tf.optimize.minimize(f, 3.0)


def test_methods_without_derivatives_take_any_function():
    found = tf.optimize.minimize(lambda x: float(x) ** 2, 3.0, method="Nelder-Mead")
    assert abs(float(found.x)) < 1e-3
    assert tf.optimize.root(lambda x: np.asarray(x) - 1, 3.0, method="krylov").success


# -- names from elsewhere --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "name", "words"),
    [
        (tf.constant(1.0), "assign", "Was a tf.Variable replaced by a tensor"),
        (tf.constant(1.0), "assign_sub", "w.assign_sub"),
        (tf.constant(1.0), "backward", "tape.gradient"),
        (tf.Variable(1.0), "grad", "tape.gradient"),
        (tf.Variable(1.0), "requires_grad", "tape.watch"),
        (tf.GradientTape(), "gradients", "tape.gradient"),
        (tf.GradientTape(), "backward", "tape.gradient"),
    ],
)
def test_names_from_elsewhere_lead_to_ours(value, name, words):
    with refused(AttributeError, f"has no attribute '{name}'", words):
        getattr(value, name)


def test_names_from_elsewhere_are_not_shown():
    tape = tf.GradientTape()
    assert {"gradient", "jacobian", "watch"} <= set(dir(tape))
    assert {"backward", "grad", "gradients"}.isdisjoint(dir(tape))


def test_none_is_no_change():
    with refused(ValueError, "unsupported type", "A gradient that is None"):
        tf.Variable(1.0).assign_sub(None)


def test_a_variable_keeps_its_shape():
    with refused(ValueError, "variable 'Variable:0': Shape mismatch", r"shape=tf\.TensorShape"):
        tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0])


def test_variables_are_formatted_as_tensors():
    v = tf.Variable(1.2)
    assert f"{v:.2f}" == f"{tf.constant(1.2):.2f}" == "1.20"
    assert f"{v}" == str(v)


# -- dtypes and shapes that do not go together -----------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (1, 0.5, r"Cast the int32 one, tf\.cast\(x, tf\.float32\), or write 1\.0 for 1"),
        (0.5, 1, r"Cast the int32 one, tf\.cast\(x, tf\.float32\), or write 1\.0 for 1"),
        (np.float64(1), 0.5, r"Cast the float64 one, tf\.cast\(x, tf\.float32\):"),
        (np.int64(1), 1, r"Cast the int32 one, tf\.cast\(x, tf\.int64\):"),
        (1j, np.float64(1), r"Cast the float64 one, tf\.cast\(x, tf\.complex128\):"),
        ("1", 1, r"tf\.strings\.to_number"),
    ],
)
def test_of_two_dtypes_one_is_to_be_cast(first, second, words):
    with refused(tf.errors.InvalidArgumentError, "cannot compute AddV2", words):
        tf.constant(first) + tf.constant(second)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: tf.constant(0.5, tf.int32),
            r"Cannot convert 0\.5 .*int32: .*tf\.cast\(x, tf\.float32\)",
        ),
        (lambda: tf.constant(["a"], tf.float32), r"tf\.strings\.to_number"),
        (lambda: tf.constant([1], tf.string), r"tf\.as_string"),
        (lambda: tf.constant([1], tf.bool), "True or False"),
        (lambda: tf.constant([1j], tf.float32), r"tf\.math\.real"),
    ],
)
def test_what_does_not_fit_a_dtype(make, words):
    with refused(TypeError, "Cannot convert .* to EagerTensor of dtype", words):
        make()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[1.0], [1.0, 2.0]], r"Entry \[0\] is 1 long, but entry \[1\] is 2 long"),
        (
            [[[1, 2], [3, 4]], [[1, 2], [3]]],
            r"Entry \[1\]\[0\] is 2 long, but entry \[1\]\[1\] is 1",
        ),
        ([[1.0], 2.0], r"Entry \[0\] is 1 long, but entry \[1\] is no list"),
    ],
)
def test_lists_that_are_not_rectangular(value, words):
    with refused(ValueError, "non-rectangular", words):
        tf.constant(value)


def test_what_a_function_takes():
    with refused(
        tf.errors.InvalidArgumentError, r"tf\.cast\(x, tf\.float32\).*or write 3\.0 for 3"
    ):
        tf.sqrt(4)
    with refused(tf.errors.InvalidArgumentError, r"tf\.cast\(x, tf\.int32\) first\."):
        tf.bitwise.invert(tf.constant(1.0))


def test_a_list_of_tensors_is_no_constant(x):
    with refused(ValueError, r"^tf\.constant takes values", r"tf\.stack"):
        tf.constant([x, x * 2.0])


@pytest.mark.parametrize(
    ("a", "b", "ways", "words"),
    [
        ((2, 3), (2, 3), {}, "3 columns, the second 2 rows; transpose_b=True or transpose_a=True"),
        ((2, 3), (4, 3), {}, "3 columns, the second 4 rows; transpose_b=True would fit"),
        ((2, 3), (4, 5), {}, r"3 columns, the second 4 rows \[Op"),
        ((2, 3), (3, 4), {"transpose_b": True}, "transpose_b=False would fit"),
    ],
)
def test_matrices_that_do_not_go_together(a, b, ways, words):
    with refused(tf.errors.InvalidArgumentError, "Matrix size-incompatible", words):
        tf.matmul(tf.ones(a), tf.ones(b), **ways)


# -- tapes -----------------------------------------------------------------------------------------


def test_a_tape_that_was_never_entered(x):
    with refused(RuntimeError, "^The tape was never entered"):
        tf.GradientTape().gradient(x, x)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
    tape.gradient(x, x)
    with refused(RuntimeError, "^A non-persistent GradientTape can only be used to compute one"):
        tape.gradient(x, x)


@pytest.mark.parametrize("value", [[1.0, 2.0], 3.0])
def test_numbers_are_made_tensors_before_they_are_watched(value):
    words = re.escape(f"x = tf.constant({value}), tape.watch(x)")
    with tf.GradientTape() as tape, refused(ValueError, "^Passed in object", words):
        tape.watch(value)


def test_numbers_are_no_sources_and_no_targets(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with refused(AttributeError, r"x = tf\.constant\(3\.0\), watch it", "give x here"):
        tape.gradient(y, 3.0)
    with refused(AttributeError, "inside `with tape:`, without float"):
        tape.gradient(float(y[0]), x)
    with refused(AttributeError, "tf.sin for np.sin"):
        tape.gradient(np.sin(y), x)


def test_long_lists_are_not_repeated_in_errors():
    with tf.GradientTape() as tape, refused(ValueError, r"x = tf\.constant\(x\)"):
        tape.watch([1.0] * 100)


def test_what_is_no_tensor_has_no_gradient(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with refused(AttributeError, r"drop \.numpy\(\)"):
        tape.gradient(y.numpy(), x)
    with refused(AttributeError, r"drop \.numpy\(\)"):
        tape.jacobian(y.numpy(), x)
    with refused(TypeError, "^`sources` takes tensors and variables", "A 'str' is none of them"):
        tape.gradient(y, "x")


# -- calls that lack something ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.data.Dataset.range(3).shuffle(), r"^Dataset\.shuffle\(\) missing"),
        (lambda: tf.data.Dataset.from_generator(), r"^Dataset\.from_generator\(\) missing"),
        (lambda: tf.Variable(1.0).assign(), r"^Variable\.assign\(\) missing"),
    ],
)
def test_errors_of_python_use_the_names_that_people_know(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_an_optimizer_takes_gradients_before_variables(x):
    v = tf.Variable([1.0, 2.0])
    with refused(AttributeError, r"apply_gradients\(zip\(gradients, variables\)\)"):
        tf.keras.optimizers.SGD().apply_gradients([(v, x)])


def test_a_module_need_not_call_the_base_class(tmp_path):
    class Hasty(tf.Module):
        def __init__(self):
            self.v = tf.Variable(3.0)

    tf.saved_model.save(Hasty(), str(tmp_path / "saved"))
    assert tf.saved_model.load(str(tmp_path / "saved")).v.numpy() == 3


# -- files that are not checkpoints ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.keras", "load_model"),
        ("model.h5", "load_model"),
        ("model.weights.h5", "load_weights"),
        ("README.md", "no checkpoint, whose files end with .safetensors or .index"),
        ("", "it is a directory. tf.train.latest_checkpoint"),
    ],
)
def test_what_is_no_checkpoint(tmp_path, capsys, name, words):
    path = tmp_path / name
    if name:
        path.write_text("text")
    with pytest.raises(
        tf.errors.NotFoundError, match=r": Failed to find any matching files"
    ) as error:
        tf.train.Checkpoint(v=tf.Variable(1.0)).restore(str(path))
    assert words in str(error.value)
    if name:
        assert main(["show", str(path)]) == 1
        assert words in capsys.readouterr().err


# -- how things show themselves --------------------------------------------------------------------


def test_tapes_show_where_they_are():
    v = tf.Variable(3.0, name="v")
    tape = tf.GradientTape()
    assert repr(tape) == "<tf.GradientTape: not entered yet>"
    with tape:
        y = v * v
        assert repr(tape) == "<tf.GradientTape: recording, 1 record, watched v:0>"
    tape.gradient(y, v)
    assert repr(tape) == "<tf.GradientTape: used up, watched v:0>"
    with tf.GradientTape(persistent=True) as tape:
        pass
    assert repr(tape) == "<tf.GradientTape: persistent, not recording, 0 records>"


def test_objects_that_programs_keep_say_what_they_are(tmp_path):
    v = tf.Variable(1.0)
    accumulator = tf.autodiff.ForwardAccumulator(v, 1.0)
    assert repr(accumulator) == "<tf.autodiff.ForwardAccumulator: not recording>"
    with accumulator:
        assert repr(accumulator) == "<tf.autodiff.ForwardAccumulator: recording>"
    assert repr(tf.distribute.MirroredStrategy(["CPU:0"])) == "<MirroredStrategy of 1 replica>"
    assert repr(iter(tf.data.Dataset.range(3).map(print))) == "<tf.data.Iterator: Map>"
    path = tf.train.Checkpoint(v=v).write(str(tmp_path / "c"))
    assert repr(tf.train.load_checkpoint(path)) == "<tf.train.load_checkpoint: 1 tensor>"
    records = str(tmp_path / "records")
    with tf.io.TFRecordWriter(records) as writer:
        assert repr(writer) == f"<tf.io.TFRecordWriter of {records!r}>"
    with tf.io.gfile.GFile(records) as file:
        assert repr(file) == f"<tf.io.gfile.GFile {records!r}, mode='r'>"


def test_datasets_show_their_elements_without_a_call(capsys):
    numbers = tf.data.Dataset.range(3)
    spec = "TensorSpec(shape=(None,), dtype=tf.int64, name=None)"
    assert repr(numbers.batch(2)) == f"<tf.data.Dataset: Batch, element_spec={spec}>"
    mapped = numbers.map(print)
    assert repr(mapped.batch(2)) == "<tf.data.Dataset: Batch>"
    assert not capsys.readouterr().out
    doubled = numbers.map(lambda x: x * 2)
    assert "element_spec" not in repr(doubled)
    assert doubled.element_spec.dtype == tf.int64
    assert "element_spec=TensorSpec(shape=()" in repr(doubled)


def test_nothing_shows_where_it_is_defined(tmp_path):
    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([1.0, 2.0])
            self.inner = tf.Module()

    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0), w=tf.Variable(2.0))
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), 3)
    manager.save()
    tf.saved_model.save(Linear(), str(tmp_path / "model"))
    array = tf.TensorArray(tf.float32, 2).write(0, 1.0)
    shown = {
        repr(tf.random.Generator.from_state([1, 2, 3], "philox")): (
            "<tf.random.Generator: alg=philox, state=[1, 2, 3]>"
        ),
        repr(checkpoint): "<tf.train.Checkpoint of v, w>",
        repr(tf.train.Checkpoint()): "<tf.train.Checkpoint of nothing yet>",
        repr(tf.train.Checkpoint(Linear())): "<tf.train.Checkpoint of root>",
        repr(manager): (
            f"<tf.train.CheckpointManager: directory={str(tmp_path)!r}, "
            f"latest_checkpoint={manager.latest_checkpoint!r}>"
        ),
        repr(array): "<tf.TensorArray: dtype=float32, size=2, written=1>",
        repr(tf.Module()): "<tf.Module 'module'>",
        repr(tf.zeros_initializer()): "zeros_initializer()",
        repr(tf.random_normal_initializer(seed=1)): (
            "random_normal_initializer(mean=0.0, stddev=0.05, seed=1)"
        ),
        repr(tf.saved_model.load(str(tmp_path / "model"))): "<loaded model with inner, w>",
        repr(
            tf.saved_model.load(str(tmp_path / "model")).inner
        ): "<loaded model with nothing in it>",
    }
    for found, expected in shown.items():
        assert found == expected
    assert repr(Linear()) == "<tf.Module Linear 'linear'>"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: tf.GradientTape().watch(), "GradientTape.watch"),
        (lambda: tf.GradientTape().hessian(), "GradientTape.hessian"),
        (lambda: tf.Variable(1.0).assign(), "Variable.assign"),
        (lambda: tf.Variable([1.0]).scatter_add(), "Variable.scatter_add"),
        (lambda: tf.data.Dataset.range(3).batch(), "Dataset.batch"),
        (lambda: tf.RaggedTensor.from_row_lengths(), "RaggedTensor.from_row_lengths"),
        (lambda: tf.random.Generator.from_seed(1).normal(), "Generator.normal"),
        (lambda: tf.linalg.LinearOperatorIdentity(2).shape_tensor(1, 2), "LinearOperator.shape_"),
        (lambda: tf.test.TestCase().assertAllClose(), "TestCase.assertAllClose"),
    ],
)
def test_errors_of_calls_name_the_class_that_people_know(call, name):
    with pytest.raises(TypeError, match=rf"^{re.escape(name)}"):
        call()


# -- messages that name what was meant ------------------------------------------------------------


def test_strings_are_not_told_to_be_cast():
    for call in (tf.reduce_mean, tf.nn.relu, tf.sqrt):
        with refused(tf.errors.InvalidArgumentError, r"tf\.strings\.to_number") as caught:
            call("a")
        assert "tf.cast" not in str(caught.value)


def test_a_wrong_argument_of_a_tape_names_the_tape():
    with refused(TypeError, r"^GradientTape\.__init__\(\) got an unexpected .*'persistant'"):
        tf.GradientTape(persistant=True)


def test_what_is_to_be_explained_is_a_function():
    with refused(TypeError, r"explain\(step, x\), not .*explain\(step\(x\)\)", "Got None"):
        tf.debugging.explain(None)


def test_scattering_does_not_speak_of_gathering():
    with refused(
        tf.errors.InvalidArgumentError, r"^indices\[0\] = \[5\] does not .* \[3\]: "
    ) as caught:
        tf.scatter_nd([[5]], [1], [3])
    assert "Gather" not in str(caught.value)
