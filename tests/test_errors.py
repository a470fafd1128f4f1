"""The error family: names, codes, messages."""

import copy
import pickle

import pytest

import cinta as tf
from cinta import errors

CODES = {
    "CancelledError": 1,
    "UnknownError": 2,
    "InvalidArgumentError": 3,
    "DeadlineExceededError": 4,
    "NotFoundError": 5,
    "AlreadyExistsError": 6,
    "PermissionDeniedError": 7,
    "ResourceExhaustedError": 8,
    "FailedPreconditionError": 9,
    "AbortedError": 10,
    "OutOfRangeError": 11,
    "UnimplementedError": 12,
    "InternalError": 13,
    "UnavailableError": 14,
    "DataLossError": 15,
    "UnauthenticatedError": 16,
}


def test_the_family_is_complete():
    family = {error.__name__: error.error_code for error in errors.OpError.__subclasses__()}
    assert family == CODES


def test_constants_are_the_codes():
    constants = {name: value for name, value in vars(errors).items() if name.isupper()}
    assert constants.pop("OK") == 0
    spelled = {name.replace("_", "").lower() + "error": value for name, value in constants.items()}
    assert spelled == {name.lower(): code for name, code in CODES.items()}


@pytest.mark.parametrize("name", CODES)
def test_raised_with_a_message(name):
    error = getattr(errors, name)("what went wrong")
    assert isinstance(error, errors.OpError)
    assert not isinstance(error, (ValueError, TypeError))
    assert str(error) == error.message == "what went wrong"
    assert error.op is None
    assert error.node_def is None


def test_tensorflow_form():
    error = errors.NotFoundError("node", "op", "message")
    assert (error.node_def, error.op, error.message) == ("node", "op", "message")
    assert str(error) == "message"


@pytest.mark.parametrize("arguments", [(), (None, "message")])
def test_other_forms_are_refused(arguments):
    with pytest.raises(TypeError, match="takes a message, or"):
        errors.InternalError(*arguments)


def test_pickle_and_copy_keep_everything():
    error = errors.DataLossError(None, None, "lost")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is errors.DataLossError
        assert again.message == "lost"


def test_users_may_derive():
    class MyError(errors.AbortedError):
        pass

    assert MyError("again").error_code == errors.ABORTED


def test_a_code_may_stand_behind_the_message():
    error = errors.NotFoundError(None, None, "message", 3, "more")
    assert (error.message, error.error_code, str(error)) == ("message", 5, "message")
    error = errors.OpError(None, None, "message", 8)
    assert (error.message, error.error_code) == ("message", 8)


def test_an_error_in_a_layer_says_what_is_wrong():
    layer = tf.keras.layers.Lambda(lambda x: x @ tf.ones([5, 3]))
    with pytest.raises(errors.InvalidArgumentError, match="has 4 columns, the second 5 rows"):
        layer(tf.ones([2, 4]))


def test_errors_take_names_of_arguments():
    error = tf.errors.NotFoundError(node_def=None, op="an op", message="gone")
    assert (error.op, error.message, str(error), error.experimental_payloads) == (
        "an op",
        "gone",
        "gone",
        {},
    )
    assert tf.errors.NotFoundError(None, None, message="gone").message == "gone"
    assert tf.errors.OpError(None, None, "odd", error_code=7).error_code == 7
    for args, named in (((), {"op": 1}), (("x",), {"node_def": 1}), ((), {"text": "x"})):
        with pytest.raises(TypeError, match="takes a message"):
            tf.errors.NotFoundError(*args, **named)
