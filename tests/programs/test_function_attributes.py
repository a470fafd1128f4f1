"""Attributes of functions and concrete functions, and their refusals."""

import gc
import weakref

import numpy as np
import pytest

import cinta as tf

SPEC = tf.TensorSpec([2], tf.float32)


def scaling():
    v, u = tf.Variable(2.0, name="v"), tf.Variable(1.0, trainable=False)

    @tf.function
    def f(x, k=3, *, d=None):
        return {"a": x * v, "b": [x, u * k]}

    concrete = f.get_concrete_function(SPEC, d={"q": tf.TensorSpec([], tf.int32)})
    return f, concrete, v, u


def test_what_a_concrete_function_tells():
    f, concrete, v, u = scaling()
    assert [x.name for x in concrete.inputs[:2]] == ["x:0", "d_q:0"]
    assert [x.dtype for x in concrete.inputs] == [tf.float32, tf.int32, tf.resource, tf.resource]
    assert [(x.shape, x.dtype) for x in concrete.outputs] == [
        ([2], tf.float32),
        ([2], tf.float32),
        ([], tf.float32),
    ]
    assert concrete.output_shapes == {"a": [2], "b": [[2], []]}
    assert concrete.output_dtypes == {"a": tf.float32, "b": [tf.float32, tf.float32]}
    assert concrete.structured_outputs["b"][1] is concrete.outputs[2]
    assert [*map(id, concrete.variables)] == [id(v), id(u)]
    assert [*map(id, concrete.trainable_variables)] == [id(v)]
    assert [*map(id, concrete.captured_inputs)] == [id(v), id(u)]
    assert concrete.inference_fn is concrete
    assert f.experimental_get_tracing_count() == 0


def test_signatures_that_are_printed():
    _, concrete, v, u = scaling()
    handle = "TensorSpec(shape=(), dtype=tf.resource, name=None)"
    assert concrete.pretty_printed_signature().splitlines() == [
        "Input Parameters:",
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(2,), dtype=tf.float32, name=None)",
        "  k (POSITIONAL_OR_KEYWORD): Literal[3]",
        "  d (KEYWORD_ONLY): Dict[['q', TensorSpec(shape=(), dtype=tf.int32, name=None)]]",
        "Output Type:",
        "  Dict[['a', TensorSpec(shape=(2,), dtype=tf.float32, name=None)], ['b', List["
        "TensorSpec(shape=(2,), dtype=tf.float32, name=None), "
        "TensorSpec(shape=(), dtype=tf.float32, name=None)]]]",
        "Captures:",
        f"  {id(v)}: {handle}",
        f"  {id(u)}: {handle}",
    ]
    assert str(concrete) == f"ConcreteFunction {concrete.pretty_printed_signature()}"
    line, x = str(concrete.function_type), "TensorSpec(shape=(2,), dtype=tf.float32, name=None)"
    assert line.startswith(f"(x: {x}, k: Literal[3], *, d: Dict[")
    assert repr(concrete) == f"<ConcreteFunction {line} at {id(concrete):#x}>"


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ((1, "a"), "Tuple[Literal[1], Literal['a']]"),
        ([True, None], "List[Literal[True], Literal[None]]"),
        ({"a": 1.5}, "Dict[['a', Literal[1.5]]]"),
        (tf.sparse.eye(2), "SparseTensorSpec(TensorShape([2, 2]), tf.float32)"),
        (np.float32(1), "TensorSpec(shape=(), dtype=tf.float32, name=None)"),
    ],
)
def test_types_of_arguments(argument, text):
    concrete = tf.function(lambda x: None).get_concrete_function(argument)
    assert str(concrete.function_type) == f"(x: {text}) -> Literal[None]"


def test_sizes_that_are_not_known_are_not_known_of_results():
    f = tf.function(lambda x, y: (tf.transpose(x), tf.reduce_sum(x), x @ y))
    concrete = f.get_concrete_function(tf.TensorSpec([None, 4]), tf.TensorSpec([4, 2]))
    assert [x.as_list() for x in concrete.output_shapes] == [[4, None], [], [None, 2]]
    square = tf.function(lambda x: x**2).get_concrete_function(tf.TensorSpec(None))
    assert square.output_shapes.rank is None


def test_a_graph_that_can_be_read():
    _, concrete, _, _ = scaling()
    graph = concrete.graph
    nodes = graph.as_graph_def().node
    assert [(n.name, n.op, n.input) for n in nodes if n.name in ("x", "mul", "mul/y")] == [
        ("x", "Placeholder", []),
        ("mul", "Mul", ["x", "ReadVariableOp"]),
        ("mul/y", "Const", []),
    ]
    assert len({n.name for n in nodes}) == len(nodes)
    assert str(graph.as_graph_def()).startswith('node {\n  name: "x"\n  op: "Placeholder"\n}\n')
    operation = graph.get_operation_by_name("mul")
    assert (operation.type, operation.inputs[0].name) == ("Mul", "x:0")
    assert repr(operation) == "<tf.Operation 'mul' type=Mul>"
    tensor = graph.get_tensor_by_name("mul:0")
    assert (tensor.op, tensor.graph) == (operation, graph)
    assert repr(tensor) == "<tf.Tensor 'mul:0' shape=(2,) dtype=float32>"
    assert str(tensor) == 'Tensor("mul:0", shape=(2,), dtype=float32)'
    for name in "none", "mul:1", "mul:x":
        with pytest.raises(KeyError, match="refers to a"):
            graph.get_tensor_by_name(name)


