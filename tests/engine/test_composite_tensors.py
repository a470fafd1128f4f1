"""Classes of libraries that derive from TensorFlow's `CompositeTensor`, and specs of theirs."""

import abc
import logging

import numpy as np
import pytest

import cinta as tf
from cinta.as_tensorflow import absent, internal_names, type_specs
from cinta.as_tensorflow.composite_tensors import CompositeTensor, is_composite_tensor
from cinta.programs.composite_specs import VariableSpec


class LineSpec(type_specs.BatchableTypeSpec):
    def __init__(self, slope, offset, label):
        self.slope, self.offset, self.label = slope, offset, label

    value_type = property(lambda self: Line)
    _component_specs = property(lambda self: {"slope": self.slope, "offset": self.offset})

    def _serialize(self):
        return self.slope, self.offset, self.label

    def _to_components(self, value):
        return {"slope": value.slope, "offset": value.offset}

    def _from_components(self, components):
        return Line(components["slope"], components["offset"], self.label)


class Line(tf.Module, CompositeTensor, metaclass=abc.ABCMeta):
    """As libraries have them: a module, an abstract class and a value made of tensors in one."""

    def __init__(self, slope, offset, label="line"):
        super().__init__()
        self.slope, self.offset, self.label = slope, offset, label

    @property
    def _type_spec(self):
        return LineSpec(spec(self.slope), spec(self.offset), self.label)


