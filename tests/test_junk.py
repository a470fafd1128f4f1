"""Junk: whatever stands in place of an argument, the package itself says what is wrong, and soon.

All that is public is called as its docstring shows, with one argument replaced by something that is
not meant for it. The call may work. It may not fail inside NumPy or Python, with an exception that
nobody here has written, or of a kind that TensorFlow does not raise there; warn of what it does
inside; take more than a second, or much memory. And it returns where TensorFlow returns, and raises
where TensorFlow raises, but for the reasons in tests/junk/reasons.py.

The ordinary suite tries a part of all combinations; the mark ``long`` tries them all.
"""

import io
import warnings
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

import cinta as tf
from cinta.engine import parallel, settings
from cinta.summary import writers as summaries
from tests.junk.agreement import Case, Example
from tests.junk.judging import BEFORE, CALL, TooLong, bounded, complaint, outcome
from tests.junk.kinds import JUNK
from tests.junk.reasons import REASONS, reason_of, unexplained
from tests.junk.subjects import chosen, public, subjects
from tests.junk.table import answer

SHARE = 16
"""The ordinary suite tries one in so many."""

OPEN = {
    "tf.config.set_checkpoint_progress": "changes the state of the program",
    "tf.config.set_verbosity": "changes the state of the program",
    "tf.debugging.disable_check_numerics": "changes the state of the program",
    "tf.debugging.enable_check_numerics": "changes the state of the program",
    "tf.debugging.enable_explanations": "changes the state of the program",
    "tf.distribute.experimental_set_strategy": "changes the state of the program",
    "tf.experimental.dtensor.initialize_accelerator_system": "changes the state of the program",
    "tf.distribute.cluster_resolver.SlurmClusterResolver": "asks the environment of a job",
    "tf.distribute.experimental.PreemptionCheckpointHandler": "changes the handler of a signal",
    "tf.experimental.ExtensionType": "a base class, of which none can be made",
    "tf.experimental.BatchableExtensionType": "a base class as well",
    "tf.experimental.dtensor.DVariable": "its methods are those of tf.Variable",
    "tf.experimental.enable_numpy_dispatch": "changes the state of the program",
    "tf.experimental.numpy.experimental_enable_numpy_behavior": "changes the state of the program",
    "tf.install_as_tensorflow": "changes the state of the program",
    "tf.random.set_global_generator": "changes the state of the program",
    "tf.profiler.experimental.start": "changes the state of the program",
    "tf.profiler.experimental.stop": "changes the state of the program",
    "tf.summary.create_file_writer": "makes folders and files where it is told to",
    "tf.summary.experimental.set_step": "changes the state of the program",
    "tf.summary.trace_export": "changes the state of the program",
    "tf.summary.trace_off": "changes the state of the program",
    "tf.summary.trace_on": "changes the state of the program",
    "tf.check_grads": "takes twice as long for every order",
    "tf.train.Coordinator": "waits for ever, and raises errors that it was given",
    "tf.UnconnectedGradients": "Python's own Enum takes the arguments",
    "tf.VariableAggregation": "Python's own Enum takes the arguments",
    "tf.VariableSynchronization": "Python's own Enum takes the arguments",
    "tf.random.Algorithm": "Python's own Enum takes the arguments",
    "tf.distribute.InputReplicationMode": "Python's own Enum takes the arguments",
    "tf.distribute.ReduceOp": "Python's own Enum takes the arguments",
    "tf.distribute.experimental.CollectiveCommunication": "Python's own Enum takes the arguments",
    "tf.distribute.experimental.CommunicationImplementation": "Python's own Enum takes them",
    "tf.data.experimental.AutoShardPolicy": "Python's own Enum takes the arguments",
    "tf.data.experimental.AutotuneAlgorithm": "Python's own Enum takes the arguments",
    "tf.data.experimental.ExternalStatePolicy": "Python's own Enum takes the arguments",
    "tf.autograph.experimental.Feature": "Python's own Enum takes the arguments",
    "tf.saved_model.experimental.VariablePolicy": "Python's own Enum takes the arguments",
    "tf.types.experimental.AtomicFunction": "tf.function makes it",
    "tf.types.experimental.FunctionType": "tf.function makes it",
    "tf.types.experimental.GenericFunction": "tf.function makes it",
    "tf.RegisterGradient": "registers what is given",
    "tf.register_tensor_conversion_function": "registers what is given",
    "tf.test.TestCase": "unittest takes the arguments, and reports differences by AssertionError",
    "tf.test.main": "reads the arguments of the program, and ends it",
}
"""Calls that are not tried, and why."""

WAITING = ("dequeue", "dequeue_many", "dequeue_up_to", "enqueue", "enqueue_many")
"""Methods of queues that wait until another thread gives or takes elements, as they shall."""

