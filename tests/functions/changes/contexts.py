"""Programs that depend on the thread, the context, or on objects that are still alive."""

import contextlib
import contextvars
import threading

from tests.functions.changes.table import Box, change


@change
def a_variable_of_contexts():
    k = contextvars.ContextVar("k", default=2.0)
    token = k.set(2.0)
    yield lambda x: x * k.get()
    k.set(3.0)
    yield
    k.reset(token)


@change
def a_variable_of_contexts_by_its_default():
    k = contextvars.ContextVar("k", default=2.0)
    yield lambda x: x * k.get()
    k.set(3.0)
    yield


@change
def a_variable_of_contexts_by_a_given_default():
    k = contextvars.ContextVar("k")
    yield lambda x: x * k.get(2.0)
    k.set(3.0)
    yield


@change
def a_variable_of_contexts_that_is_not_set():
    k = contextvars.ContextVar("k")

    def f(x):
        try:
            return x * k.get()
        except LookupError:
            return x * 5.0

    yield f
    k.set(3.0)
    yield


@change
def a_variable_of_contexts_that_is_set_back():
    k = contextvars.ContextVar("k", default=2.0)
    token = k.set(3.0)
    yield lambda x: x * k.get()
    k.reset(token)
    yield


@change
def a_bound_get():
    k = contextvars.ContextVar("k", default=2.0)
    get = k.get
    yield lambda x: x * get()
    k.set(3.0)
    yield


@change
def an_object_in_a_variable_of_contexts():
    box = Box(k=2.0)
    held = contextvars.ContextVar("held", default=box)
    yield lambda x: x * held.get().k
    box.k = 3.0
    yield


@change
def another_context():
    k = contextvars.ContextVar("k", default=2.0)
    context = contextvars.copy_context()
    yield lambda x: x * context.run(k.get)
    context.run(k.set, 3.0)
    yield


@change
def what_a_context_holds():
    k = contextvars.ContextVar("k")
    k.set(2.0)
    yield lambda x: x * contextvars.copy_context()[k]
    k.set(3.0)
    yield


@change
def a_context_manager_over_a_variable_of_contexts():
    scale = contextvars.ContextVar("scale", default=2.0)

    @contextlib.contextmanager
    def scaled(by):
        token = scale.set(by * scale.get())
        yield
        scale.reset(token)

    def f(x):
        with scaled(2.0):
            return x * scale.get()

    yield f
    scale.set(3.0)
    yield


@change
def a_field_of_the_thread():
    local = threading.local()
    local.k = 2.0
    yield lambda x: x * local.k
    local.k = 3.0
    yield


@change
def a_field_of_the_thread_by_a_name():
    local = threading.local()
    yield lambda x: x * getattr(local, "k", 2.0)
    local.k = 3.0
    yield


@change
def all_fields_of_the_thread():
    local = threading.local()
    local.k = 2.0
    yield lambda x: x * sum(vars(local).values())
    local.j = 3.0
    yield


@change
def a_class_of_threads():
    class Mine(threading.local):
        k = 2.0

        def scaled(self, x):
            return x * self.k

    mine = Mine()
    yield lambda x: mine.scaled(x)
    mine.k = 3.0
    yield


@change
def the_name_of_the_thread():
    thread = threading.current_thread()
    before = thread.name
    yield lambda x: x * len(threading.current_thread().name)
    thread.name = "another one"
    try:
        yield
    finally:
        thread.name = before


@change
def how_many_threads_there_are():
    stop, before = threading.Event(), threading.active_count()
    yield lambda x: x * (threading.active_count() - before)
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@change
def an_event():
    event = threading.Event()
    yield lambda x: x * (3.0 if event.is_set() else 2.0)
    event.set()
    yield


@change
def whether_a_lock_is_held():
    lock = threading.Lock()
    yield lambda x: x * (3.0 if lock.locked() else 2.0)
    with lock:
        yield
