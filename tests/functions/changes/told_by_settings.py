"""Functions of these libraries that tell what was set, and settings of Python."""

import copy
import logging
import sys
import warnings

import keras
import numpy as np

import cinta as tf
from tests.functions.changes.table import change


def _told(get, change_it, restore):
    """Rows of a setting: whether it is what it was."""
    was = copy.copy(get())
    yield lambda x: x * (1.0 if get() == was else 2.0)
    change_it()
    try:
        yield
    finally:
        restore()


@change
def whether_functions_are_compiled():
    options = tf.config.optimizer
    options.set_jit(False)
    return _told(
        lambda: tf.config.optimizer.get_jit(),
        lambda: options.set_jit(True),
        lambda: options.set_jit(False),
    )


@change
def options_of_the_optimizer_of_graphs():
    options = tf.config.optimizer
    before = options.get_experimental_options()["disable_model_pruning"]
    return _told(
        lambda: tf.config.optimizer.get_experimental_options(),
        lambda: options.set_experimental_options({"disable_model_pruning": not before}),
        lambda: options.set_experimental_options({"disable_model_pruning": before}),
    )


@change
def whether_devices_are_chosen():
    was = tf.config.get_soft_device_placement()
    return _told(
        lambda: tf.config.get_soft_device_placement(),
        lambda: tf.config.set_soft_device_placement(not was),
        lambda: tf.config.set_soft_device_placement(was),
    )


@change
def whether_devices_are_logged():
    return _told(
        lambda: tf.debugging.get_log_device_placement(),
        lambda: tf.debugging.set_log_device_placement(True),
        lambda: tf.debugging.set_log_device_placement(False),
    )


@change
def whether_floats_are_short():
    told = tf.config.experimental.tensor_float_32_execution_enabled
    was, set_it = told(), tf.config.experimental.enable_tensor_float_32_execution
    return _told(
        lambda: tf.config.experimental.tensor_float_32_execution_enabled(),
        lambda: set_it(not was),
        lambda: set_it(was),
    )


@change
def how_many_threads_compute():
    threads = tf.config.threading
    was = threads.get_inter_op_parallelism_threads()
    return _told(
        lambda: tf.config.threading.get_inter_op_parallelism_threads(),
        lambda: threads.set_inter_op_parallelism_threads(was + 1),
        lambda: threads.set_inter_op_parallelism_threads(was),
    )


@change
def how_much_memory_jacobians_take():
    was = tf.config.get_jacobian_memory()
    return _told(
        lambda: tf.config.get_jacobian_memory(),
        lambda: tf.config.set_jacobian_memory(was + 1),
        lambda: tf.config.set_jacobian_memory(was),
    )


@change
def whether_tracebacks_are_short():
    tf.debugging.enable_traceback_filtering()
    return _told(
        lambda: tf.debugging.is_traceback_filtering_enabled(),
        lambda: tf.debugging.disable_traceback_filtering(),
        lambda: tf.debugging.enable_traceback_filtering(),
    )


@change
def whether_keras_talks():
    keras.config.enable_interactive_logging()
    return _told(
        lambda: keras.config.is_interactive_logging_enabled(),
        lambda: keras.config.disable_interactive_logging(),
        lambda: keras.config.enable_interactive_logging(),
    )


@change
def whether_tracebacks_of_keras_are_short():
    return _told(
        lambda: keras.config.is_traceback_filtering_enabled(),
        lambda: keras.config.disable_traceback_filtering(),
        lambda: keras.config.enable_traceback_filtering(),
    )


@change
def the_most_epochs_of_keras():
    return _told(
        lambda: keras.config.max_epochs(),
        lambda: keras.config.set_max_epochs(3),
        lambda: keras.config.set_max_epochs(None),
    )


@change
def the_level_of_the_logger_of_the_library():
    logger = tf.get_logger()
    was = logger.level
    return _told(
        lambda: tf.get_logger().level,
        lambda: logger.setLevel(was + 1),
        lambda: logger.setLevel(was),
    )


def _logger():
    logger = logging.getLogger("a_logger_of_settings")
    logger.setLevel(logging.INFO)
    logger.disabled = False
    return logger


@change
def whether_a_logger_is_disabled():
    logger = _logger()
    yield lambda x: x * (2.0 if logger.isEnabledFor(logging.INFO) else 1.0)
    logger.disabled = True
    yield


@change
def whether_a_logger_found_by_its_name_is_disabled():
    logger = _logger()
    yield lambda x: x * (2.0 if logging.getLogger(logger.name).isEnabledFor(logging.INFO) else 1.0)
    logger.disabled = True
    yield


@change
def what_a_logger_leaves_out():
    logger, record = _logger(), logging.makeLogRecord({"msg": "a"})
    yield lambda x: x * (2.0 if logger.filter(record) else 1.0)
    logger.addFilter(nothing := lambda record: False)
    try:
        yield
    finally:
        logger.removeFilter(nothing)


@change
def the_handlers_of_a_logger_found_by_its_name():
    logger = _logger()
    yield lambda x: x * (1.0 + len(logging.getLogger(logger.name).handlers))
    logger.addHandler(handler := logging.NullHandler())
    try:
        yield
    finally:
        logger.removeHandler(handler)


@change
def what_makes_records_of_a_log():
    plain = logging.getLogRecordFactory()
    yield lambda x: x * (2.0 if logging.getLogRecordFactory() is logging.LogRecord else 1.0)
    logging.setLogRecordFactory(lambda *args, **kwargs: plain(*args, **kwargs))
    try:
        yield
    finally:
        logging.setLogRecordFactory(plain)


@change
def what_is_done_with_warnings_by_default():
    def warned(x):
        try:
            warnings.warn("a", UserWarning, stacklevel=1)
        except UserWarning:
            return x * 2.0
        return x

    with warnings.catch_warnings():
        warnings.resetwarnings()
        was, warnings.defaultaction = warnings.defaultaction, "ignore"
        try:
            yield warned
            warnings.defaultaction = "error"
            yield
        finally:
            warnings.defaultaction = was


@change
def how_long_texts_of_numbers_may_be():
    number = 10**5000

    def tried(x):
        try:
            return x * len(str(number))
        except ValueError:
            return x

    yield tried
    was = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(was)


def _printed(text_of):
    yield lambda x: x * len(text_of(np.array([1.123456789])))
    with np.printoptions(precision=3):
        yield


@change
def how_an_array_is_written():
    return _printed(lambda array: np.array2string(array))


@change
def how_an_array_is_shown():
    return _printed(lambda array: np.array_str(array))


@change
def how_an_array_is_represented():
    return _printed(lambda array: np.array_repr(array))


@change
def metadata_of_a_dtype():
    found = [np.dtype("f4", metadata={"k": 2.0})]
    yield lambda x: x * found[0].metadata["k"]
    found[0] = np.dtype("f4", metadata={"k": 3.0})
    yield


@change
def names_of_the_fields_of_an_array():
    array = np.zeros(1, [("a", "f4"), ("b", "f4")])
    array["a"] = 2.0
    yield lambda x: x * array["a"][0]
    array.dtype.names = ("b", "a")
    yield


@change
def names_of_the_fields_of_a_dtype():
    dtype = np.dtype([("a", "f4"), ("b", "f8")])
    yield lambda x: x * dtype["a"].itemsize
    dtype.names = ("b", "a")
    yield


@change
def an_argument_of_the_process():
    sys.argv.append("--k=2")
    try:
        yield lambda x: x * float(sys.argv[-1][-1])
        sys.argv[-1] = "--k=3"
        yield
    finally:
        sys.argv.pop()