WITHOUT_ARGUMENTS = {
    "tf.AggregationMethod",
    "tf.NoneTensorSpec",
    "tf.image.ResizeMethod",
    "tf.lookup.TextFileIndex",
    "tf.train.experimental.PythonState",
    "tf.types.experimental.TraceType",
    "tf.data.experimental.AutotuneOptions",
    "tf.data.experimental.DistributeOptions",
    "tf.data.experimental.OptimizationOptions",
    "tf.distribute.DistributedValues",
    "tf.distribute.experimental.partitioners.Partitioner",
    "tf.types.experimental.Callable",
}
"""Classes that take no arguments, and make nothing that could be tried."""

PIXEL = np.zeros([1, 1, 1], np.uint8)
SPARSE = tf.SparseTensor([[0, 1]], [1.0], [2, 2])

CODES = {source: compile(source, "junk", "eval") for source in JUNK}


@pytest.fixture(autouse=True)
def calls_change_nothing_outside(monkeypatch, tmp_path):
    """Some of the calls change settings or write files, and some of what they are given is good."""
    monkeypatch.chdir(tmp_path)
    for name, value in vars(settings).items():
        if not name.startswith("__"):
            monkeypatch.setattr(settings, name, value)
    before = dict(vars(summaries.state))
    yield
    vars(summaries.state).clear()
    vars(summaries.state).update(before)
    parallel.choose_threads(0)


@pytest.mark.parametrize("name", sorted(set(public()) - set(OPEN)))
def test_junk_is_refused_by_the_package_itself(name):
    assert not complaints(name, SHARE)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(public()) - set(OPEN)))
def test_all_junk_is_refused_by_the_package_itself(name):
    assert not complaints(name, 1)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: tf.constant(10**400, tf.float32)),
        (ValueError, lambda: tf.constant("\ud800")),
        (ValueError, lambda: tf.constant(np.array([object()]), tf.float32)),
        (ValueError, lambda: tf.constant(np.zeros(2, "datetime64[D]"), tf.float32)),
        (ValueError, lambda: tf.zeros([2**70])),
        (TypeError, lambda: tf.linalg.LinearOperatorDiag([1.0]).solve([[1.0]], adjoint=[1, 2])),
        (TypeError, lambda: tf.linalg.LinearOperatorDiag([1.0], is_square=np.zeros(2))),
        (TypeError, lambda: tf.linalg.LinearOperatorAdjoint(3)),
        (TypeError, lambda: tf.linalg.LinearOperatorComposition(3)),
        (TypeError, lambda: tf.train.CheckpointManager(tf.train.Checkpoint(), ".", "two")),
        (TypeError, lambda: tf.data.Dataset.range(3).shuffle(3, seed=[1, 2])),
        (TypeError, lambda: tf.data.Options().merge(3)),
        (TypeError, lambda: tf.TensorShape([2]).with_rank("one")),
        (TypeError, lambda: tf.register_tensor_conversion_function(Example, len, "first")),
        (TypeError, lambda: tf.random_normal_initializer.from_config(3)),
        (ValueError, lambda: tf.GradientTape(persistent=np.zeros(2))),
        (ValueError, lambda: tf.Variable(1.0, aggregation="sum")),
        (ValueError, lambda: tf.Variable(1.0, variable_def=b"")),
        (ValueError, lambda: tf.initializers.HeNormal(seed=1.5)),
        (ValueError, lambda: tf.initializers.Orthogonal(seed="1")),
        (TypeError, lambda: tf.matmul([[1.0]], [[1.0]], grad_a=[1])),
        (TypeError, lambda: tf.linalg.svd([[1.0]], "full", compute_uv=False)),
        (TypeError, lambda: tf.sets.size(tf.sets.union([[1]], [[2]]), validate_indices="no")),
        (TypeError, lambda: tf.math.approx_min_k([1.0, 2.0], 1, recall_target="high")),
        (TypeError, lambda: tf.io.encode_jpeg(PIXEL, xmp_metadata=3)),
        (TypeError, lambda: tf.convert_to_tensor(1, dtype_hint="nonsense")),
        (TypeError, lambda: tf.scatter_nd([[0]], [1], [2], bad_indices_policy=3)),
        (tf.errors.InvalidArgumentError, lambda: tf.shape([1.0], out_type=tf.float32)),
        (
            tf.errors.InvalidArgumentError,
            lambda: tf.tensor_scatter_nd_max([1], [[0]], [4], bad_indices_policy="some"),
        ),
        (tf.errors.InvalidArgumentError, lambda: tf.io.encode_png(PIXEL, compression=10)),
        (TypeError, lambda: tf.Operation(None, "sine", "Sin", 3)),
        (TypeError, lambda: tf.data.Dataset.from_generator(range, tf.int32, args=3)),
        (ValueError, lambda: tf.data.Dataset.from_tensor_slices(tf.data.Dataset.range(2))),
        (TypeError, lambda: tf.random.Generator(copy_from=3)),
        (TypeError, lambda: tf.random.Generator.from_seed(1).skip(np.nan)),
        (TypeError, lambda: tf.experimental.ExtensionTypeSpec()),
        (TypeError, lambda: tf.ragged.stack([[1], [2]], axis="nonsense")),
        (TypeError, lambda: tf.strings.ngrams(["a", "b"], [1, [2]])),
        (TypeError, lambda: tf.DeviceSpec(task=3).replace(nonsense=1)),
        (ValueError, lambda: tf.strings.format("{}", 1, placeholder="")),
        (ValueError, lambda: tf.ragged.row_splits_to_segment_ids([4, 2])),
        (ValueError, lambda: tf.autograph.to_code(object)),
        (ValueError, lambda: tf.experimental.RowPartition.from_uniform_row_length(2, nrows=-1)),
        (tf.errors.OutOfRangeError, lambda: tf.TensorArray(tf.int32, 2).gather([-1])),
        (
            tf.errors.InvalidArgumentError,
            lambda: tf.queue.QueueBase.from_list(-1, [tf.queue.FIFOQueue(1, tf.int32)]),
        ),
        (
            tf.errors.InvalidArgumentError,
            lambda: tf.random.fixed_unigram_candidate_sampler(
                [[0]], 1, 1, False, range_max=2, unigrams=[0.0, 0.0]
            ),
        ),
        (tf.errors.InvalidArgumentError, lambda: tf.bitwise.invert(SPARSE)),
    ],
)
def test_kinds_of_junk(error, call):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.sequence_mask(2**40),
        lambda: tf.dynamic_partition([1.0], [0], 2**40),
        lambda: tf.repeat([1.0, 2.0], [2**40, 1]),
        lambda: tf.TensorArray(tf.float32, 2**45),
        lambda: tf.experimental.RowPartition.from_uniform_row_length(2, nrows=2**45),
        lambda: tf.io.decode_raw(b"a", tf.uint8, fixed_length=2**45),
    ],
)
def test_sizes_beyond_memory_are_refused(call):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
        call()


