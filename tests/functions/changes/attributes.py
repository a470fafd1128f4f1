"""Attributes of objects: in dictionaries and slots, behind properties, and by computed names."""

import inspect
import operator

from tests.functions.changes.table import Box, change


@change
def a_number():
    box = Box(k=2.0)
    yield lambda x: x * box.k
    box.k = 3.0
    yield


@change
def one_of_an_attribute():
    box = Box(inner=Box(k=2.0))
    yield lambda x: x * box.inner.k
    box.inner.k = 3.0
    yield


@change
def one_that_comes_and_hides_that_of_the_class():
    class C:
        k = 2.0

    c = C()
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def one_that_goes_and_uncovers_that_of_the_class():
    class C:
        k = 2.0

    c = C()
    c.k = 3.0
    yield lambda x: x * c.k
    del c.k
    yield


@change
def one_that_comes_to_be():
    box = Box()

    def f(x):
        try:
            return x * box.k
        except AttributeError:
            return x * 5.0

    yield f
    box.k = 3.0
    yield


@change
def one_that_goes():
    box = Box(k=3.0)

    def f(x):
        try:
            return x * box.k
        except AttributeError:
            return x * 5.0

    yield f
    del box.k
    yield


@change
def one_with_a_default():
    box = Box()
    yield lambda x: x * getattr(box, "k", 2.0)
    box.k = 3.0
    yield


@change
def one_asked_by_hasattr():
    box = Box()
    yield lambda x: x * (3.0 if hasattr(box, "k") else 2.0)
    box.k = 3.0
    yield


@change
def one_of_a_private_name():
    class C:
        def __init__(self):
            self.__k = 2.0

        def f(self, x):
            return x * self.__k

        def change(self):
            self.__k = 3.0

    c = C()
    yield c.f
    c.change()
    yield


@change
def one_by_a_computed_name():
    box = Box(k1=2.0)
    yield lambda x: x * getattr(box, f"k{1}")
    box.k1 = 3.0
    yield


@change
def one_by_a_name_that_changes():
    box, name = Box(a=2.0, b=3.0), "a"
    yield lambda x: x * getattr(box, name)
    name = "b"
    yield


@change
def one_by_a_name_in_a_list():
    box, names = Box(a=2.0, b=3.0), ["a"]
    yield lambda x: x * sum(getattr(box, name) for name in names)
    names.append("b")
    yield


@change
def one_by_object_getattribute():
    box = Box(k=2.0)
    yield lambda x: x * object.__getattribute__(box, "k")
    box.k = 3.0
    yield


@change
def one_through_the_dictionary():
    box = Box(k=2.0)
    yield lambda x: x * box.__dict__["k"]
    box.k = 3.0
    yield


@change
def one_through_vars():
    box = Box(k=2.0)
    yield lambda x: x * vars(box)["k"]
    box.k = 3.0
    yield


@change
def all_through_vars():
    box = Box(a=2.0)
    yield lambda x: x * sum(vars(box).values())
    box.b = 3.0
    yield


@change
def a_dictionary_that_is_replaced():
    box = Box(k=2.0)
    yield lambda x: x * box.k
    box.__dict__ = {"k": 3.0}
    yield


@change
def a_dictionary_held_elsewhere():
    box = Box(k=2.0)
    held = vars(box)
    yield lambda x: x * held["k"]
    box.k = 3.0
    yield


@change
def two_objects_that_share_a_dictionary():
    box, other = Box(k=2.0), Box()
    other.__dict__ = vars(box)
    yield lambda x: x * other.k
    box.k = 3.0
    yield


@change
def names_by_dir():
    box = Box(k=2.0)
    yield lambda x: x * sum(not name.startswith("_") for name in dir(box))
    box.j = 3.0
    yield


@change
def members_by_inspect():
    box = Box(k=2.0)
    yield lambda x: x * dict(inspect.getmembers(box))["k"]
    box.k = 3.0
    yield


@change
def static_attributes_by_inspect():
    box = Box(k=2.0)
    yield lambda x: x * inspect.getattr_static(box, "k")
    box.k = 3.0
    yield


@change
def one_by_attrgetter():
    box, get = Box(k=2.0), operator.attrgetter("k")
    yield lambda x: x * get(box)
    box.k = 3.0
    yield


@change
def one_by_attrgetter_with_dots():
    box, get = Box(inner=Box(k=2.0)), operator.attrgetter("inner.k")
    yield lambda x: x * get(box)
    box.inner.k = 3.0
    yield


@change
def one_by_attrgetter_made_inside():
    box, name = Box(inner=Box(k=2.0)), "inner.k"
    yield lambda x: x * operator.attrgetter(name)(box)
    box.inner.k = 3.0
    yield


@change
def one_by_methodcaller():
    class C:
        def k(self):
            return self.j

    c, call = C(), operator.methodcaller("k")
    c.j = 2.0
    yield lambda x: x * call(c)
    c.j = 3.0
    yield


@change
def one_by_a_mapped_getter():
    boxes = [Box(k=1.0), Box(k=1.0)]
    yield lambda x: x * sum(map(operator.attrgetter("k"), boxes))
    boxes[1].k = 2.0
    yield


@change
def one_by_a_sorting_key():
    boxes = [Box(order=1, k=2.0), Box(order=2, k=3.0)]
    yield lambda x: x * min(boxes, key=operator.attrgetter("order")).k
    boxes[0].order = 3
    yield


@change
def one_in_a_format_string():
    box = Box(k=2.0)
    yield lambda x: x * float("{0.k}".format(box))
    box.k = 3.0
    yield


@change
def one_in_a_format_string_with_dots_and_items():
    box = Box(parts=[Box(k=2.0)])
    yield lambda x: x * float("{b.parts[0].k}".format(b=box))
    box.parts[0].k = 3.0
    yield


@change
def one_in_a_format_string_from_a_variable():
    box, text = Box(k=2.0), "{0.k}"
    yield lambda x: x * float(text.format(box))
    box.k = 3.0
    yield


@change
def one_in_an_old_format_string():
    box = Box(k=2.0)
    yield lambda x: x * float("%(k)s" % vars(box))
    box.k = 3.0
    yield


@change
def one_in_an_f_string():
    box = Box(k=2.0)
    yield lambda x: x * float(f"{box.k}")
    box.k = 3.0
    yield


@change
def one_in_a_match():
    box = Box(k=2.0)

    def f(x):
        match box:
            case Box(k=found):
                return x * found

    yield f
    box.k = 3.0
    yield


@change
def one_in_a_keyword_match():
    box = Box(mode="slow")

    def f(x):
        match box:
            case Box(mode="slow"):
                return x * 2.0
            case _:
                return x * 3.0

    yield f
    box.mode = "fast"
    yield
