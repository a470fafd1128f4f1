"""Objects that functions refer to beside their arguments, in all of Python's ways."""

import array
import collections
import contextvars
import dataclasses
import enum
import functools
import importlib
import operator
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import cinta as tf

rate = 2.0


class Made:
    def __init__(self):
        self.k = rate


class Called:
    def __call__(self):
        return rate


class Entered:
    def __enter__(self):
        return rate

    def __exit__(self, *error): ...


@dataclasses.dataclass
class Filled:
    k: float = dataclasses.field(default_factory=lambda: rate)


class Meta(type):
    def __call__(cls):
        return rate


class ByMeta(metaclass=Meta): ...


class Numbers(list): ...


class Number(float): ...


class Level(enum.Enum):
    LOW = 1


class Box:
    k = 1.0


class Named(dict):
    __getattr__ = dict.__getitem__


def entered(x):
    with Entered() as k:
        return x * k


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * Made().k,
        lambda x: x * Called()(),
        entered,
        lambda x: x * Filled().k,
        lambda x: x * ByMeta(),
        lambda x: x * globals()["rate"],
        lambda x: x * eval("rate"),
    ],
)
@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_what_classes_and_texts_refer_to(function, monkeypatch):
    changed_to(3.0, tf.function(function), lambda: monkeypatch.setitem(globals(), "rate", 3.0))


def changed_to(expected, f, change):
    """The function gives 2 three times, then something changes, and it gives another number."""
    x = tf.constant(1.0)
    assert [f(x).numpy() for _ in range(3)] == [2, 2, 2]
    change()
    assert f(x).numpy() == expected
    assert f(x).numpy() == expected


def box(**attributes):
    made = Box()
    vars(made).update(attributes)
    return made


def having(thing, **attributes):
    for name, value in attributes.items():
        setattr(thing, name, value)
    return thing


def referring(value):
    found = contextvars.ContextVar("found")
    found.set(value)
    return found


def cell_of(value):
    """An object array of one element."""
    found = np.empty(1, object)
    found[0] = value
    return found


HELD = {
    "an attribute of a list": (having(Numbers(), k=2.0), lambda h: h.k, lambda h: having(h, k=3.0)),
    "of a number": (having(Number(1), k=2.0), lambda h: h.k, lambda h: having(h, k=3.0)),
    "of an enum": (having(Level.LOW, k=2.0), lambda h: h.k, lambda h: having(h, k=3.0)),
    "of a variable": (
        having(tf.Variable(1.0), k=2.0),
        lambda h: h.k,
        lambda h: having(h, k=3.0),
    ),
    "by a computed name": (
        box(w1=2.0),
        lambda h: getattr(h, f"w{1}"),
        lambda h: having(h, w1=3.0),
    ),
    "among all": (box(w1=2.0), lambda h: sum(vars(h).values()), lambda h: having(h, w1=3.0)),
    "by a getter": (
        (operator.attrgetter("k"), box(k=2.0)),
        lambda h: h[0](h[1]),
        lambda h: having(h[1], k=3.0),
    ),
    "of a thread": (
        having(threading.local(), k=2.0),
        lambda h: h.k,
        lambda h: having(h, k=3.0),
    ),
    "bytes": (bytearray([2]), lambda h: float(h[0]), lambda h: h.__setitem__(0, 3)),
    "an array": (array.array("d", [2]), lambda h: h[0], lambda h: h.__setitem__(0, 3)),
    "an array of objects": (
        cell_of(box(k=2.0)),
        lambda h: h[0].k,
        lambda h: having(h[0], k=3.0),
    ),
    "a list of a library": (
        collections.UserList([2.0]),
        lambda h: h[0],
        lambda h: h.__setitem__(0, 3.0),
    ),
    "a chain of dicts": (
        collections.ChainMap({"k": 2.0}),
        lambda h: h["k"],
        lambda h: h.update(k=3.0),
    ),
    "a dict with attributes": (Named(k=2.0), lambda h: h["k"], lambda h: h.update(k=3.0)),
    "a reference": (
        (weakref.ref(Box), Box),
        lambda h: h[0]().k + 1,
        lambda h: having(h[1], k=2.0),
    ),
    "a variable of contexts": (referring(2.0), lambda h: h.get(), lambda h: h.set(3.0)),
}


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
@pytest.mark.parametrize("kind", HELD)
def test_what_objects_hold(kind, monkeypatch):
    monkeypatch.setattr(Box, "k", 1.0)
    held, get, change = HELD[kind]
    changed_to(3.0, tf.function(lambda x: x * get(held)), lambda: change(held))


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_views_of_dicts():
    held = {"k": 2.0}
    proxy, values = types.MappingProxyType(held), held.values()
    changed_to(3.0, tf.function(lambda x: x * next(iter(values))), lambda: held.update(k=3.0))
    held["k"] = 2.0
    changed_to(3.0, tf.function(lambda x: x * proxy["k"]), lambda: held.update(k=3.0))


