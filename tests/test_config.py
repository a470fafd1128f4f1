"""Settings, devices, and questions about graphs."""

import logging
import threading
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from cinta.engine import parallel

CPU = tf.config.list_physical_devices("CPU")[0]


@pytest.mark.parametrize(
    "name",
    ["/CPU:0", "CPU:0", "cpu", "/device:CPU:0", "/GPU:0", "/CPU:7", None, "", tf.ones([]).device],
)
def test_names_of_devices_are_taken_and_all_runs_on_the_processor(name):
    with tf.device(name):
        assert (tf.constant(1) + 1).device.endswith("device:CPU:0")


@pytest.mark.parametrize(
    ("name", "error", "match"),
    [
        ("foo", ValueError, "Unknown attribute 'foo'"),
        ("/foo:0", ValueError, "Unknown attribute 'foo'.*'/foo:0'"),
        ("/CPU:x", ValueError, "invalid literal for int"),
        (3, ValueError, "Expecting a string device name. Got <class 'int'>"),
        ("/job:worker/CPU:0", tf.errors.InvalidArgumentError, "unknown device"),
    ],
)
def test_what_names_no_device_is_refused(name, error, match):
    with pytest.raises(error, match=match), tf.device(name):
        pass


def test_devices_are_looked_for_where_the_block_begins():
    block = tf.device(3)
    with pytest.raises(ValueError, match="Expecting a string"), block:
        pass


def test_devices_that_are_not_there_are_refused_on_demand():
    tf.config.set_soft_device_placement(False)
    try:
        assert not tf.config.get_soft_device_placement()
        wanted = pytest.raises(tf.errors.InvalidArgumentError, match="/device:GPU:1 unknown device")
        with wanted, tf.device("/GPU:1"):
            pass
        with tf.device("/CPU:0"):
            pass
    finally:
        tf.config.set_soft_device_placement(True)


def test_the_parts_of_a_name_make_the_name():
    spec = tf.DeviceSpec(job="localhost", task=0, device_type="GPU", device_index=1)
    assert spec.to_string() == "/job:localhost/task:0/device:GPU:1"
    assert tf.DeviceSpec.from_string(spec.to_string()) == spec


@pytest.fixture
def three_devices():
    tf.config.set_logical_device_configuration(CPU, [tf.config.LogicalDeviceConfiguration()] * 3)
    yield
    tf.config.set_logical_device_configuration(CPU, None)


def test_values_are_where_they_are_made(three_devices):
    x = tf.constant(1.0)
    with tf.device("/CPU:2"):
        y, v = tf.constant(1.0), tf.Variable(1.0)
        both = x + y
        with tf.device("/device:CPU:1"):
            inner = tf.exp(x)
        with tf.device(None):
            outer = tf.exp(x)
    devices = [each.device[-5:] for each in (x, y, v, both, inner, outer, y + x)]
    assert devices == ["CPU:0", "CPU:2", "CPU:2", "CPU:2", "CPU:1", "CPU:0", "CPU:0"]


def test_devices_of_other_threads_are_their_own(three_devices):
    found = []
    with tf.device("/CPU:1"):
        thread = threading.Thread(target=lambda: found.append(tf.constant(1.0).device))
        thread.start()
        thread.join()
    assert found[0].endswith("CPU:0")


def test_specs_of_devices_are_merged():
    spec = tf.DeviceSpec.from_string("/job:worker/CPU:0")
    assert spec.make_merged_spec(tf.DeviceSpec(device_type="GPU")).to_string() == (
        "/job:worker/device:GPU:0"
    )
    assert spec.replace(job="chief").to_string() == "/job:chief/device:CPU:0"


@pytest.mark.parametrize("name", ["get_memory_info", "get_memory_usage", "reset_memory_stats"])
def test_the_memory_of_the_processor_is_not_counted(name):
    ask = getattr(tf.config.experimental, name)
    with pytest.raises(ValueError, match="Allocator stats not available for device 'CPU:0'"):
        ask("CPU:0")
    with pytest.raises(ValueError, match="No matching devices found for 'GPU:0'"):
        ask("GPU:0")


def test_there_is_one_device():
    assert repr(CPU) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert tf.config.list_physical_devices("GPU") == tf.config.list_logical_devices("GPU") == []
    assert tf.config.list_logical_devices()[0].name == "/device:CPU:0"
    tf.config.set_visible_devices([], "GPU")
    tf.config.set_visible_devices(tf.config.get_visible_devices())
    tf.config.set_visible_devices(CPU, "CPU")
    with pytest.raises(RuntimeError, match="cannot be modified"):
        tf.config.set_visible_devices([], "CPU")
    with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
        tf.config.set_visible_devices(["x"])
    with pytest.raises(ValueError, match="is no GPU"):
        tf.config.set_visible_devices([CPU], "GPU")
    with pytest.raises(ValueError, match="Cannot set memory growth"):
        tf.config.experimental.set_memory_growth(CPU, True)
    assert tf.config.experimental.get_device_details(CPU) == {}


def test_the_program_chooses_how_many_threads_share_large_work():
    threading = tf.config.threading
    x = np.ones(1 << 20, np.float32)
    before = parallel.threads()
    try:
        for count in (1, 3):
            threading.set_intra_op_parallelism_threads(count)
            assert threading.get_intra_op_parallelism_threads() == parallel.threads() == count
            assert parallel.blockwise(np.negative, x, out=np.empty_like(x))[-1] == -1
    finally:
        threading.set_intra_op_parallelism_threads(0)
    assert parallel.threads() == before
    for wrong in (-1, 1.5, True):
        with pytest.raises(ValueError, match="the number of threads"):
            threading.set_intra_op_parallelism_threads(wrong)