def test_a_concrete_function_is_made_once_for_the_same_arguments():
    f, concrete, _, _ = scaling()
    same = f.get_concrete_function(SPEC, d={"q": tf.TensorSpec([], tf.int32)})
    assert same is concrete
    assert f.get_concrete_function(tf.ones(2), d={"q": tf.constant(1)}) is concrete
    assert f.get_concrete_function(SPEC, 4) is not f.get_concrete_function(SPEC, 4.0)
    assert f.get_concrete_function(tf.TensorSpec([3])) is not f.get_concrete_function(SPEC)


def test_objects_need_not_be_given_again():
    class Settings:
        factor = 2.0

    first, second = Settings(), Settings()
    f = tf.function(lambda settings, x: settings.factor * x)
    concrete = f.get_concrete_function(first, tf.constant(1.0))
    assert float(concrete(tf.constant(3.0))) == 6.0
    assert f.get_concrete_function(first, tf.constant(1.0)) is concrete
    assert f.get_concrete_function(second, tf.constant(1.0)) is not concrete


def test_concrete_functions_of_methods_keep_no_object():
    class Doubling:
        @tf.function
        def call(self, x):
            return 2 * x

    it = Doubling()
    assert it.call.get_concrete_function(SPEC).output_shapes == [2]
    kept = it.call.get_concrete_function(SPEC)
    assert it.call.get_concrete_function(SPEC) is kept
    alive = weakref.ref(it)
    del it, kept
    gc.collect()
    assert alive() is None


def test_signatures_of_all_recordings():
    double = tf.function(lambda x: x + x)
    assert double.pretty_printed_concrete_signatures() == ""
    for x in tf.constant(1), tf.constant("a"), tf.constant("b"), [1, 2]:
        double(x)
    double.get_concrete_function(tf.TensorSpec([None]))
    types = double.pretty_printed_concrete_signatures(verbose=False).split("\n\n")
    assert [text.partition(" -> ")[0] for text in types] == [
        "<lambda>(x: TensorSpec(shape=(), dtype=tf.int32, name=None))",
        "<lambda>(x: TensorSpec(shape=(), dtype=tf.string, name=None))",
        "<lambda>(x: List[Literal[1], Literal[2]])",
        "<lambda>(x: TensorSpec(shape=(None,), dtype=tf.float32, name=None))",
    ]


# -- types of user classes -------------------------------------------------------------------------


class FactorType(tf.types.experimental.TraceType):
    def __init__(self, factor):
        self.factor = factor

    def is_subtype_of(self, other):
        return self == other

    def most_specific_common_supertype(self, others):
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context):
        return Factor(self.factor)

    def __eq__(self, other):
        return isinstance(other, FactorType) and self.factor == other.factor

    def __hash__(self):
        return hash(self.factor)


class Factor:
    __hash__ = None  # of no account: the type is what counts

    def __init__(self, factor):
        self.factor = factor

    def __tf_tracing_type__(self, context):
        return FactorType(self.factor)


def test_arguments_of_equal_types_share_a_recording():
    f = tf.function(lambda a, x: a.factor * x)
    for factor in 2.0, 3.0, 2.0, 3.0:
        assert float(f(Factor(factor), tf.constant(1.0))) == factor
    assert f.experimental_get_tracing_count() == 2
    assert isinstance(Factor(1.0), tf.types.experimental.SupportsTracingProtocol)
    with pytest.raises(TypeError, match="abstract"):
        tf.types.experimental.TraceType()


def test_types_of_functions():
    f = tf.function(lambda x: x)
    kinds = tf.types.experimental
    assert isinstance(f, kinds.GenericFunction)
    assert isinstance(f, kinds.PolymorphicFunction)
    concrete = f.get_concrete_function(SPEC)
    assert isinstance(concrete, kinds.ConcreteFunction)
    assert isinstance(concrete.function_type, kinds.FunctionType)


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("argument", [{1, 2}, [1, {2}]])
def test_arguments_that_cannot_be_told_apart(argument):
    with pytest.raises(TypeError, match="Could not generate a generic TraceType"):
        tf.function(lambda x: None)(argument)


def test_variables_made_at_each_call():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        return tf.Variable(1.0) + x

    for _ in range(2):
        with pytest.raises(ValueError, match="only supports singleton"):
            f(1.0)
    assert float(v) == 0.0


