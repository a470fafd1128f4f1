"""Saved models: what was saved runs where its Python is not."""

import collections
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import cinta as tf
from cinta.errors import InvalidArgumentError
from tests.saved_model.saving import FLOATS, Network, loaded, module, of_specs, same

# -- objects --------------------------------------------------------------------------------------


def test_a_model_comes_back_with_its_attributes(tmp_path):
    network = Network()
    model = loaded(tmp_path, network)
    assert model.name == "net"
    assert [v.name for v in model.variables] == [v.name for v in network.variables]
    assert len(model.trainable_variables) == 4
    assert model.layers[1] is None  # a function of Python's, which no file can say
    same(model.layers[2].w, network.layers[2].w)


def test_containers_and_plain_values_in_them(tmp_path):
    v = tf.Variable([1.0, 2.0])
    table = {"v": v, 3: "three", "deep": [(v, 2.5), {"none": None}], "t": tf.constant([1, 2])}
    model = loaded(tmp_path, module(table=table, again=v, plain=[1, 2], number=7))
    assert model.table["v"] is model.again
    assert model.table["deep"][0][0] is model.again
    assert model.table["deep"][0][1:] == (2.5,)
    assert model.table[3] == "three"
    same(model.table["t"], [1, 2])
    assert not hasattr(model, "plain")
    assert not hasattr(model, "number")


def test_variables_with_names_that_look_the_same(tmp_path):
    values = {1: tf.Variable(1.0), "1": tf.Variable(2.0), "a/b": tf.Variable(3.0)}
    model = loaded(tmp_path, module(table=values, deep={"a": {"b": tf.Variable(4.0)}}))
    assert {key: float(v) for key, v in model.table.items()} == {1: 1.0, "1": 2.0, "a/b": 3.0}
    assert float(model.deep["a"]["b"]) == 4.0


def test_objects_may_refer_to_each_other_in_circles(tmp_path):
    one = module(v=tf.Variable(1.0))
    one.others = [one, module(back=one)]
    model = loaded(tmp_path, one)
    assert model.others[0] is model
    assert model.others[1].back is model


def test_variables_are_what_they_were(tmp_path):
    v = tf.Variable([1.0], trainable=False, shape=tf.TensorShape([None]), name="mine")
    w = tf.Variable([b"a", b"bc"])
    model = loaded(tmp_path, module(v=v, w=w))
    assert (model.v.name, model.v.trainable, model.v.shape.as_list()) == ("mine:0", False, [None])
    model.v.assign([1.0, 2.0])
    same(model.w, [b"a", b"bc"])


def test_a_generator_goes_on_where_it_was(tmp_path):
    generator = tf.random.Generator.from_seed(5)
    draws = tf.function(lambda: generator.normal([3]), input_signature=[])
    model = loaded(tmp_path, module(generator=generator, draws=draws))
    for _ in range(2):
        same(model.draws(), draws())
    same(model.generator.normal([2]), generator.normal([2]))


def test_what_can_be_saved(tmp_path):
    for thing in (3, [tf.Variable(1.0)], tf.constant(1.0)):
        with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
            tf.saved_model.save(thing, tmp_path)


# -- functions ------------------------------------------------------------------------------------


def test_a_function_runs_for_other_batches_and_changes_state(tmp_path):
    network = Network()
    model = loaded(tmp_path, network)
    for size in (1, 2, 5, 32):
        x = tf.random.stateless_normal([size, 3], [size, 0])
        same(model(x), network(x))
    assert model.calls.numpy() == 4
    assert network.calls.numpy() == 4


