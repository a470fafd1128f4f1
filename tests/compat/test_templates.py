"""tf.compat.v1.make_template: functions that share the variables of their first call."""

import pytest

import cinta as tf

v1 = tf.compat.v1


def scaled(x, by=1.0):
    return x * v1.get_variable("w", [2], initializer=tf.ones_initializer()) * by


def values(tensor):
    return tensor.numpy().tolist()


def names(template):
    return [v.name for v in template.variables]


def test_calls_share_their_variables():
    template = v1.make_template("shared", scaled)
    assert template.variables == ()
    assert template.variable_scope is template.variable_scope_name is None
    assert values(template(2.0)) == [2, 2]
    template.variables[0].assign([5.0, 6.0])
    assert values(template(1.0, by=2.0)) == [10, 12]
    assert names(template) == ["shared/w:0"]
    assert (template.name, template.func) == ("shared", scaled)
    assert template.variable_scope_name == template.variable_scope.name == "shared"


def test_templates_of_one_name_have_variables_of_their_own():
    one, other = v1.make_template("twin", scaled), v1.make_template("twin", scaled, by=10.0)
    assert values(one(1.0)) == [1, 1]
    assert values(other(1.0)) == [10, 10]
    assert names(one) + names(other) == ["twin/w:0", "twin_1/w:0"]


def test_names_are_taken_where_templates_are_made_or_called():
    with v1.variable_scope("around"):
        now = v1.make_template("now", scaled, create_scope_now_=True)
        later = v1.make_template("later", scaled)
    now(1.0), later(1.0)
    assert names(now) + names(later) == ["around/now/w:0", "later/w:0"]


def test_templates_in_templates_keep_what_is_theirs():
    inner = v1.make_template("inner", scaled)

    def both(x):
        return inner(x) + v1.get_variable("b", initializer=3.0)

    outer = v1.make_template("outer", both)
    assert values(outer(1.0)) == values(outer(1.0)) == [4, 4]
    assert names(outer) + names(inner) == ["outer/b:0", "outer/inner/w:0"]


def test_kinds_of_variables():
    def both():
        v1.get_variable("f", initializer=1.0, trainable=False)
        return v1.get_variable("t", initializer=1.0)

    template = v1.make_template("kinds", both)
    template()
    assert [v.name for v in template.trainable_variables] == ["kinds/t:0"]
    assert [v.name for v in template.non_trainable_weights] == ["kinds/f:0"]
    assert len(template.weights) == len(template.global_variables) == 2


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_and_functions(compiled):
    if compiled:
        pytest.importorskip("jax")
    template = v1.make_template("trained", scaled)
    template(1.0)
    function = tf.function(lambda x: template(x), jit_compile=compiled)
    for value in (2.0, 3.0):
        with tf.GradientTape() as tape:
            y = function(tf.constant(value))
        (gradient,) = tape.gradient(y, template.trainable_variables)
        assert values(gradient) == [value] * 2
        assert len(template.variables) == 1


def test_a_later_call_makes_no_variable_to_train():
    calls = []

    def sometimes(x):
        calls.append(x)
        return v1.get_variable("late", initializer=x) if len(calls) > 1 else x

    template = v1.make_template("sometimes", sometimes)
    template(1.0)
    with pytest.raises(ValueError, match="after the first time"):
        template(1.0)
    assert v1.get_variable("w", initializer=2.0) is not v1.get_variable("w", initializer=2.0)


def test_refusals():
    with pytest.raises(TypeError, match="func_"):
        v1.make_template("x", 3)
    with pytest.raises(ValueError, match="unique_name_"):
        v1.make_template("x", scaled, unique_name_="u")
    with pytest.raises(tf.errors.UnimplementedError, match="custom_getter_"):
        v1.make_template("x", scaled, custom_getter_=scaled)


# -- names that stand elsewhere --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("log", tf.math.log),
        ("lin_space", tf.linspace),
        ("matrix_inverse", tf.linalg.inv),
        ("self_adjoint_eig", tf.linalg.eigh),
        ("FixedLenFeature", tf.io.FixedLenFeature),
        ("sparse_tensor_to_dense", tf.sparse.to_dense),
        ("random_normal", tf.random.normal),
        ("string_join", tf.strings.join),
        ("tensor_scatter_update", tf.tensor_scatter_nd_update),
        ("OpError", tf.errors.OpError),
    ],
)
def test_names_of_what_tensorflow_2_has_elsewhere(old, new):
    assert getattr(v1, old) is new
    assert old in dir(v1)
