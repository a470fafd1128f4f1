"""The exceptions that ops raise, named and numbered as in TensorFlow.

    Exception
    └── OpError
        ├── CancelledError             1    ├── AbortedError              10
        ├── UnknownError               2    ├── OutOfRangeError           11
        ├── InvalidArgumentError       3    ├── UnimplementedError        12
        ├── DeadlineExceededError      4    ├── InternalError             13
        ├── NotFoundError              5    ├── UnavailableError          14
        ├── AlreadyExistsError         6    ├── DataLossError             15
        ├── PermissionDeniedError      7    └── UnauthenticatedError      16
        ├── ResourceExhaustedError     8
        └── FailedPreconditionError    9

None of them is a `ValueError`: catch `OpError`, or the one that you expect.

>>> try:
...     raise InvalidArgumentError("Incompatible shapes: [2] vs. [3]")
... except OpError as error:
...     print(type(error).__name__, error.error_code, error)
InvalidArgumentError 3 Incompatible shapes: [2] vs. [3]
"""

from __future__ import annotations

from typing import Any

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """An op could not do its work. `error_code` says in which way, `message` says why.

    Built from the message alone, or in TensorFlow's form `(node_def, op, message, ...)`; there are
    no graph nodes here, so the first two are only kept. An `OpError` itself may have a code behind
    the message; what else stands there means nothing. Two arguments, or none, are a TypeError. All
    may be given by name.

    >>> import cinta as tf
    >>> try:
    ...     tf.matmul([[1.0]], [[1.0], [2.0]])
    ... except tf.errors.OpError as error:
    ...     print(type(error).__name__, error.error_code == tf.errors.INVALID_ARGUMENT)
    InvalidArgumentError True
    """

    error_code: int = UNKNOWN

    def __init__(self, *args: Any, **named: Any) -> None:
        if named:
            args = _in_order(type(self).__name__, args, named)
        if len(args) in (0, 2):
            raise TypeError(
                f"{type(self).__name__} takes a message, or (node_def, op, message); "
                f"got {len(args)} arguments."
            )
        super().__init__(*args)
        self.node_def, self.op = args[:2] if len(args) > 2 else (None, None)
        self.message = str(args[0] if len(args) == 1 else args[2])
        if type(self) is OpError and len(args) > 3:
            self.error_code = args[3]

    def __str__(self) -> str:
        return self.message

    @property
    def experimental_payloads(self) -> dict[bytes, bytes]:
        """More facts about the error, of which there are none."""
        return {}


_names_in_order = ("node_def", "op", "message", "error_code")


