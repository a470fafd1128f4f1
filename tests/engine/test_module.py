"""tf.Module: what it finds, in which order, and its names."""

import pytest

import cinta as tf


class Plain(tf.Module):
    pass


def module(name):
    """A module with one variable of its name."""
    made = Plain(name=name)
    made.v = tf.Variable(1.0, name=name)
    return made


def names(things):
    return [thing.name.removesuffix(":0") for thing in things]


# -- variables -------------------------------------------------------------------------------------


def test_variables_come_in_the_order_of_the_attributes_names():
    m = Plain()
    for name in ("b", "_p", "a", "Z"):
        setattr(m, name, tf.Variable(1.0, name=name))
    assert names(m.variables) == ["Z", "_p", "a", "b"]


def test_variables_are_found_in_structures():
    m = Plain()
    m.stuff = [
        tf.Variable(1.0, name="first"),
        ({"b": tf.Variable(1.0, name="b"), "a": tf.Variable(1.0, name="a")}, "text", None),
    ]
    assert names(m.variables) == ["first", "a", "b"]
    m.stuff.append(tf.Variable(1.0, name="appended"))
    assert names(m.variables) == ["first", "a", "b", "appended"]


def test_dictionaries_are_read_in_the_order_of_their_keys():
    m = Plain()
    m.by_number = {n: tf.Variable(1.0, name=f"v{n}") for n in (10, 2)}
    assert names(m.variables) == ["v2", "v10"]


def test_keys_that_cannot_be_sorted_are_refused():
    m = Plain()
    m.wrong = {1: tf.Variable(1.0), "a": tf.Variable(1.0)}
    with pytest.raises(ValueError, match="Error processing property 'wrong'"):
        m.variables  # noqa: B018 - a property


def test_own_variables_come_before_those_of_submodules():
    m = module("z")
    m.a = module("a")
    m.a.inner = module("inner")
    m.b = module("b")
    assert names(m.variables) == ["z", "a", "inner", "b"]


def test_an_object_is_listed_once():
    m = module("m")
    m.alias, m.again = m.v, [m.v, m.v]
    m.b = m.a = module("a")
    assert names(m.variables) == ["m", "a"]
    assert names(m.submodules) == ["a"]


def test_trainable_and_other_variables():
    m = Plain()
    m.a = tf.Variable(1.0, name="a")
    m.b = tf.Variable(1.0, name="b", trainable=False)
    assert names(m.variables) == ["a", "b"]
    assert names(m.trainable_variables) == ["a"]
    assert names(m.non_trainable_variables) == ["b"]


def test_lists_of_variables_are_tuples():
    m = module("m")
    for found in (m.variables, m.trainable_variables, m.non_trainable_variables, m.submodules):
        assert type(found) is tuple


def test_properties_class_attributes_and_other_objects_are_not_followed():
    class Other:
        v = tf.Variable(1.0)

    class Made(tf.Module):
        shared = tf.Variable(1.0)

        @property
        def fresh(self):
            return tf.Variable(1.0)

    m = Made()
    m.other = Other()
    m.others = {Other()}
    assert m.variables == ()


def test_variables_are_found_without_calling_the_base_class():
    class Hasty(tf.Module):
        def __init__(self):
            self.v = tf.Variable(1.0)

    m = Hasty()
    assert len(m.variables) == 1
    assert m.submodules == ()
    assert m.name == "hasty"
    assert m.name_scope.name == "hasty/"
    assert m.submodules == ()


# -- submodules ------------------------------------------------------------------------------------


def test_submodules_come_before_the_submodules_in_them():
    m = module("m")
    m.b, m.d = module("b"), module("d")
    m.b.c = module("c")
    m.b.c.e = module("e")
    m.d.f = module("f")
    m.list = [{"z": module("z"), "y": (module("y"),)}]
    assert names(m.submodules) == ["b", "d", "y", "z", "c", "e", "f"]


def test_cycles_do_no_harm():
    m = module("m")
    m.a = module("a")
    m.a.back, m.own = m, m
    assert names(m.submodules) == ["a"]
    assert names(m.variables) == ["m", "a"]


def test_modules_may_be_nested_as_deep_as_one_likes():
    root = innermost = Plain()
    for n in range(5000):
        innermost.next = module(f"m{n}")
        innermost = innermost.next
    assert len(root.submodules) == len(root.variables) == 5000


# -- flattening ------------------------------------------------------------------------------------


def is_tensor(x):
    return isinstance(x, tf.Tensor)