def test_variables_made_at_the_first_call_alone():
    kept = {}

    @tf.function
    def f(x, name):
        if name not in kept:
            kept[name] = tf.Variable(2.0)
        return kept[name] * x

    assert [float(f(tf.constant(3.0), "a")) for _ in range(3)] == [6.0, 6.0, 6.0]
    with pytest.raises(ValueError, match="only supports singleton"):
        f(tf.constant(3.0), "b")


def test_variables_made_in_a_branch_that_a_later_call_takes_first(recwarn):
    kept, count = [], tf.Variable(0)

    def make():
        if not kept:
            kept.append(tf.Variable(1.0))
        return kept[0].assign_add(1.0)

    @tf.function
    def f():
        return tf.cond(count.assign_add(1) % 3 == 0, make, lambda: tf.constant(0.0))

    # TensorFlow gives the same
    assert [float(f()) for _ in range(12)] == [0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5]
    assert f.report().replays > 6


def test_variables_made_in_init_scope(recwarn):
    kept = []

    @tf.function
    def f(x):
        with tf.init_scope():
            kept.append(tf.Variable(2.0))
        return kept[-1] * x

    assert [float(f(3.0)) for _ in range(3)] == [6.0] * 3


def test_variables_of_other_objects():
    class Counter:
        count = None

        @tf.function
        def __call__(self):
            if self.count is None:
                self.count = tf.Variable(0)
            return self.count.assign_add(1)

    for counter in Counter(), Counter():
        assert [int(counter()) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("make", [list, lambda x: dict(enumerate(x)), lambda x: ([*x],)])
def test_lists_that_are_given_stay_as_they_are(make):
    v = tf.Variable(0.0)

    @tf.function
    def f(first, items):
        v.assign_add(1.0)
        inner = items[0] if isinstance(items, tuple) else items
        inner.pop(0)
        return tf.constant(len(inner))

    items = make([1, 2])
    for _ in range(3):
        with pytest.raises(ValueError, match=r"f\(first, items\) should not .*modified: items"):
            f(0, items)
    assert (items, float(v)) == (make([1, 2]), 0.0)


# -- more than TensorFlow takes --------------------------------------------------------------------


def test_surroundings_are_changed_at_each_call(recwarn):
    seen = []
    f = tf.function(lambda x: seen.append(1))
    for _ in range(3):
        f(1)
    assert len(seen) == 3


def test_functions_may_call_themselves():
    @tf.function
    def down(n):
        return down(n - 1) if n > 0 else n

    assert int(down(tf.constant(5))) == 0


def test_tensors_that_leak_have_values(recwarn):
    left = {}

    @tf.function
    def f(x):
        left["x"] = x + 1
        return x

    f(tf.constant(1))
    assert int(left["x"]) == 2


def test_errors_of_unused_ops_are_raised():
    @tf.function
    def f(x):
        tf.gather(x, [1])
        return x

    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
            f(tf.constant([0.0]))


# -- code by XLA -----------------------------------------------------------------------------------


def test_stages_of_compilation():
    pytest.importorskip("jax")
    w = tf.Variable([1.0, 2.0])
    f = tf.function(lambda x: x * w + 1.0, jit_compile=True)
    ir = f.experimental_get_compiler_ir(tf.constant([1.0, 2.0]))
    assert ir() == ir(stage="hlo")
    assert "multiply" in ir(stage="hlo")
    assert "stablehlo.add" in ir(stage="stablehlo")
    assert "fusion" in ir(stage="optimized_hlo")
    assert ir(stage="optimized_hlo_dot").startswith("digraph")
    for stage in "hlo", "optimized_hlo", "optimized_hlo_proto", "stablehlo":
        assert type(ir(stage=f"{stage}_serialized")) is bytes
    with pytest.raises(ValueError, match=r"Invalid stage selected: 'none'\. Valid .* 'hlo'"):
        ir(stage="none")
    with pytest.raises(ValueError, match="marked with 'jit_compile=True'"):
        tf.function(lambda x: x).experimental_get_compiler_ir(1.0)


def test_ops_that_xla_lacks_have_no_stages():
    pytest.importorskip("jax")
    f = tf.function(lambda x: tf.math.lbeta(x) + tf.unique(x)[0][0], jit_compile=True)
    with pytest.raises(ValueError, match="XLA lacks it"):
        f.experimental_get_compiler_ir(tf.TensorSpec([2]))("hlo")


def test_a_concrete_function_tells_of_the_variables_that_it_makes():
    class Model(tf.Module):
        w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([3]))
            return x * self.w

    model = Model()
    concrete = model.__call__.get_concrete_function(tf.TensorSpec([None, 3]))
    (variable,) = concrete.variables
    assert model.variables == (variable,)
    assert variable is model.w
    assert concrete(tf.ones([2, 3])).numpy().tolist() == [[1.0, 1.0, 1.0]] * 2
    assert concrete.output_shapes.as_list() == [None, 3]