def test_settings_are_what_they_were_set_to():
    assert not tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    assert tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(False)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    assert tf.config.threading.get_inter_op_parallelism_threads() == 2
    tf.config.threading.set_inter_op_parallelism_threads(0)
    assert tf.config.experimental.tensor_float_32_execution_enabled()
    assert tf.config.experimental.enable_op_determinism() is None


def test_there_is_no_graph():
    x = tf.constant([1.0, 2.0])
    assert tf.executing_eagerly()
    assert not tf.inside_function()
    assert not tf.is_symbolic_tensor(x)
    assert tf.get_static_value(x).tolist() == [1, 2]
    assert tf.get_static_value(tf.Variable(1.0)) is None
    assert tf.get_static_value([1, 2]) == [1, 2]
    assert tf.group(x, [x]) is tf.no_op() is None
    with pytest.raises(ValueError, match="unknown keyword arguments: n"):
        tf.group(n=1)


def test_no_tape_records_in_an_init_scope():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with tf.init_scope():
            y = x * x
        z = x * x
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x).numpy() == 6


def test_control_dependencies_are_the_order_of_the_lines():
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign(2.0)]):
        assert v.numpy() == 2
    with tf.control_dependencies(lambda: v.assign(3.0)):
        assert v.numpy() == 3


def test_small_things_that_scripts_call_first():
    tf.get_logger().setLevel("ERROR")
    assert tf.get_logger().level == logging.ERROR
    tf.get_logger().setLevel(logging.NOTSET)
    assert tf.__version__ == tf.version.VERSION
    assert tf.get_current_name_scope() == ""


def test_dtypes_has_functions_beside_the_constants():
    assert tf.dtypes.cast is tf.cast
    assert tf.dtypes.complex is tf.complex
    assert tf.dtypes.saturate_cast is tf.saturate_cast
    assert {"cast", "float32", "DType"} <= set(dir(tf.dtypes))
    with pytest.raises(AttributeError, match="no attribute 'bfloat17'"):
        _ = tf.dtypes.bfloat17


def test_a_tensor_knows_where_it_is():
    x = tf.constant([1.0, 2.5])
    assert x.cpu() is x
    assert x.backing_device == x.device
    assert not x.is_packed
    with pytest.raises(RuntimeError, match="GPU:1 unknown device"):
        x.gpu(1)


def test_variables_say_how_copies_of_them_would_be_kept():
    v = tf.Variable(1.0)
    assert v.aggregation is tf.VariableAggregation.NONE
    assert v.synchronization is tf.VariableSynchronization.AUTO
    summed = tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM)
    assert summed.aggregation is tf.VariableAggregation.SUM


def test_tensors_go_to_other_libraries_and_come_back():
    x = tf.constant([[1.0, 2.5]])
    assert np.from_dlpack(x).tolist() == [[1.0, 2.5]]
    assert tf.experimental.dlpack.from_dlpack(np.arange(3)).dtype == tf.int64
    back = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x))
    assert back.numpy().tolist() == [[1.0, 2.5]]


def test_tensors_are_rounded():
    assert round(tf.constant([0.5, 1.5, -1.2])).numpy().tolist() == [0, 2, -1]
    assert round(tf.Variable(1.5)).numpy() == 2
    values = np.array([[2.55, -123.456], [1e-3, 7.0]], np.float32)
    for digits in (2, 1, 0, -1):
        rounded = round(tf.constant(values), digits)
        assert rounded.dtype == tf.float32
        assert (rounded.numpy() == np.round(values, digits)).all()
    assert round(tf.constant([14, 27]), -1).numpy().tolist() == [10, 30]
    assert round(tf.constant([14, 27]), 2).numpy().tolist() == [14, 27]
    assert round(tf.Variable(2.345), 1).numpy() == np.float32(2.3)


def test_the_only_element_of_a_tensor_is_a_number_of_python():
    for given in (tf.constant(2.5), tf.Variable([[2.5]]), tf.constant(2.5, tf.bfloat16)):
        assert (given.item(), type(given.item())) == (2.5, float)
    assert tf.constant(3).item() == 3
    assert tf.constant(True).item() is True
    assert tf.constant("a").item() == b"a"
    assert tf.constant(1j).item() == 1j
    with pytest.raises(ValueError, match=r"shape \(2,\): choose an element first, as in t\[0\]"):
        tf.Variable([1.0, 2.0]).item()


def test_a_function_looks_at_an_item_each_time():
    @tf.function
    def doubled(x):
        return 2.0 if x.item() > 1.0 else x * 3.0

    assert [float(doubled(tf.constant(x))) for x in (0.5, 2.0, 0.25, 3.0)] == [1.5, 2, 0.75, 2]


def test_text_and_bytes():
    compat = tf.compat
    assert compat.as_bytes("é") == compat.as_bytes(bytearray("é".encode())) == "é".encode()
    assert compat.as_text(b"a") == compat.as_str("a") == compat.as_str_any(b"a") == "a"
    assert compat.as_str_any(1) == "1"
    assert compat.path_to_str(Path("a")) == compat.path_to_str("a") == "a"
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 1"):
        compat.as_bytes(1)


def test_lengths_and_kinds_for_programs_of_several_ages():
    assert tf.compat.dimension_value(3) == tf.compat.dimension_at_index([2, 3], 1) == 3
    assert tf.compat.dimension_at_index(None, 1).value is None
    assert isinstance(np.int8(1), tf.compat.integral_types)
    assert isinstance(1.5, tf.compat.real_types)
    assert isinstance(1j, tf.compat.complex_types)
    assert tf.tuple((1, 2)) == [1, 2]
    assert not tf.float32.is_quantized
    assert tf.string.is_numpy_compatible
    assert not tf.variant.is_numpy_compatible