def spec(value):
    if isinstance(value, tf.Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    return tf.TensorSpec.from_tensor(value)


def line(slope=2.0, offset=1.0, **options):
    return Line(tf.constant(slope), tf.constant(offset), **options)


def test_functions_take_and_return_them():
    @tf.function
    def turned(x, at):
        return Line(-x.slope, x.offset, x.label), x.slope * at + x.offset

    for slope in 2.0, 3.0, 4.0:
        found, y = turned(line(slope), tf.constant(10.0))
        assert (float(found.slope), float(found.offset), float(y)) == (-slope, 1, 10 * slope + 1)
    assert turned.report().replays == 2
    assert turned(line(label="other"), tf.constant(1.0))[0].label == "other"
    assert turned.report().replays == 2


def test_functions_tell_variables_in_them_apart():
    at = tf.function(lambda x: x.slope * 2.0 + x.offset)
    for start in 1.0, 5.0:
        v = tf.Variable(start)
        x = Line(v, tf.constant(0.0))
        assert float(at(x)) == 2 * start
        v.assign(7.0)
        assert float(at(x)) == 14


def test_nest_takes_them_and_their_specs_apart():
    x = line()
    assert tf.nest.flatten(x) == [x]
    offset, slope = tf.nest.flatten(x, expand_composites=True)
    assert (float(offset), float(slope)) == (1, 2)
    made = tf.nest.map_structure(lambda part: part * 10.0, x, expand_composites=True)
    assert (float(made.slope), float(made.offset), made.label) == (20, 10, "line")
    of_tensor = tf.TensorSpec([])
    assert tf.nest.flatten(x._type_spec, expand_composites=True) == [of_tensor, of_tensor]
    packed = tf.nest.pack_sequence_as(
        x._type_spec, [tf.constant(3.0), tf.constant(4.0)], expand_composites=True
    )
    assert (float(packed.offset), float(packed.slope)) == (3, 4)


def test_gradients_have_their_form():
    x = line()
    with tf.GradientTape() as tape:
        tape.watch([x.slope, x.offset])
        y = x.slope**2
    found = tape.gradient(y, x)
    assert (float(found.slope), float(found.offset)) == (4, 0)


def test_own_values_of_tensors_count_as_such():
    own = tf.ragged.constant([[1], []]), tf.sparse.eye(2), tf.IndexedSlices(tf.ones([1]), [0])
    assert all(is_composite_tensor(value) for value in (*own, line()))
    assert not any(is_composite_tensor(value) for value in (tf.constant(1.0), [], Line))
    assert not issubclass(tf.SparseTensor, Line)


def test_specs_compare_by_their_parts():
    one, other = line()._type_spec, line(5.0)._type_spec
    assert one == other
    assert hash(one) == hash(other)
    assert one != line(label="other")._type_spec
    together = LineSpec._TypeSpec__is_compatible
    assert together((tf.TensorSpec([None]), 1), (tf.TensorSpec([2]), 1))
    assert not together((tf.TensorSpec([None]), 1), (tf.TensorSpec([2]), 2))
    assert not together((1, 2), (1,))
    assert isinstance(tf.TensorSpec([]), type_specs.DenseSpec)
    assert not isinstance(one, type_specs.DenseSpec)


def test_specs_are_registered_by_names_once():
    type_specs.register("tests.LineSpec")(LineSpec)
    assert type_specs.lookup("tests.LineSpec") is LineSpec
    for name, kind, said in (
        ("tests.Other", LineSpec, "already been registered with name tests.LineSpec"),
        ("tests.LineSpec", type("Other", (tf.TypeSpec,), {}), "already been registered for class"),
        ("no_project", type("Third", (tf.TypeSpec,), {}), "must have the form"),
    ):
        with pytest.raises(ValueError, match=said):
            type_specs.register(name)(kind)
    with pytest.raises(TypeError, match="TypeSpec"):
        type_specs.register("tests.NoSpec")(int)
    with pytest.raises(ValueError, match="No TypeSpec"):
        type_specs.lookup("tests.never")
    with pytest.raises(ValueError, match="has not been registered"):
        type_specs.get_name(tf.TensorSpec)


# -- names beside them ---------------------------------------------------------------------------


def test_helpers_of_libraries_compute():
    stacked = internal_names.pfor(lambda i: tf.cast(i, tf.float32) ** 2, 4)
    np.testing.assert_array_equal(stacked, [0, 1, 4, 9])
    case = internal_names._case_helper
    assert case(None, [(False, lambda: 1), (True, lambda: 2)], None, False, None) == 2
    assert case(None, {False: lambda: 1}, lambda: 3, False, None) == 3
    shape = internal_names.constant_value_as_shape
    assert shape(tf.constant([2, -1])).as_list() == [2, None]
    assert shape(tf.constant(-1)).rank is None
    drawn = internal_names.parameterized_truncated_normal([100], 1.0, 1.0, 0.5, 2.0, seed=3)
    assert 0.5 <= float(tf.reduce_min(drawn)) < float(tf.reduce_max(drawn)) <= 2.0
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = internal_names.prevent_gradient(x * 1.0, message="not here")
        assert internal_names.should_record_backprop([y])
    with pytest.raises(LookupError, match="not here"):
        tape.gradient(y, x)
    assert not internal_names.should_record_backprop([tf.constant(1.0)])


def test_variables_are_replaced_by_their_values():
    class Held(Line):
        def _convert_variables_to_tensors(self):
            return Line(*internal_names.convert_variables_to_tensors([self.slope, self.offset]))

    values = internal_names.convert_variables_to_tensors
    v, x = tf.Variable(2.0), line()
    found = values({"v": v, "held": Held(v, tf.constant(1.0)), "x": x, "n": 3})
    assert isinstance(found["v"], tf.Tensor)
    assert isinstance(found["held"].slope, tf.Tensor)
    assert (found["x"], found["n"]) == (x, 3)


def test_operators_and_concrete_functions_have_what_libraries_call():
    operator = tf.linalg.LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 3.0]])
    np.testing.assert_array_equal(operator._get_diag(), [2, 3])
    concrete = tf.function(lambda x: x + 1.0).get_concrete_function(tf.TensorSpec([]))
    assert concrete.add_to_graph() is None
    assert concrete.add_gradient_functions_to_graph() is None
    sign, logarithm = found = tf.linalg.slogdet([[-2.0]])
    assert (found.sign, found.log_abs_determinant) == (sign, logarithm)
    factors, order = found = tf.linalg.lu([[2.0]])
    assert (found.lu, found.p) == (factors, order)
    for matrix in ([[2.0]], [[2.0, 1.0]]):
        q, r = found = tf.linalg.qr(matrix)
        assert (found.q, found.r) == (q, r)