def test_calls_that_were_made_can_be_made_again(tmp_path):
    network = Network()
    x, shift = tf.ones([2, 3]), tf.constant(1.0)
    network.scaled(x)
    network.scaled(x, 3, shift=shift)
    model = loaded(tmp_path, network)
    same(model.scaled(x), network.scaled(x))
    same(model.scaled(factor=2, x=x), network.scaled(x))
    same(model.scaled(x.numpy().tolist(), 3, shift=1.0), network.scaled(x, 3, shift=shift))
    for args in ((tf.ones([3, 3]),), (x, 4), (x, 2.0), (tf.ones([2, 3], tf.float64),)):
        with pytest.raises(ValueError, match="Could not find matching concrete function"):
            model.scaled(*args)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        model.scaled(factor=2)


def test_arguments_that_do_not_fit_the_signature(tmp_path):
    model = loaded(tmp_path, Network())
    for x in (tf.ones([2, 4]), tf.ones([2, 3], tf.float64), "text"):
        with pytest.raises(TypeError, match=r"Binding inputs to tf\.function failed"):
            model(x)


def test_structures_of_arguments_and_results(tmp_path):
    Pair = collections.namedtuple("Pair", "left right")

    @tf.function
    def f(pair, rows):
        left, right = pair
        kept = tf.IndexedSlices(rows.values * 2.0, rows.indices, [4, 1])
        return [left["x"] + right], Pair(left["y"], None), kept

    given = ({"x": tf.constant([1.0]), "y": tf.constant([2])}, 3.0)
    rows = tf.IndexedSlices(tf.ones([1, 1]), tf.constant([2]), [4, 1])
    f(given, rows)
    (total,), pair, kept = loaded(tmp_path, module(f=f)).f(given, rows)
    same([total, pair.left], [[4.0], [2]])
    assert pair._fields == ("left", "right")
    assert pair.right is None
    same(tf.convert_to_tensor(kept), [[0.0], [0.0], [2.0], [0.0]])


def test_concrete_functions(tmp_path):
    f = tf.function(lambda x, y, scale: (x + y) * scale)
    spec = tf.TensorSpec([None, 2])
    model = loaded(tmp_path, module(f=f.get_concrete_function(spec, tf.TensorSpec([2]), 3.0)))
    same(model.f(tf.ones([4, 2]), [1.0, 2.0]), f(tf.ones([4, 2]), tf.constant([1.0, 2.0]), 3.0))


def test_functions_in_lists_and_dictionaries(tmp_path):
    double, half = of_specs(([],))(lambda x: x * 2.0), of_specs(([],))(lambda x: x / 2.0)
    model = loaded(tmp_path, module(table={"ways": [double, (half, 1)]}))
    way = model.table["ways"]
    assert [float(way[0](3.0)), float(way[1][0](3.0))] == [6.0, 1.5]


def test_variables_that_a_function_makes_in_its_first_call(tmp_path):
    class Lazy(tf.Module):
        w = None

        @of_specs(([None, 3],))
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([x.shape[-1], 2]))
            return x @ self.w

    model = loaded(tmp_path, Lazy())
    same(model(tf.ones([4, 3])), tf.fill([4, 2], 3.0))
    assert len(model.variables) == 1


def test_options(tmp_path):
    tf.saved_model.save(module(v=tf.Variable([1.0]), s=tf.Variable("text")), tmp_path)
    options = tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)
    model = tf.saved_model.load(tmp_path, options=options)
    same([model.v, model.s], [[0.0], b""])
    with pytest.raises(tf.errors.UnimplementedError, match="function_aliases"):
        tf.saved_model.SaveOptions(function_aliases={"f": None})


def test_a_function_that_was_never_called_has_nothing_to_run(tmp_path):
    model = loaded(tmp_path, module(f=tf.function(lambda x: x)))
    with pytest.raises(ValueError, match="Found zero restored functions"):
        model.f(1.0)


def tracing_count(network):
    return network.__call__.experimental_get_tracing_count()


def test_saving_leaves_no_trace(tmp_path):
    network = Network()
    tf.random.set_seed(3)
    first = tf.random.uniform([2])
    tf.random.set_seed(3)
    before, count = [v.numpy() for v in network.variables], tracing_count(network)
    loaded(tmp_path, network)
    same(network.variables, before)
    same(tf.random.uniform([2]), first)
    assert tracing_count(network) == count


