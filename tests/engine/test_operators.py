"""Operators: the dtypes of what they give, the errors they raise, and what they do to variables."""

import operator

import numpy as np
import pytest

import cinta as tf
from cinta.engine import operators
from cinta.ops.operators import OF_TENSORS, OF_VARIABLES

f = tf.constant([1.5, -2.0])
d = tf.constant([1.5, -2.0], tf.float64)
h = tf.constant([1.5, -2.0], tf.float16)
w = tf.cast(h, tf.bfloat16)
i = tf.constant([3, -2])
u = tf.constant([3, 2], tf.uint8)
b = tf.constant([True, False])
z = tf.constant([1 + 1j, 2], tf.complex64)
s = tf.constant(["a", "b"])
IAE = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("result", "dtype", "expected"),
    [
        (f + 1, "float32", [2.5, -1.0]),
        (1 - f, "float32", [-0.5, 3.0]),
        (f + True, "float32", [2.5, -1.0]),
        (f * [2, 3], "float32", [3.0, -6.0]),
        ([2.0, 3.0] - f, "float32", [0.5, 5.0]),
        (h * 2.5, "float16", [3.75, -5.0]),
        (w * 2.5, "bfloat16", [3.75, -5.0]),
        (2 / d, "float64", [4 / 3, -1.0]),
        (f * np.array([1.0, 2.0]), "float32", [1.5, -4.0]),
        (np.array([1.0, 2.0]) * f, "float32", [1.5, -4.0]),
        (np.float64(2.0) * f, "float32", [3.0, -4.0]),
        (i + np.array([1.7, 1.7]), "int32", [4, -1]),
        (u + 300, "uint8", [47, 46]),
        (i / 2, "float64", [1.5, -1.0]),
        (u / 2, "float32", [1.5, 1.0]),
        (i // 2, "int32", [1, -1]),
        (-7 // i, "int32", [-3, 3]),
        (i % 2, "int32", [1, 0]),
        (f // 0.5, "float32", [3.0, -4.0]),
        (f % 1.0, "float32", [0.5, 0.0]),
        (tf.constant(1.0) // 0.1, "float32", 10.0),
        (i**2, "int32", [9, 4]),
        (2.0**f, "float32", [2.0**1.5, 0.25]),
        (f**3, "float32", [3.375, -8.0]),
        (f**-1, "float32", [1 / 1.5, -0.5]),
        (b * b, "bool", [True, False]),
        (f * b, "bool", [True, False]),
        (b * i, "bool", [True, False]),
        (b & [True, True], "bool", [True, False]),
        (i | 4, "int32", [7, -2]),
        (1 ^ i, "int32", [2, -1]),
        (~b, "bool", [False, True]),
        (~i, "int32", [-4, 1]),
        (-z, "complex64", [-1 - 1j, -2]),
        (abs(tf.constant([3 + 4j])), "float64", [5.0]),
        (abs(i), "int32", [3, 2]),
        (f < 1, "bool", [False, True]),
        (i <= 1, "bool", [False, True]),
        (f >= [1.5, 0.0], "bool", [True, False]),
        (f == 1.5, "bool", [True, False]),
        (f != f[:1], "bool", [False, True]),
        (f == [1.0, 2.0, 3.0], "bool", False),
        (f != tf.constant([1.0, 2.0, 3.0]), "bool", True),
        (s == ["a", "c"], "bool", [True, False]),
        ([[1.0, 2.0]] @ f[:, None], "float32", [[-2.5]]),
    ],
)
def test_numbers_lists_and_arrays_take_the_dtype_of_the_tensor(result, dtype, expected):
    assert result.dtype == dtype
    np.testing.assert_allclose(tf.cast(result, "complex128").numpy(), expected, rtol=1e-3)


def test_strings_are_joined():
    assert (s + "c").numpy().tolist() == [b"ac", b"bc"]
    assert ("c" + s).numpy().tolist() == [b"ca", b"cb"]
    assert repr(s[0] + "c") == "<tf.Tensor: shape=(), dtype=string, numpy=b'ac'>"
    assert (tf.Variable("c") + s[1]).shape == ()


@pytest.mark.parametrize(
    ("operate", "error", "says"),
    [
        (lambda: f + d, IAE, "cannot compute AddV2 as input #1.*float tensor but is a double"),
        (lambda: f * i, IAE, "cannot compute Mul"),
        (lambda: f / d, TypeError, "must have the same dtype, got tf.float32 != tf.float64"),
        (lambda: i / 1.5, TypeError, "must have the same dtype"),
        (lambda: i + 1.5, IAE, "cannot compute AddV2"),
        (lambda: 1.5 + i, TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (lambda: i * 1.5, TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
        (lambda: i < 1.5, TypeError, "Cannot convert 1.5"),
        (lambda: i == 1.5, TypeError, "Cannot convert 1.5"),
        (lambda: f + 1j, IAE, "cannot compute AddV2"),
        (lambda: f + None, ValueError, "unsupported type"),
        (lambda: f < None, ValueError, "unsupported type"),
        (lambda: f == object(), ValueError, "unsupported type"),
        (lambda: f == i, IAE, "cannot compute Equal"),
        (lambda: f - [1.0, 2.0, 3.0], IAE, r"Incompatible shapes: \[2\] vs. \[3\]"),
        (lambda: f < [1.0, 2.0, 3.0], IAE, "Incompatible shapes"),
        (lambda: b + b, IAE, "not in the list of allowed values"),
        (lambda: s + 1, IAE, "expected to be a string tensor but is a int32"),
        (lambda: s - s, IAE, "not in the list of allowed values"),
        (lambda: b / b, TypeError, "takes numbers"),
        (lambda: -b, IAE, "not in the list of allowed values"),
        (lambda: f & f, IAE, "not in the list of allowed values"),
        (lambda: ~f, IAE, "not in the list of allowed values"),
        (lambda: z < z, IAE, "not in the list of allowed values"),
        (lambda: i // 0, IAE, "Integer division by zero"),
        (lambda: i % 0, IAE, "Integer division by zero"),
        (lambda: i**-1, IAE, "negative integer powers"),
        (lambda: f << 1, TypeError, "unsupported operand"),
        (lambda: +f, TypeError, "unary"),
    ],
)
def test_what_does_not_go_together_is_refused(operate, error, says):
    with pytest.raises(error, match=says):
        operate()


def test_a_tensor_is_not_none_but_a_variable_cannot_say():
    assert (f == None) is False  # noqa: E711 - the comparison is the point
    assert (f != None) is True  # noqa: E711
    with pytest.raises(ValueError, match="unsupported type"):
        tf.Variable(1.0) == None  # noqa: B015, E711


def test_operators_of_a_variable_give_tensors():
    v = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        y = (2 * v - v / 2) ** 2 + abs(-v) + f * v + v * v
    assert isinstance(y, tf.Tensor)
    expected = 4.5 * np.array([2.0, 3.0]) + 1 + f.numpy() + 2 * np.array([2.0, 3.0])
    np.testing.assert_allclose(tape.gradient(y, v).numpy(), expected)
    assert (v > 2.5).numpy().tolist() == [False, True]
    assert (v == [2.0, 4.0]).numpy().tolist() == [True, False]


@pytest.mark.parametrize("statement", ["v += 1.0", "v -= 1.0", "v *= 2.0", "v /= 2.0", "v **= 2.0"])
def test_augmented_assignment_to_a_variable_is_refused(statement):
    with pytest.raises(RuntimeError, match=r"is not supported\. Use `variable\.assign"):
        exec(statement, {"v": tf.Variable(1.0)})


@pytest.mark.parametrize("statement", ["v //= 2.0", "v %= 2.0", "t += 1.0"])
def test_other_augmented_assignments_bind_the_name_to_a_tensor(statement):
    names = {"v": tf.Variable(5.0), "t": f}
    exec(statement, names)
    assert isinstance(names[statement[0]], tf.Tensor)


REFLECTED = [
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift", "divmod"),
]


@pytest.mark.parametrize("name", REFLECTED)
def test_objects_that_answer_are_asked(name):
    answers = {f"__r{name}__": lambda self, other: ("answer", other.shape)}
    it = type("Answering", (), answers)()
    call = divmod if name == "divmod" else getattr(operator, f"__{name}__")
    for value in (tf.constant([1.0, 2.0]), tf.constant([1, 2]), tf.Variable([1.0, 2.0])):
        assert call(value, it) == ("answer", (2,))


def test_objects_that_do_not_answer_give_the_error_of_the_tensor():
    class Silent:
        def __radd__(self, other):
            return NotImplemented

    class Failing:
        def __radd__(self, other):
            raise TypeError("of its own")

    class Convertible:
        def __array__(self, dtype=None, copy=None):
            return np.array([1.0, 2.0], np.float32)

        def __radd__(self, other):
            raise AssertionError("it is a tensor first")

    x = tf.constant([1.0, 2.0])
    for other in (Silent(), Failing(), object()):
        with pytest.raises(ValueError, match="Attempt to convert a value"):
            x + other
    assert (x + Convertible()).numpy().tolist() == [2.0, 4.0]
    with pytest.raises((TypeError, ValueError)):
        tf.constant([1, 2]) + np.array([None, None])


FIRST_USES = {
    "x + x": lambda x: x + x,
    "2.0 - x": lambda x: 2.0 - x,
    "np.ones(2) * x": lambda x: np.ones(2, np.float32) * x,
    "-x": lambda x: -x,
    "round(x)": round,
    "x == x": lambda x: x == x,
    "x < 1": lambda x: x < 1.0,
    "x[0]": lambda x: x[0],
    "list(x)": list,
}


@pytest.mark.parametrize("kind", [tf.Tensor, tf.Variable])
@pytest.mark.parametrize("use", FIRST_USES.values(), ids=FIRST_USES)
def test_any_operator_may_be_the_first_in_a_program(monkeypatch, use, kind):
    value = f if kind is tf.Tensor else tf.Variable(f)
    expected = use(value)
    for name in operators.NAMES:
        for each in (tf.Tensor, tf.Variable):
            if f"__{name}__" in vars(each) and (each, name) != (tf.Variable, "iter"):
                monkeypatch.delattr(each, f"__{name}__")
    np.testing.assert_array_equal(use(value), expected)
    assert tf.Tensor.__add__ is OF_TENSORS["__add__"]  # and the next costs no search


def test_the_tables_have_all_operators():
    names = {f"__{name}__" for name in operators.NAMES}
    assert names == set(OF_TENSORS)
    assert names - {"__iter__"} <= set(OF_VARIABLES)


def test_factors_that_know_how_to_become_tensors():
    class Twos:
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.fill([3], 2.0)

    for product in tf.constant([1.0, 2.0, 3.0]) * Twos(), tf.multiply(Twos(), [1.0, 2.0, 3.0]):
        np.testing.assert_array_equal(product, [2.0, 4.0, 6.0])
