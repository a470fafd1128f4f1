"""Metaclasses, abstract base classes, and how classes are made and asked."""

from tests.functions.changes.table import change


@change
def a_class_method_of_a_subclass():
    class A:
        j = 2.0

        @classmethod
        def k(cls):
            return cls.j

    class B(A): ...

    yield lambda x: x * B.k()
    B.j = 3.0
    yield


@change
def a_class_method_behind_super():
    class A:
        @classmethod
        def k(cls):
            return 2.0

    class B(A):
        @classmethod
        def k(cls):
            return super().k() + 1.0

    yield lambda x: x * B.k()
    A.k = classmethod(lambda cls: 3.0)
    yield


@change
def an_attribute_of_a_metaclass():
    class Meta(type):
        k = 2.0

    class C(metaclass=Meta): ...

    yield lambda x: x * C.k
    Meta.k = 3.0
    yield


@change
def a_property_of_a_metaclass():
    class Meta(type):
        @property
        def k(cls):
            return cls._k

    class C(metaclass=Meta):
        _k = 2.0

    yield lambda x: x * C.k
    C._k = 3.0
    yield


@change
def a_property_of_a_metaclass_over_a_list():
    ks = [2.0]

    class Meta(type):
        k = property(lambda cls: ks[0])

    class C(metaclass=Meta): ...

    yield lambda x: x * C.k
    ks[0] = 3.0
    yield


@change
def a_method_of_a_metaclass():
    class Meta(type):
        def k(cls):
            return 2.0

    class C(metaclass=Meta): ...

    yield lambda x: x * C.k()
    Meta.k = lambda cls: 3.0
    yield


@change
def getattr_of_a_metaclass():
    ks = {"k": 2.0}

    class Meta(type):
        def __getattr__(cls, name):
            return ks[name]

    class C(metaclass=Meta): ...

    yield lambda x: x * C.k
    ks["k"] = 3.0
    yield


@change
def items_of_a_class():
    ks = {"k": 2.0}

    class Meta(type):
        def __getitem__(cls, name):
            return ks[name]

    class C(metaclass=Meta): ...

    yield lambda x: x * C["k"]
    ks["k"] = 3.0
    yield


@change
def class_getitem():
    ks = {"k": 2.0}

    class C:
        def __class_getitem__(cls, name):
            return ks[name]

    yield lambda x: x * C["k"]
    ks["k"] = 3.0
    yield


@change
def the_length_of_a_class():
    members = [1, 2]

    class Meta(type):
        def __len__(cls):
            return len(members)

    class C(metaclass=Meta): ...

    yield lambda x: x * len(C)
    members.append(3)
    yield


@change
def how_a_class_is_called():
    class Meta(type):
        def __call__(cls):
            return 2.0

    class C(metaclass=Meta): ...

    yield lambda x: x * C()
    Meta.__call__ = lambda cls: 3.0
    yield


@change
def what_a_metaclass_refers_to():
    k = 2.0

    class Meta(type):
        def __call__(cls):
            return k

    class C(metaclass=Meta): ...

    yield lambda x: x * C()
    k = 3.0
    yield


@change
def init():
    class C:
        def __init__(self):
            self.k = 2.0

    def three(self):
        self.k = 3.0

    yield lambda x: x * C().k
    C.__init__ = three
    yield


@change
def what_init_refers_to():
    k = 2.0

    class C:
        def __init__(self):
            self.k = k

    yield lambda x: x * C().k
    k = 3.0
    yield


@change
def init_of_a_base():
    class A:
        def __init__(self):
            self.k = 2.0

    class B(A): ...

    def three(self):
        self.k = 3.0

    yield lambda x: x * B().k
    A.__init__ = three
    yield


@change
def new():
    class C:
        def __new__(cls):
            made = super().__new__(cls)
            made.k = 2.0
            return made

    def three(cls):
        made = object.__new__(cls)
        made.k = 3.0
        return made

    yield lambda x: x * C().k
    C.__new__ = three
    yield


@change
def a_singleton_made_by_new():
    class C:
        only = None

        def __new__(cls):
            cls.only = cls.only or super().__new__(cls)
            return cls.only

    C().k = 2.0
    yield lambda x: x * C().k
    C().k = 3.0
    yield


@change
def init_subclass_at_call_time():
    k = 2.0

    class A:
        def __init_subclass__(cls):
            cls.k = k

    def f(x):
        class B(A): ...

        return x * B.k

    yield f
    k = 3.0
    yield


@change
def a_class_made_by_type_at_call_time():
    body = {"k": 2.0}
    yield lambda x: x * type("C", (), body).k
    body["k"] = 3.0
    yield


@change
def set_name_at_call_time():
    k = 2.0

    class Field:
        def __set_name__(self, owner, name):
            owner.found = k

    def f(x):
        class C:
            field = Field()

        return x * C.found

    yield f
    k = 3.0
    yield


@change
def prepare():
    body = {"k": 2.0}

    class Meta(type):
        @classmethod
        def __prepare__(cls, *given):
            return dict(body)

    def f(x):
        class C(metaclass=Meta): ...

        return x * C.k

    yield f
    body["k"] = 3.0
    yield
