"""Arguments that are changed between calls."""

import collections
import dataclasses
import enum

import cinta as tf
from tests.functions.changes.table import Box, change

X = tf.constant(1.5)


@change
def a_number():
    yield (lambda x, k: x * k), X, 2.0
    yield X, 3.0


@change
def an_int_after_a_float():
    yield (lambda x, k: x * (2.0 if isinstance(k, float) else 3.0)), X, 2.0
    yield X, 2


@change
def a_truth_after_an_int():
    yield (lambda x, k: x * (2.0 if k is True else 3.0)), X, True
    yield X, 1


@change
def another_zero():
    yield (lambda x, k: x / k), X, 0.0
    yield X, -0.0


@change
def a_text():
    yield (lambda x, name: getattr(tf.nn, name)(x)), X, "sigmoid"
    yield X, "relu"


@change
def nothing_after_something():
    yield (lambda x, k: x * (2.0 if k is None else k)), X, 5.0
    yield X, None


@change
def a_dtype():
    yield (lambda x, dtype: tf.cast(x, dtype)), X, tf.float64
    yield X, tf.int32


@change
def a_shape():
    yield (lambda x, shape: tf.zeros(shape) + x), X, tf.TensorShape([2])
    yield X, tf.TensorShape([3])


@change
def a_list_that_is_changed():
    ks = [2.0]
    yield (lambda x, ks: x * sum(ks)), X, ks
    ks[0] = 3.0
    yield


@change
def a_list_that_grows():
    ks = [2.0]
    yield (lambda x, ks: x * sum(ks)), X, ks
    ks.append(3.0)
    yield


@change
def a_list_of_tensors_that_grows():
    ks = [tf.constant(2.0)]
    yield (lambda x, ks: x * tf.add_n(ks)), X, ks
    ks.append(tf.constant(3.0))
    yield


@change
def a_dictionary_that_is_changed():
    d = {"k": 2.0}
    yield (lambda x, d: x * d["k"]), X, d
    d["k"] = 3.0
    yield


@change
def a_dictionary_with_another_key():
    d = {"k": 2.0}
    yield (lambda x, d: x * d.get("j", 1.0)), X, d
    d["j"] = 3.0
    yield


@change
def a_dictionary_in_another_order():
    d = {"a": 2.0, "b": 3.0}
    yield (lambda x, d: x * next(iter(d.values()))), X, d
    d["a"] = d.pop("a")
    yield


@change
def an_ordered_dictionary_in_another_order():
    d = collections.OrderedDict(a=2.0, b=3.0)
    yield (lambda x, d: x * next(iter(d.values()))), X, d
    d.move_to_end("a")
    yield


@change
def a_list_after_a_tuple():
    yield (lambda x, ks: x * (2.0 if isinstance(ks, tuple) else 3.0)), X, (1.0,)
    yield X, [1.0]


@change
def a_named_tuple_of_another_class():
    A = collections.namedtuple("A", "k")
    B = collections.namedtuple("B", "k")
    yield (lambda x, t: x * (2.0 if isinstance(t, A) else 3.0)), X, A(1.0)
    yield X, B(1.0)


@change
def a_queue():
    queue = collections.deque([2.0])
    yield (lambda x, queue: x * queue[-1]), X, queue
    queue.append(3.0)
    yield


@change
def an_object_that_is_changed():
    box = Box(k=2.0)
    yield (lambda x, box: x * box.k), X, box
    box.k = 3.0
    yield


@change
def an_object_that_is_another():
    yield (lambda x, box: x * box.k), X, Box(k=2.0)
    yield X, Box(k=3.0)


@change
def an_object_of_another_class():
    class Other(Box): ...

    box = Box(k=2.0)
    yield (lambda x, box: x * (2.0 if type(box) is Box else 3.0)), X, box
    box.__class__ = Other
    yield


@change
def an_object_that_equals_all():
    class Liar(Box):
        def __eq__(self, other):
            return True

        def __hash__(self):
            return 1

    yield (lambda x, liar: x * liar.k), X, Liar(k=2.0)
    yield X, Liar(k=3.0)


@change
def a_frozen_dataclass_that_is_equal_and_hashes_so():
    @dataclasses.dataclass(frozen=True)
    class Settings:
        name: str
        k: float = dataclasses.field(compare=False, default=2.0)

    yield (lambda x, settings: x * settings.k), X, Settings("a")
    yield X, Settings("a", 3.0)


@change
def a_mode():
    Mode = enum.Enum("Mode", "SLOW FAST")
    yield (lambda x, mode: x * (2.0 if mode is Mode.SLOW else 3.0)), X, Mode.SLOW
    yield X, Mode.FAST


@change
def a_mode_of_another_class_with_the_same_value():
    One, Two = enum.Enum("One", "A"), enum.Enum("Two", "A")
    yield (lambda x, mode: x * (2.0 if isinstance(mode, One) else 3.0)), X, One.A
    yield X, Two.A


@change
def a_number_that_is_a_mode():
    Level = enum.IntEnum("Level", "LOW HIGH")
    yield (lambda x, k: x * (2.0 if isinstance(k, Level) else 3.0)), X, Level.LOW
    yield X, 1
