"""A call of a function that raises leaves variables as they were, however it runs."""

import copy
import pickle

import pytest

import cinta as tf

v = tf.Variable([1.0, 2.0])


@pytest.fixture(autouse=True)
def fresh():
    v.assign([1.0, 2.0])


class Stop(Exception): ...


def updates(x):
    v.assign_add([1.0, 1.0])
    v[0].assign(9.0)
    v.scatter_nd_update([[1]], [7.0])
    v.assign(v * 2.0)
    if x > 0:
        raise Stop
    return v + x


def stops(f, x=1.0):
    before = v.numpy().copy()
    with pytest.raises(Stop):
        f(tf.constant(x))
    assert v.numpy().tolist() == before.tolist()


def test_in_the_first_call():
    stops(tf.function(updates))


def test_in_a_replay_and_in_the_python_behind_a_guard():
    f = tf.function(updates)
    for _ in range(3):
        f(tf.constant(-1.0))
        stops(f)


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_in_functions_that_are_not_recorded():
    calls = []

    @tf.function
    def f(x):
        calls.append(1)
        return updates(x)

    for _ in range(4):
        f(tf.constant(-1.0))
        stops(f)


def test_in_functions_whose_ops_somebody_follows():
    with tf.autodiff.ForwardAccumulator(v, tf.ones([2])):
        stops(tf.function(updates))


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_in_a_function_that_another_one_calls_and_goes_on():
    inner = tf.function(updates)

    def outer(x):
        try:
            inner(x)
        except Stop:
            v.assign_add([1.0, 0.0])
        return v + x

    replayed = tf.function(outer)
    for _ in range(3):
        assert replayed(tf.constant(1.0)).numpy().tolist()[1] == 3
    assert v.numpy().tolist() == [4, 2]


def test_gradients_of_a_function_that_raises_later_are_forgotten():
    w = tf.Variable(3.0)
    f = tf.function(lambda x: x * v[0] if x > 0 else x * w)
    f(tf.constant(1.0))
    with tf.GradientTape() as tape:
        y = f(tf.constant(-1.0))
    assert tape.watched_variables() == (w,)
    assert tape.gradient(y, w).numpy() == -1


class Owner:
    def twice(self, x):
        return x * 2


def test_methods_are_the_same_argument_each_time():
    owner = Owner()
    f = tf.function(lambda x, method: method(x))
    assert [f(tf.constant(k), owner.twice).numpy() for k in (1.0, 2.0, 3.0)] == [2, 4, 6]
    assert f.report().recordings == 1


def plain(x):
    return x * 2


@tf.function
def decorated(x):
    return x * 3


def test_functions_are_pickled_and_copied():
    made = tf.function(plain, input_signature=[tf.TensorSpec([], tf.float32)])
    again = pickle.loads(pickle.dumps(made))
    assert again(2.0).numpy() == 4
    assert again.input_signature == made.input_signature
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert copy.copy(made)(2.0).numpy() == copy.deepcopy(made)(2.0).numpy() == 4