def test_absent_tools_can_be_derived_from_and_not_used():
    base = absent.absent("tensorflow.python.autograph.pyct", "transformer").Base

    class Mine(base):
        pass

    with pytest.raises(NotImplementedError, match=r"autograph\.pyct\.transformer\.Base"):
        Mine()


def test_lists_of_operators_and_of_ignored_attributes():
    class Own(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = tf.Module._TF_MODULE_IGNORED_PROPERTIES.union(["hidden"])

    module = Own()
    module.hidden, module.shown = tf.Variable(1.0), tf.Variable(2.0)
    assert [float(v) for v in module.variables] == [2.0]
    assert {"__add__", "__getitem__"} <= tf.Tensor.OVERLOADABLE_OPERATORS
    assert all(hasattr(tf.Tensor, name) for name in tf.Tensor.OVERLOADABLE_OPERATORS)
    assert tf.constant(1.0).__nonzero__()
    assert tf.Variable(1.0).initializer is None


# -- TensorFlow 1 --------------------------------------------------------------------------------


def test_variables_get_names_and_settings_from_scopes():
    v1 = tf.compat.v1
    with v1.variable_scope("outer", initializer=tf.ones_initializer()) as outer:
        with v1.variable_scope(None, default_name="inner"):
            w = v1.get_variable("w", [2])
        n = v1.get_variable("n", initializer=3)
    assert (w.name, n.name) == ("outer/inner/w:0", "outer/n:0")
    np.testing.assert_array_equal(w, [1, 1])
    assert int(n) == 3
    with v1.variable_scope(outer):
        assert v1.get_variable_scope().name == "outer"
    assert v1.get_variable_scope().name == ""
    assert v1.get_variable_scope().caching_device is None
    assert v1.get_variable("i", [1], tf.int32).numpy() == [0]
    with v1.variable_scope("outer", reuse=True), pytest.raises(ValueError, match="Keep the var"):
        v1.get_variable("w", [2])
    with pytest.raises(ValueError, match="default_name"), v1.variable_scope(None):
        pass
    with pytest.raises(tf.errors.UnimplementedError, match="loss"):
        v1.get_variable("w", [2], regularizer=abs)


def test_what_version_1_feeds_has_a_value_already():
    v1 = tf.compat.v1
    assert v1.placeholder_with_default([1.0], [None]).numpy() == [1]
    with pytest.raises(ValueError, match="incompatible"):
        v1.placeholder_with_default([1.0], [2])


def test_logs_of_version_1(caplog):
    log = tf.compat.v1.logging
    before = log.get_verbosity()
    try:
        log.set_verbosity(log.INFO)
        for function in log.debug, log.info, log.warn, log.error, log.fatal:
            function("a %s", function.__name__)
        for step in range(5):
            log.log_every_n(log.INFO, "every %d", 3, step)
            log.log_first_n(log.INFO, "first %d", 2, step)
            log.log_if(log.INFO, "if %d", step == 4, step)
        log.flush()
        with pytest.raises(ValueError, match="'LOUD'; it has to be one of CRITICAL"):
            log.set_verbosity("LOUD")
    finally:
        log.set_verbosity(before)
    said = [record.getMessage() for record in caplog.records]
    assert said[:4] == ["a info", "a warning", "a error", "a fatal"]
    assert said[4:] == ["every 0", "first 0", "first 1", "every 3", "if 4"]
    assert {record.filename for record in caplog.records} == {"test_composite_tensors.py"}
    assert logging.WARNING == log.WARN
