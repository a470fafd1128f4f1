"""Changes that the function makes itself, which its caller sees."""

import contextlib
import dataclasses
import itertools

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def one_set_by_the_method_of_object():
    class C:
        def __call__(self, x):
            object.__setattr__(self, "n", vars_of(self).get("n", 0.0) + 1.0)
            return x * 2.0

    def vars_of(o):
        return o.__dict__

    c = C()
    yield (lambda x: c(x), tf.constant(1.0))
    yield tf.constant(float(c.n))


@change
def one_set_by_the_method_behind_super():
    class Base:
        pass

    class C(Base):
        def __call__(self, x):
            super().__setattr__("n", 5.0)
            return x * 2.0

    c = C()
    yield (lambda x: c(x), tf.constant(1.0))
    c.__dict__["n"] = 1.0
    yield tf.constant(1.0)
    yield tf.constant(float(c.__dict__["n"]))


@change
def one_set_on_a_class_by_the_method_of_type():
    class C:
        n = 1.0

    def f(x):
        type.__setattr__(C, "n", 5.0)
        return x * 2.0

    yield (f, tf.constant(1.0))
    C.n = 2.0
    yield tf.constant(1.0)
    yield tf.constant(float(C.n))


@change
def one_set_on_an_argument():
    b = Box(n=0.0)

    def f(x, b):
        b.n = 5.0
        return x * 2.0

    yield (f, tf.constant(1.0), b)
    b.n = 1.0
    yield (tf.constant(1.0), b)
    yield (tf.constant(b.n), b)


@change
def one_that_is_never_read():
    b = Box()

    def f(x):
        b.n = 5.0
        return x * 2.0

    yield (f, tf.constant(1.0))
    del b.n
    yield tf.constant(1.0)
    yield tf.constant(b.__dict__.get("n", 0.0))


@change
def a_tensor_that_is_kept():
    b = Box()

    def f(x):
        b.last = x * 3.0
        return x * 2.0

    yield (f, tf.constant(1.0))
    yield tf.constant(5.0)
    yield b.last


@change
def one_set_in_a_frozen_dataclass():
    @dataclasses.dataclass(frozen=True)
    class C:
        k: float = 2.0

        def __call__(self, x):
            object.__setattr__(self, "last", 7.0)
            return x * self.k

    c = C()
    yield (lambda x: c(x), tf.constant(1.0))
    yield tf.constant(vars(c).pop("last", 100.0))


@change
def a_dictionary_that_counts_by_get():
    seen = {}

    def f(x):
        seen["n"] = seen.get("n", 0) + 1
        return x * seen["n"]

    yield f
    yield


@change
def a_class_that_counts_its_objects():
    class C:
        made = 0

        def __init__(self):
            type(self).made += 1

        def k(self):
            return float(self.made)

    yield lambda x: x * C().k()
    yield


@change
def a_class_that_numbers_its_objects_by_an_iterator():
    class C:
        numbers = itertools.count()

        def __init__(self):
            self.number = next(self.numbers)

    yield lambda x: x * float(C().number)
    yield


@change
def a_hook_in_a_context_manager_class():
    class C:
        def __enter__(self):
            self.depth = getattr(self, "depth", 0) + 1
            return self.depth

        def __exit__(self, *e):
            pass

    c = C()

    def f(x):
        with c as d:
            return x * float(d)

    yield f
    yield


@change
def a_counter_in_a_cell_shared_by_two_functions():
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    yield lambda x: x * float(count())
    yield


@change
def a_property_setter_that_logs():
    class C:
        def __init__(self):
            self._k = 2.0
            self.log = []

        @property
        def k(self):
            return self._k

        @k.setter
        def k(self, v):
            self.log.append(v)
            self._k = v

    c = C()

    def f(x):
        c.k = 4.0
        return x * len(c.log)

    yield f
    yield


@change
def a_counter_in_a_layer():
    class Mine(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def call(self, x):
            self.calls += 1
            return x * float(self.calls)

    layer = Mine()
    yield lambda x: layer(x)
    yield


@change
def a_stack_of_scopes():
    stack = [2.0]

    @contextlib.contextmanager
    def scope(k):
        stack.append(k)
        try:
            yield
        finally:
            stack.pop()

    def inner(x):
        return x * stack[-1]

    def f(x):
        with scope(5.0):
            y = inner(x)
        return y + inner(x)

    yield f
    stack[0] = 3.0
    yield


@change
def a_metric_reset():
    m = tf.keras.metrics.Mean()

    def f(x):
        m.update_state(x)
        return m.result()

    yield (f, tf.constant(1.0))
    m.reset_state()
    yield tf.constant(3.0)