def _in_order(error: str, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments in TensorFlow's order."""
    given = dict(zip(_names_in_order, args, strict=False))
    twice, unknown = given.keys() & named.keys(), named.keys() - {*_names_in_order}
    if twice or unknown or "message" not in given | named:
        raise TypeError(
            f"{error} takes a message, or (node_def, op, message); got {len(args)} arguments and "
            f"{', '.join(sorted(named))} by name."
        )
    given |= named
    code = (given["error_code"],) if "error_code" in given else ()
    return given.get("node_def"), given.get("op"), given["message"], *code


class CancelledError(OpError):
    """The work was called off.

    >>> import cinta as tf
    >>> queue = tf.queue.FIFOQueue(3, tf.int32)
    >>> queue.close()
    >>> try:
    ...     queue.enqueue(1)
    ... except tf.errors.CancelledError as error:
    ...     print(error)
    FIFOQueue 'fifo_queue' is closed.
    """

    error_code = CANCELLED


class UnknownError(OpError):
    """The cause is not known, or TensorFlow does not name it; layouts of dtensor raise it.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.UnknownError("the sensor does not answer")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    2 the sensor does not answer
    """

    error_code = UNKNOWN


class InvalidArgumentError(OpError):
    """An input cannot be right, whatever the state of the program: a shape, a dtype, a value.

    >>> import cinta as tf
    >>> try:
    ...     tf.reshape([1, 2, 3], [2, 2])
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error)
    Input to reshape is a tensor with 3 values, but the requested shape has 4: [2,2] [Op:Reshape]
    """

    error_code = INVALID_ARGUMENT


class DeadlineExceededError(OpError):
    """The time allowed ran out, as for a replica that waits for another one.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.DeadlineExceededError("no answer within 30 s")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    4 no answer within 30 s
    """

    error_code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """A file, a checkpoint entry or a resource is not there.

    >>> import cinta as tf
    >>> try:
    ...     tf.io.read_file("missing.txt")
    ... except tf.errors.NotFoundError as error:
    ...     print(error)
    missing.txt; No such file or directory [Op:ReadFile]
    """

    error_code = NOT_FOUND


class AlreadyExistsError(OpError):
    """The thing to be created exists already.

    >>> import tempfile
    >>> import cinta as tf
    >>> try:
    ...     tf.io.gfile.makedirs(tempfile.mkstemp()[1])  # a file is there
    ... except tf.errors.AlreadyExistsError as error:
    ...     print(error.error_code)
    6
    """

    error_code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """The caller may not do this, such as reading a file of somebody else.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.PermissionDeniedError("/root/secret.txt; Permission denied")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    7 /root/secret.txt; Permission denied
    """

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """Memory, disk or another limited resource is used up.

    >>> import cinta as tf
    >>> try:
    ...     tf.sequence_mask(2**40)
    ... except tf.errors.ResourceExhaustedError as error:
    ...     print(str(error)[:15])
    OOM when alloca
    """

    error_code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """The program is not in the state that the op needs.

    >>> import cinta as tf
    >>> rows = tf.lookup.KeyValueTensorInitializer(["a", "a"], [1, 2])
    >>> try:
    ...     tf.lookup.StaticHashTable(rows, 0)
    ... except tf.errors.FailedPreconditionError as error:
    ...     print(error)
    HashTable has different value for same key. Key b'a' has 1 and trying to add value 2.
    """

    error_code = FAILED_PRECONDITION


class AbortedError(OpError):
    """Another actor got in the way; trying again may help. No op raises it here.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.AbortedError("the other process has gone")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    10 the other process has gone
    """

    error_code = ABORTED


class OutOfRangeError(OpError):
    """A sequence was read beyond its end.

    A ``for`` loop over a dataset ends by itself; this is for calls of ``get_next``.

    >>> import cinta as tf
    >>> try:
    ...     iter(tf.data.Dataset.range(0)).get_next()
    ... except tf.errors.OutOfRangeError as error:
    ...     print(error)
    End of sequence [Op:IteratorGetNext]
    """

    error_code = OUT_OF_RANGE


class EndOfSequence(OutOfRangeError, StopIteration):
    """An iterator over a dataset has no more elements: loops of Python end, and TensorFlow's
    programs catch an OutOfRangeError.
    """

    def __init__(self) -> None:
        super().__init__("End of sequence [Op:IteratorGetNext]")


class UnimplementedError(OpError):
    """The op has no kernel for these inputs.

    >>> import cinta as tf
    >>> try:
    ...     tf.cast("1", tf.int32)
    ... except tf.errors.UnimplementedError as error:
    ...     print(error.error_code)
    12
    """

    error_code = UNIMPLEMENTED


class InternalError(OpError):
    """An invariant that must hold does not: a fault of the library, which deserves a report.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.InternalError("a step came before its input")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    13 a step came before its input
    """

    error_code = INTERNAL


class UnavailableError(OpError):
    """A service cannot be reached now, such as another process of the cluster.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.UnavailableError("worker 1 does not listen")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    14 worker 1 does not listen
    """

    error_code = UNAVAILABLE


class DataLossError(OpError):
    """Stored data is damaged.

    >>> import pathlib, tempfile
    >>> import cinta as tf
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "text.tfrecord"
    >>> _ = path.write_text("This is not a file of records.")
    >>> try:
    ...     next(iter(tf.data.TFRecordDataset(str(path))))
    ... except tf.errors.DataLossError as error:
    ...     print(str(error)[:21])
    corrupted record at 0
    """

    error_code = DATA_LOSS


class UnauthenticatedError(OpError):
    """The caller is not authenticated. No op raises it here; it has TensorFlow's number.

    >>> import cinta as tf
    >>> try:
    ...     raise tf.errors.UnauthenticatedError("who are you?")
    ... except tf.errors.OpError as error:
    ...     print(error.error_code, error.message)
    16 who are you?
    """

    error_code = UNAUTHENTICATED


class OperatorNotAllowedInGraphError(TypeError):
    """An operator of Python met a tensor without a value. Nothing raises it: tensors have values.

    >>> import cinta as tf
    >>> try:
    ...     print([int(x) for x in tf.constant([1, 2])])
    ... except tf.errors.OperatorNotAllowedInGraphError:
    ...     print("not here")
    [1, 2]
    """


def out_of_memory(op: str, shape: object, error: Exception) -> OpError:
    """The error to raise if NumPy could not allocate an array of this shape."""
    if isinstance(error, MemoryError):
        text = f"OOM when allocating tensor with shape {shape}: {error} [Op:{op}]"
        return ResourceExhaustedError(text)
    return InvalidArgumentError(f"There are no tensors of shape {shape}: {error} [Op:{op}]")


def __dir__() -> list[str]:
    """The exceptions and their codes."""
    return [name for name in globals() if name[0].isupper() and name != "Any"]
