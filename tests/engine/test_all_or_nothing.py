"""A call of a function that raises leaves variables as they were, however it runs."""

import collections
import copy
import gc
import pickle
import weakref

import pytest

import cinta as tf

v = tf.Variable([1.0, 2.0])


@pytest.fixture(autouse=True)
def fresh():
    v.assign([1.0, 2.0])


class Stop(Exception): ...


def updates(x):
    v.assign_add([1.0, 1.0])
    v[0].assign(v[0] + 9.0)
    v.scatter_nd_add([[1]], [7.0])
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


def test_in_functions_that_refer_to_watched_tensors():
    t = tf.constant(1.0)
    f = tf.function(lambda x: updates(x * t))
    f(tf.constant(-1.0)), f(tf.constant(-1.0))
    with tf.GradientTape() as tape:
        tape.watch(t)
        stops(f)


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


def test_what_inner_functions_assigned_is_taken_back_too():
    inner = tf.function(lambda x: v.assign_add([1.0, 1.0] * x) + 0)
    inner(tf.constant(0.0)), inner(tf.constant(0.0))

    @tf.function
    def outer(x):
        inner(x)
        if x > 0:
            raise Stop
        return v + x

    for _ in range(3):
        stops(outer)


def test_methods_of_tensors_and_of_lists_are_those_of_each_call():
    class Scaled(list):
        def times(self, x):
            return x * self.scale

    scaled, f = Scaled([1.0]), tf.function(lambda method, x: method(x))
    for k in (2.0, 3.0):
        scaled.scale = k
        assert f(scaled.times, tf.constant(1.0)).numpy() == k
        assert f(tf.constant(k).__mul__, tf.constant(1.0)).numpy() == k


def test_owners_that_hold_tensors():
    class Scale(collections.namedtuple("Scale", "by")):
        @tf.function
        def times(self, x):
            return self.by * x

    assert [Scale(tf.constant(k)).times(tf.constant(1.0)).numpy() for k in (2.0, 3.0)] == [2, 3]


def test_functions_that_were_arguments_are_not_kept():
    f, kept = tf.function(lambda function, x: function(x)), []
    for _ in range(70):
        double = lambda x: x * 2.0  # noqa: E731
        kept.append(weakref.ref(double))
        assert f(double, tf.constant(1.0)).numpy() == 2
    del double
    gc.collect()
    assert not any(ref() for ref in kept)
    assert f.report().recordings == 70


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_what_was_refused_for_an_object_is_forgotten_with_it():
    calls = []

    @tf.function
    def f(owner, x):
        calls.append(1)
        return x

    for _ in range(5):
        owner = Owner()
        for _ in range(3):
            f(owner, tf.constant(1.0))
    del owner
    gc.collect()
    assert not f._variants._refused
    assert not f._variants._tries


def test_nan_is_an_argument_like_others():
    f = tf.function(lambda x, k: x * k)
    for _ in range(4):
        f(tf.constant(1.0), float("nan"))
    assert f.report().recordings == 1


def test_copies_of_methods_belong_to_copies():
    owner = Counting()
    copied = copy.deepcopy(owner.next)
    owner.k = 7.0
    assert copied(tf.constant(1.0)).numpy() == 2
    assert pickle.loads(pickle.dumps(owner.next))(tf.constant(1.0)).numpy() == 8


class Counting:
    def __init__(self):
        self.k = 1.0

    @tf.function
    def next(self, x):
        return x + self.k