@pytest.mark.parametrize("reason", REASONS, ids=[each.words for each in REASONS])
def test_every_reason_is_needed(reason):
    wanted = reason.example
    name = wanted.subject if wanted.subject in public() else wanted.subject.rpartition(".")[0]
    subject = next(each for each in subjects(name) if each.name == wanted.subject)
    found = [
        (call, junk)
        for argument, _, call, junk in calls(subject, 1)
        if (subject.named(argument), junk) == (wanted.argument, wanted.junk)
    ]
    assert found, "the example's call does not exist any more: choose another one"
    call, junk = found[0]
    with bounded():
        error, _ = outcome(compile(call, CALL, "eval"), prepared(subject, junk))
    case = Case(*wanted, error, answer(call, junk))
    assert case.differs, "cinta and TensorFlow agree: choose another example, or drop the reason"
    assert reason_of(case) is reason


def test_arrays_with_masks_and_matrices_become_plain_tensors():
    masked = tf.constant(np.ma.array([1.0, 2.0], mask=[True, False]))
    assert type(masked.numpy()) is np.ndarray
    assert masked.numpy().tolist() == [1.0, 2.0]


def test_all_that_is_public_is_tried():
    untried = {name for name in set(public()) - set(OPEN) if not subjects(name)}
    assert untried == WITHOUT_ARGUMENTS
    assert sum(len(subjects(name)) for name in public()) > 1700


def complaints(name, share):
    """Faults in how calls of a public function, or of a class's methods, end."""
    found = []
    with bounded(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for subject in subjects(name):
            if subject.name.startswith("tf.queue.") and subject.name.endswith(WAITING):
                continue
            tf.random.set_seed(1)
            for argument, source, call, junk in calls(subject, share):
                code = compile(call, CALL, "eval")
                error, heard = outcome(code, prepared(subject, junk))
                if isinstance(error, TooLong):  # its modules may have been loaded just now
                    error, heard = outcome(code, prepared(subject, junk))
                case = Case(subject.name, subject.named(argument), junk, error, answer(call, junk))
                wrong = complaint(subject, call, error, heard) or unexplained(case)
                if wrong:
                    found.append(f"{source} {wrong}")
    return found


def calls(subject, share):
    """The calls to try: the argument, the call as it is read and as it is run, and the junk."""
    for argument, call in subject.variants():
        for junk in JUNK:
            if chosen(f"{subject.name} {argument} {junk}", share):
                yield argument, call.replace("JUNK", junk), call, junk
    for what, call in subject.miscounted():
        if chosen(f"{subject.name} {what}", share):
            yield what, call, call, "None"


def prepared(subject, junk):
    """The names that a call needs; all that is made before the call is new."""
    names = {"tf": tf, "np": np}
    exec(compile(subject.before, BEFORE, "exec"), names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names["JUNK"] = eval(CODES[junk], names)
    return names