def test_random_numbers_are_drawn_anew(tmp_path):
    drop = tf.function(lambda x: tf.nn.dropout(x, 0.5), input_signature=[FLOATS])
    model = loaded(tmp_path, module(drop=drop))
    tf.random.set_seed(1)
    one, other = model.drop(tf.ones([100])), model.drop(tf.ones([100]))
    assert (one.numpy() != other.numpy()).any()


def test_what_was_loaded_can_be_saved_again(tmp_path):
    network = Network()
    first = loaded(tmp_path, network)
    first.layers[0].b.assign(tf.zeros([4]))
    tf.saved_model.save(first, tmp_path / "again", first.signatures)
    second = tf.saved_model.load(tmp_path / "again")
    x = tf.ones([7, 3])
    same(second(x), first(x))
    same(second.signatures["serving_default"](x), first.signatures["serving_default"](x))


def test_a_variable_outside_of_the_model_is_refused(tmp_path):
    outside = tf.Variable(1.0)
    f = tf.function(lambda x: x * outside, input_signature=[FLOATS])
    with pytest.raises(AssertionError, match="Tried to export a function which references an 'un"):
        loaded(tmp_path, module(f=f))


def test_python_in_a_function_is_refused(tmp_path):
    def f(x):
        return tf.py_function(lambda x: x * 2, [x], tf.float32)

    f = tf.function(f, input_signature=[FLOATS])
    with pytest.raises(ValueError, match=r"tf\.function f cannot be saved: EagerPyFunc calls <fu"):
        loaded(tmp_path, module(f=f))


# -- the ways of Python ----------------------------------------------------------------------------


def test_branches_that_python_took_are_saved(tmp_path):
    @of_specs(([None],))
    def f(x):
        if tf.reduce_sum(x) > 10:
            return x * 100.0
        return x if tf.reduce_sum(x) > 0 else -x

    f(tf.constant([20.0, 1.0]))
    model = loaded(tmp_path, module(f=f))
    for x in ([1.0, 2.0, 3.0], [-1.0, -2.0], [20.0, 1.0], [5.0, 6.0, 7.0]):
        same(model.f(x), f(tf.constant(x)))


def test_numbers_that_python_took_are_saved(tmp_path):
    f = of_specs(([None],))(lambda x: x * float(tf.reduce_sum(x)))
    f(tf.constant([20.0, 1.0]))
    model = loaded(tmp_path, module(f=f))
    same(model.f([20.0, 1.0]), f(tf.constant([20.0, 1.0])))
    with pytest.raises(InvalidArgumentError, match="go another way"):
        model.f([5.0, 6.0])


def test_a_branch_not_taken_changes_nothing(tmp_path):
    state = tf.Variable(0.0)

    @tf.function
    def f(x):
        state.assign_add(1.0)
        return x if float(x) > 0 else -x

    f(tf.constant(1.0))
    model = loaded(tmp_path, module(f=f, state=state))
    with pytest.raises(InvalidArgumentError, match="go another way"):
        model.f(-1.0)
    assert model.state.numpy() == 1.0


# -- gradients ------------------------------------------------------------------------------------


# -- other readers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["numpy", "xla"])
def test_engines(tmp_path, engine):
    network = Network()
    model = loaded(tmp_path, network)
    x = tf.random.stateless_normal([6, 3], [4, 4])
    expected = network(x)
    before = tf.config.get_engine()
    tf.config.set_engine(engine)
    try:
        for _ in range(3):
            np.testing.assert_allclose(model(x), expected, rtol=1e-5)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        assert all(g is not None for g in tape.gradient(loss, model.trainable_variables))
    finally:
        tf.config.set_engine(before)


