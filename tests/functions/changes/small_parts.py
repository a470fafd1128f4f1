"""Parts of objects and functions that are small and easily forgotten."""

import collections
import enum
import functools
import queue
import re
import string
import threading
import types
import typing

import cinta as tf
from tests.functions.changes.table import Box, change, tripled


@change
def a_registry_that_new_classes_join():
    class Base:
        registry: typing.ClassVar = []

        def __init_subclass__(cls, k=0.0, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.k = k
            Base.registry.append(cls)

    class A(Base, k=2.0):
        pass

    yield lambda x: x * sum(c.k for c in Base.registry)

    class B(Base, k=3.0):
        pass

    yield


@change
def an_event_that_is_set():
    event = threading.Event()
    yield lambda x: x * (3.0 if event.is_set() else 2.0)
    event.set()
    yield


@change
def a_queue_that_is_not_empty():
    q = queue.Queue()
    yield lambda x: x * (q.qsize() + 1.0)
    q.put(1)
    yield


@change
def a_simple_queue():
    q = queue.SimpleQueue()
    yield lambda x: x * (q.qsize() + 1.0)
    q.put(1)
    yield


@change
def a_slice_in_an_object():
    data, box = ([1.0, 2.0, 3.0], Box(part=slice(0, 1)))
    yield lambda x: x * sum(data[box.part])
    box.part = slice(0, 2)
    yield


@change
def an_exception_that_is_kept():
    error = ValueError(2.0)
    yield lambda x: x * error.args[0]
    error.args = (3.0,)
    yield


@change
def an_exception_with_notes():
    error = ValueError(2.0)
    error.add_note("1")
    yield lambda x: x * len(error.__notes__)
    error.add_note("2")
    yield


@change
def an_exception_class_with_a_default():
    class Mine(Exception):
        k = 2.0

    def f(x):
        try:
            raise Mine
        except Mine as e:
            return x * e.k

    yield f
    Mine.k = 3.0
    yield


@change
def a_value_of_an_enum_that_is_changed():
    class E(enum.Enum):
        A = 2.0

    yield lambda x: x * E.A.value
    E.A._value_ = 3.0
    yield


@change
def an_attribute_given_to_a_member():
    class E(enum.Enum):
        A = 2.0

    E.A.k = 2.0
    yield lambda x: x * E.A.k
    E.A.k = 3.0
    yield


@change
def a_flag_made_by_or():
    class F(enum.Flag):
        A = 1
        B = 2

    mode = F.A
    yield lambda x: x * (3.0 if F.B in mode else 2.0)
    mode = F.A | F.B
    yield


@change
def a_generic_class_attribute():
    T = typing.TypeVar("T")

    class C(typing.Generic[T]):
        k = 2.0

    alias = C[int]
    yield lambda x: x * alias.k
    C.k = 3.0
    yield


@change
def a_generic_alias_argument():
    box = Box(a=list[int])
    yield lambda x: x * (2.0 if typing.get_args(box.a)[0] is int else 3.0)
    box.a = list[float]
    yield


@change
def a_scope_around_the_call():
    stack = [2.0]
    f = tf.function(lambda x: x * stack[-1])
    yield lambda x: f(x)
    stack.append(4.0)
    yield


@change
def a_default_of_a_parameter_given_by_name():
    def helper(x, *, k=2.0):
        return x * k

    yield lambda x: helper(x)
    helper.__kwdefaults__["k"] = 3.0
    yield


@change
def a_default_of_a_lambda_in_a_list():
    fs = [lambda x, k=k: x * k for k in (2.0, 3.0)]
    yield lambda x: sum(f(x) for f in fs)
    fs[0].__defaults__ = (7.0,)
    yield


@change
def the_unwrapped_function():
    def g(x):
        return x * 2.0

    @functools.wraps(g)
    def h(x):
        return x

    yield lambda x: h.__wrapped__(x)
    h.__wrapped__ = tripled
    yield


@change
def an_ordered_dictionary_moved():
    d = collections.OrderedDict(a=2.0, b=3.0)
    yield lambda x: x * next(iter(d.values()))
    d.move_to_end("a")
    yield


@change
def a_userdict_data():
    d = collections.UserDict(k=2.0)
    yield lambda x: x * d["k"]
    d.data = {"k": 3.0}
    yield


@change
def a_class_body_executed_inside():
    k = 2.0

    def f(x):
        class C:
            j = k

        return x * C.j

    yield f
    k = 3.0
    yield


@change
def the_text_of_a_float_by_a_format_variable():
    b = Box(spec=".0f", k=2.5)
    yield lambda x: x * float(f"{b.k:{b.spec}}")
    b.spec = ".1f"
    yield


@change
def a_template_of_text():
    b = Box(t=string.Template("$a"), a=2.0)
    yield lambda x: x * float(b.t.substitute(a=b.a))
    b.a = 3.0
    yield


@change
def a_module_list_by_index():
    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self.ws = [tf.Variable(2.0), tf.Variable(3.0)]
            self.at = 0

        def __call__(self, x):
            return x * self.ws[self.at]

    m = M()
    yield lambda x: m(x)
    m.at = -1
    yield


@change
def the_last_weight_of_a_module():
    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self.ws = [tf.Variable(2.0)]

        def __call__(self, x):
            return x * self.ws[-1]

    m = M()
    yield lambda x: m(x)
    m.ws.append(tf.Variable(5.0))
    yield


@change
def a_setting_got_by_get():
    d = {"rate": 2.0}
    yield lambda x: x * d.get("rate", 1.0) * d.get("other", 1.0)
    d["other"] = 3.0
    yield


@change
def a_gradient_tape_setting():
    persistent = Box(stop=False)
    v = tf.Variable(2.0)

    def f(x):
        with tf.GradientTape() as t:
            y = v * v * x
            if persistent.stop:
                y = tf.stop_gradient(v) * v * x
        return t.gradient(y, v)

    yield f
    persistent.stop = True
    yield


@change
def a_nested_default_dictionary():
    d = collections.defaultdict(lambda: collections.defaultdict(float))
    d["a"]["b"] = 2.0
    yield lambda x: x * d["a"]["b"]
    d["a"]["b"] = 3.0
    yield


@change
def an_lru_cache_with_a_closure():
    k = 2.0

    @functools.lru_cache
    def g(n):
        return n * k

    yield lambda x: x * g(1.0)
    k = 3.0
    g.cache_clear()
    yield


@change
def a_method_swapped_by_types_methodtype():
    class C:
        def k(self):
            return 2.0

    c = C()
    yield lambda x: x * c.k()
    c.k = types.MethodType(lambda self: 5.0, c)
    yield


@change
def the_type_of_an_error_that_is_caught():
    b = Box(kind=ValueError, other=KeyError)

    def f(x):
        try:
            raise ValueError
        except b.kind:
            return x * 2.0
        except Exception:
            return x * 3.0

    yield f
    b.kind = KeyError
    yield


@change
def a_sorted_order_by_a_table():
    order = {"a": 1, "b": 2}
    vals = {"a": 2.0, "b": 3.0}
    yield lambda x: x * vals[min(vals, key=order.__getitem__)]
    order["a"] = 5
    yield


@change
def a_pattern_that_is_replaced():
    b = Box(p=re.compile("a"))
    yield lambda x: x * (2.0 if b.p.match("ab") else 3.0)
    b.p = re.compile("b")
    yield