def test_modules_that_are_imported_when_it_runs(monkeypatch):
    settings = types.ModuleType("settings_of_a_program")
    settings.rate = 2.0
    monkeypatch.setitem(sys.modules, settings.__name__, settings)

    @tf.function
    def f(x):
        import settings_of_a_program

        return x * settings_of_a_program.rate

    @tf.function
    def g(x):
        from settings_of_a_program import rate

        return x * rate

    changed_to(3.0, f, lambda: having(settings, rate=3.0))
    settings.rate = 2.0
    changed_to(3.0, g, lambda: having(settings, rate=3.0))


def test_properties_that_are_replaced():
    class Owner:
        k = property(lambda self: 2.0)

    owner = Owner()
    f = tf.function(lambda x: x * owner.k)
    changed_to(3.0, f, lambda: having(Owner, k=property(lambda self: 3.0)))


def test_signs_of_zeros():
    f = tf.function(lambda x, k: x + tf.math.angle(tf.constant(k, tf.complex128)))
    x = tf.constant(0.0, tf.float64)
    angles = [f(x, complex(-1, k)).numpy() for k in (0.0, 0.0, -0.0)]
    np.testing.assert_allclose(angles, [np.pi, np.pi, -np.pi])


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_what_it_leaves_in_objects():
    owner = Box()

    @tf.function
    def f(x):
        setattr(owner, "cache", x * 2)  # noqa: B010
        return x * 2

    for k in (1.0, 2.0, 3.0):
        f(tf.constant(k))
        assert owner.cache.numpy() == 2 * k


def test_code_of_classes_is_not_run_to_find_out():
    class Picky:
        def __getattr__(self, name):
            raise KeyError(name)

    held = [Picky(), 2.0]
    changed_to(3.0, tf.function(lambda x: x * held[1]), lambda: held.__setitem__(1, 3.0))


def test_what_no_code_names_may_change():
    settings = having(types.ModuleType("settings_of_a_program"), rate=2.0, other=1)
    held = box(k=1.0, other=1)
    f = tf.function(lambda x: x * settings.rate * held.k)
    changed_to(2.0, f, lambda: (having(settings, other=2), having(held, other=2)))
    assert f.report().recordings == 1


class Rated:
    rate = 2.0

    @tf.function
    def times(self, x):
        return x * self.rate

    @tf.custom_gradient
    def custom(self, x):
        return x * self.rate, lambda upstream: upstream


@pytest.mark.parametrize(
    "bound",
    [
        lambda owner: owner.times,
        lambda owner: owner.custom,
        lambda owner: owner.times.get_concrete_function(tf.TensorSpec([], tf.float32)),
        lambda owner: functools.partial(owner.times),
    ],
)
def test_bound_functions(bound):
    owner = Rated()
    step = bound(owner)
    changed_to(3.0, tf.function(lambda x: step(x)), lambda: having(owner, rate=3.0))


@pytest.mark.parametrize("look", [lambda h: getattr(h, "x", 2.0), lambda h: 3.0 - hasattr(h, "x")])
def test_attributes_that_come_to_be(look):
    held = Box()
    f = tf.function(lambda x: x * look(held))
    before = [f(tf.constant(1.0)).numpy() for _ in range(3)]
    held.x = 5.0
    assert f(tf.constant(1.0)).numpy() == look(held)
    assert set(before) == {before[0]}


def test_functions_that_carry_the_name_of_another_module(monkeypatch):
    @functools.wraps(tf.sin)
    def act(x):
        return x * rate

    changed_to(3.0, tf.function(act), lambda: monkeypatch.setitem(globals(), "rate", 3.0))


def test_what_python_functions_share_with_the_function():
    held = box(k=2.0)
    one, other = held, held

    def apart(x):
        return x * one.k

    def helper(x):
        return x * other.k

    f = tf.function(lambda x: helper(x) + 0 * tf.py_function(apart, [x], tf.float32))
    changed_to(3.0, f, lambda: having(held, k=3.0))


def test_relative_imports(tmp_path, monkeypatch):
    package = tmp_path / "a_program"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "settings.py").write_text("rate = 2.0\n")
    (package / "work.py").write_text(
        "def f(x):\n    from . import settings\n    return x * settings.rate\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    work = importlib.import_module("a_program.work")
    settings = importlib.import_module("a_program.settings")
    changed_to(3.0, tf.function(work.f), lambda: having(settings, rate=3.0))


@pytest.mark.parametrize(
    "made",
    [
        lambda t: tf.SparseTensor([[0], [1]], t, [2]),
        lambda t: tf.IndexedSlices(t, [0, 1]),
    ],
)
def test_tensors_in_what_is_referred_to_are_watched(made):
    t = tf.constant([1.0, 2.0])
    held = made(t)
    f = tf.function(lambda x: tf.reduce_sum(held.values) * x)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = f(tf.constant(3.0))
        assert tape.gradient(y, t).numpy().tolist() == [3, 3]