def test_flatten_gives_whatever_one_looks_for():
    m = Plain()
    m.t, m.u = tf.constant(1.0), [tf.constant(2.0), "text", None]
    m.inner = Plain()
    m.inner.t = tf.constant(3.0)
    assert [t.numpy() for t in m._flatten(predicate=is_tensor)] == [1, 2, 3]
    assert [t.numpy() for t in m._flatten(recursive=False, predicate=is_tensor)] == [1, 2]
    backwards = m._flatten(predicate=is_tensor, attribute_traversal_key=lambda name: -ord(name[0]))
    assert [t.numpy() for t in backwards] == [2, 1, 3]


def test_flatten_tells_where():
    m = Plain()
    m.a = {"k": [tf.constant(1.0)]}
    m.inner = Plain()
    m.inner.t = tf.constant(2.0)
    found = [path for path, _ in m._flatten(predicate=is_tensor, with_path=True)]
    assert found == [("a", "k", 0), ("inner", "t")]


def test_flatten_without_a_predicate_gives_all_leaves():
    m = Plain()
    m.text, m.number = "text", 5
    assert {"text", 5, "plain"} <= {x for x in m._flatten() if isinstance(x, (str, int))}


def test_leaves_that_are_made_on_the_way_do_not_hide_others():
    m = Plain()
    m.big = [range(10**6 + i, 10**6 + i + 3) for i in range(50)]
    m.v = tf.Variable(1.0)
    assert len(m.variables) == 1
    assert len([x for x in m._flatten() if isinstance(x, int) and x >= 10**6]) == 150


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("MyHTTPThing", "my_http_thing"),
        ("conv2D", "conv2_d"),
        ("A", "a"),
        ("ABC", "abc"),
        ("Linear1", "linear1"),
        ("MLP2Layer", "mlp2_layer"),
        ("_Private", "__private"),
        ("HTTPServer2", "http_server2"),
        ("x_Y", "x_y"),
    ],
)
def test_the_name_is_that_of_the_class_in_snake_case(class_name, name):
    assert type(class_name, (tf.Module,), {})().name == name


@pytest.mark.parametrize("name", ["1bad", "a b", "", "a/b"])
def test_a_name_must_be_an_identifier(name):
    with pytest.raises(ValueError, match="is not a valid module name"):
        Plain(name=name)


def test_a_name_must_be_a_string():
    with pytest.raises(TypeError, match=r"expected .*string"):
        Plain(name=3)


def test_a_name_cannot_be_changed():
    with pytest.raises(AttributeError):
        Plain().name = "other"


def test_the_name_scope_is_that_of_the_making():
    with tf.name_scope("outer"):
        m = Plain(name="m")
    assert m.name == "m"
    assert m.name_scope.name == "outer/m/"
    with m.name_scope as scope:
        assert scope == "outer/m/"
        assert tf.Variable(1.0, name="v").name == "outer/m/v:0"
    assert tf.Variable(1.0, name="v").name == "v:0"


def test_a_method_can_be_run_in_the_name_scope():
    class Layer(tf.Module):
        @tf.Module.with_name_scope
        def build(self, size, *, name="w"):
            """documentation"""
            self.w = tf.Variable(tf.zeros([size]), name=name)
            return size

    layer = Layer()
    assert layer.build(3) == 3
    assert layer.w.name == "layer/w:0"
    layer.build(3, name="other")
    assert layer.w.name == "layer/other:0"
    assert Layer.build.__doc__ == "documentation"


def test_a_name_scope_ends_with_an_error():
    m = Plain(name="m")
    with pytest.raises(KeyError), m.name_scope:
        raise KeyError
    assert tf.Variable(1.0).name == "Variable:0"


@pytest.mark.parametrize(
    ("scope", "name"),
    [("a", "outer/a/v:0"), ("a/", "a/v:0"), ("", "v:0"), ("a/b", "outer/a/b/v:0"), ("/", "/v:0")],
)
def test_name_scopes_nest(scope, name):
    with tf.name_scope("outer"), tf.name_scope(scope):
        assert tf.Variable(1.0, name="v").name == name


@pytest.mark.parametrize("name", [None, 3])
def test_the_name_of_a_scope_is_a_string(name):
    with pytest.raises(ValueError, match="name for name_scope must be a string"):
        tf.name_scope(name).__enter__()


# -- in use ----------------------------------------------------------------------------------------


def test_a_model_is_trained_through_its_trainable_variables():
    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(0.0)
            self.b = tf.Variable(0.0)

        def __call__(self, x):
            return self.w * x + self.b

    model = Linear()
    x = tf.constant([0.0, 1.0, 2.0])
    y = tf.constant([1.0, 3.0, 5.0])
    for _ in range(200):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        variables = model.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.2 * gradient)
    assert (round(float(model.w), 3), round(float(model.b), 3)) == (2, 1)