def test_in_a_function_that_is_recorded(tmp_path):
    model = loaded(tmp_path, Network())

    @tf.function
    def twice(x):
        return model(x), model(x * 2.0)

    x = tf.ones([4, 3])
    expected = [model(x), model(x * 2.0)]
    for _ in range(3):
        same(twice(x), expected)
    assert model.calls.numpy() == 8
    assert twice.experimental_get_tracing_count() == 1


def test_where_the_python_is_not(tmp_path):
    network = Network()
    loaded(tmp_path, network)
    code = f"""
        import cinta as tf
        model = tf.saved_model.load({str(tmp_path / "model")!r})
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(model(tf.ones([3, 3])))
        print(float(y), len(tape.gradient(y, model.trainable_variables)))
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    value, count = result.stdout.split()
    np.testing.assert_allclose(float(value), tf.reduce_sum(network(tf.ones([3, 3]))), rtol=1e-6)
    assert count == "4"


def test_a_fingerprint_tells_models_apart(tmp_path):
    experimental = tf.saved_model.experimental
    module = tf.Module()
    module.v = tf.Variable([1.0, 2.0])
    module.f = tf.function(lambda x: x * module.v, input_signature=[tf.TensorSpec([2])])
    found = []
    for name in ("first", "same", "other values", "other function"):
        if name == "other values":
            module.v.assign([3.0, 4.0])
        if name == "other function":
            module.f = tf.function(lambda x: x + module.v, input_signature=[tf.TensorSpec([2])])
        tf.saved_model.save(module, str(tmp_path / name))
        found.append(experimental.read_fingerprint(str(tmp_path / name)))
    first, same, values, function = found
    assert first == same
    assert first.singleprint() == same.singleprint()
    assert first.graph_def_program_hash == values.graph_def_program_hash
    assert first.checkpoint_hash != values.checkpoint_hash == function.checkpoint_hash
    assert values.graph_def_program_hash != function.graph_def_program_hash
    assert len({each.saved_model_checksum for each in found}) == 3


def test_the_fingerprint_of_a_model_of_tensorflow_is_read_from_its_file(tmp_path):
    from cinta.protobuf.saved_model_messages import FingerprintDef

    experimental = tf.saved_model.experimental
    proto = FingerprintDef(
        saved_model_checksum=1,
        graph_def_program_hash=2**64 - 1,
        signature_def_hash=3,
        saved_object_graph_hash=4,
        checkpoint_hash=5,
    )
    (tmp_path / "fingerprint.pb").write_bytes(proto.SerializeToString())
    found = experimental.read_fingerprint(str(tmp_path))
    assert found == experimental.Fingerprint.from_proto(proto)
    assert found.singleprint() == "18446744073709551615/3/4/5"
    assert found != experimental.Fingerprint(1)
    with pytest.raises(FileNotFoundError, match="SavedModel Fingerprint Error"):
        experimental.read_fingerprint(str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="could not be deserialized"):
        experimental.Fingerprint.from_proto(tf.train.Example())
    with pytest.raises(ValueError, match="needs all numbers"):
        experimental.Fingerprint(1).singleprint()


def test_policies_of_variables_are_taken_by_name():
    policy = tf.saved_model.experimental.VariablePolicy
    assert tf.saved_model.SaveOptions().experimental_variable_policy is policy.NONE
    options = tf.saved_model.SaveOptions(experimental_variable_policy="Save_Variable_Devices")
    assert options.experimental_variable_policy is policy.SAVE_VARIABLE_DEVICES
    with pytest.raises(ValueError, match="invalid VariablePolicy"):
        policy.from_obj(2.0)


def test_calls_with_tensors_that_carry_attributes_are_left_out(tmp_path):
    module = tf.Module()
    module.double = tf.function(lambda x: 2.0 * x)
    marked = tf.constant([1.0, 2.0])
    marked.mark = 3
    module.double(marked)
    module.double(tf.constant([1.0, 2.0, 3.0]))
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.double(tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [2.0, 4.0, 6.0]
    with pytest.raises(ValueError, match="a tensor that a program gave attributes of its own"):
        loaded.double("a")
