"""Registered gradients: RegisterGradient, no_gradient, override_gradient, and ops without one."""

import pytest

import cinta as tf
from cinta.derivatives.gradient_registry import _registered, gradient_of
from cinta.engine.op import Op, registry
from tests.shorthand import tape_gradient, values


@pytest.fixture
def x():
    return tf.constant([0.5, 2.0])


@pytest.fixture
def cube():
    """An op of the tests' own, without a gradient."""
    name = "CubeOfTheTests"
    op = Op(name, lambda xp, x, *, factor: factor * x * x * x)
    yield op
    registry.remove(name)
    _registered.pop(name, None)


# -- without a gradient ----------------------------------------------------------------------------


def test_an_op_without_a_gradient_is_refused_when_it_is_differentiated(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        unique = tf.unique(x)[0]
        y = unique * 2.0
    with pytest.raises(LookupError, match="gradient registry has no entry for: Unique"):
        tape.gradient(y, x)


def test_an_op_without_a_gradient_does_no_harm_if_it_only_makes_the_source(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        unique = tf.unique(x)[0]
        y = unique * 3.0
    assert tape.gradient(y, unique).numpy().tolist() == [3, 3]


def test_an_op_without_a_gradient_does_no_harm_off_the_path(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        size = tf.cast(tf.size(tf.unique(x)[0]), tf.float32)
        y = x * size
    assert tape.gradient(y, x).numpy().tolist() == [2, 2]


NONE = {
    "comparison": lambda x: tf.cast(x > 1.0, tf.float32),
    "round": tf.round,
    "floor": tf.floor,
    "ceil": tf.math.ceil,
    "argmax": lambda x: tf.cast(tf.argmax(x), tf.float32),
    "zeros_like": tf.zeros_like,
    "ones_like": tf.ones_like,
    "shape": lambda x: tf.cast(tf.shape(x), tf.float32),
    "floor division": lambda x: x // 2.0,
    "stop_gradient": tf.stop_gradient,
}


@pytest.mark.parametrize("f", NONE.values(), ids=NONE.keys())
def test_what_is_not_differentiable_gives_none(f, x):
    assert tape_gradient(f, x) is None


def test_sign_gives_zeros(x):
    assert values(tape_gradient(tf.sign, x)) == [0, 0]


# -- registering -----------------------------------------------------------------------------------


def test_a_gradient_can_be_registered(cube, x):
    seen = []

    @tf.RegisterGradient(cube.name)
    def rule(op, upstream):
        seen.append(op)
        return upstream * 3.0 * op.get_attr("factor") * op.inputs[0] ** 2

    assert values(tape_gradient(lambda x: cube(x, factor=2.0), x)) == [1.5, 24]
    assert (seen[0].type, len(seen[0].inputs), len(seen[0].outputs)) == (cube.name, 1, 1)
    assert seen[0].outputs[0].numpy().tolist() == [0.25, 16]
    with pytest.raises(ValueError, match="no attribute 'color'"):
        seen[0].get_attr("color")


def test_registering_returns_the_function(cube):
    def rule(op, upstream):
        return upstream

    assert tf.RegisterGradient(cube.name)(rule) is rule


def test_a_registered_gradient_has_higher_orders(cube, x):
    @tf.RegisterGradient(cube.name)
    def rule(op, upstream):
        return upstream * 3.0 * op.inputs[0] ** 2

    with tf.GradientTape() as outer:
        outer.watch(x)
        d = tf.grad(lambda x: tf.reduce_sum(cube(x, factor=1.0)))(x)
    assert outer.gradient(d, x).numpy().tolist() == [3, 12]


@pytest.mark.parametrize("gradients", [(), (1.0, 2.0)])
def test_a_registered_gradient_must_give_one_for_each_input(cube, x, gradients):
    tf.RegisterGradient(cube.name)(lambda op, upstream: gradients)
    with pytest.raises(ValueError, match="has 1 inputs"):
        tape_gradient(lambda x: cube(x, factor=1.0), x)


def test_an_op_can_be_declared_to_have_none(cube, x):
    tf.no_gradient(cube.name)
    assert values(tape_gradient(lambda x: cube(x, factor=1.0) + x, x)) == [1, 1]


@pytest.mark.parametrize("register", [tf.no_gradient, lambda n: tf.RegisterGradient(n)(len)])
def test_a_gradient_is_registered_once(cube, register):
    with pytest.raises(KeyError, match="Registering two gradient with name 'Mul'"):
        register("Mul")
    register(cube.name)
    with pytest.raises(KeyError, match="Registering two gradient"):
        register(cube.name)


@pytest.mark.parametrize("register", [tf.no_gradient, tf.RegisterGradient])
def test_a_name_is_a_string(register):
    with pytest.raises(TypeError, match="op_type must be a string"):
        register(5)


# -- overriding ------------------------------------------------------------------------------------


def test_a_gradient_can_be_replaced_for_a_while(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        before = tf.sin(x)
        with tf.override_gradient("Sin", lambda op, upstream: 10.0 * upstream):
            inside = tf.sin(x)
        after = tf.sin(x)
    natural = tape.gradient(before, x).numpy().tolist()
    assert tape.gradient(inside, x).numpy().tolist() == [10, 10]
    assert tape.gradient(after, x).numpy().tolist() == natural == tf.cos(x).numpy().tolist()


def test_a_gradient_can_be_taken_away_for_a_while(x):
    with tf.override_gradient("Sin", None):
        assert tape_gradient(tf.sin, x) is None
    assert tape_gradient(tf.sin, x) is not None


def test_an_override_ends_with_an_error(x):
    with pytest.raises(KeyError), tf.override_gradient("Sin", None):
        raise KeyError
    assert tape_gradient(tf.sin, x) is not None


def test_overrides_may_be_nested(x):
    with tf.override_gradient("Sin", lambda op, upstream: 10.0 * upstream):
        with tf.override_gradient("Sin", lambda op, upstream: 20.0 * upstream):
            assert values(tape_gradient(tf.sin, x)) == [20, 20]
        assert values(tape_gradient(tf.sin, x)) == [10, 10]


def test_an_op_with_two_inputs_can_be_overridden(x):
    y = tf.constant([[1.0], [2.0]])

    def rule(op, upstream):
        return 10.0 * tf.reduce_sum(upstream, axis=0), None

    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        with tf.override_gradient("Mul", rule):
            z = tf.multiply(x, y)
    assert [g if g is None else g.numpy().tolist() for g in tape.gradient(z, [x, y])] == [
        [20, 20],
        None,
    ]
    assert tape.jacobian(z, x).numpy()[1, 0].tolist() == [10, 0]


def test_an_unknown_op_cannot_be_overridden():
    with (
        pytest.raises(LookupError, match="no op named 'Nonsense'"),
        tf.override_gradient("Nonsense", None),
    ):
        pass


def test_one_can_ask_who_has_a_gradient():
    asked = [gradient_of(name) for name in ("Sin", "Floor", "Unique")]
    assert asked == ["registered", "none", "missing"]
