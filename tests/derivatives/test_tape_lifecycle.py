"""GradientTape: when it records, and what may be done to it when."""

import copy
import pickle

import pytest

import cinta as tf

ONE_SET = "can only be used to compute one set of gradients"


def squared(x, persistent=False):
    """A tape that has recorded the square of x, and the square."""
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = x * x
    return tape, y


@pytest.fixture
def x():
    return tf.constant(3.0)


# -- making ------------------------------------------------------------------------------------


def test_both_arguments_may_be_positional():
    v = tf.Variable(3.0)
    with tf.GradientTape(True, False) as tape:
        y = v * v
    assert tape.gradient(y, v) is None
    assert tape.gradient(y, v) is None


def test_unknown_arguments_are_refused():
    with pytest.raises(TypeError):
        tf.GradientTape(persist=True)


@pytest.mark.parametrize("persistent", [1, "x", [0]])
def test_persistent_is_taken_by_its_truth(x, persistent):
    tape, y = squared(x, persistent)
    assert [tape.gradient(y, x).numpy() for _ in range(2)] == [6, 6]


def test_is_the_tape_of_autodiff_too():
    assert tf.autodiff.GradientTape is tf.GradientTape


# -- entering and leaving ------------------------------------------------------------------------


def test_records_only_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
    y = x * x
    assert tape.gradient(y, x) is None


def test_records_only_what_comes_after_watch(x):
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
        z = x * 2.0
    assert tape.gradient(y + z, x) is None
    with tape:
        tape.watch(x)
        z = y + x
    assert tape.gradient(z, x).numpy() == 1


def test_watching_twice_is_watching_once(x):
    with tf.GradientTape() as tape:
        assert tape.watch(x) is None
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6


def test_watching_an_intermediate_does_not_cut_the_path(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.watch(y)
        z = y * y
    gradients = tape.gradient(z, [x, y])
    assert [g.numpy() for g in gradients] == [108, 18]


def test_entering_twice_at_once_is_refused_and_the_tape_is_left(x):
    tape = tf.GradientTape()
    with pytest.raises(ValueError, match="Tape is still recording"), tape:
        tape.watch(x)
        y = x * x
        with tape:
            pass
    assert tape.gradient(y, x).numpy() == 6


def test_entering_again_goes_on_with_the_same_recording(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    outside = x * 100.0
    with tape:
        z = y * x + outside
    assert tape.gradient(z, x).numpy() == 27


def test_entering_again_after_the_gradient_starts_anew(x):
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * v
    tape.gradient(y, x)
    with tape:
        assert tape.watched_variables() == ()
        y = x * x * v
    assert [g if g is None else g.numpy() for g in tape.gradient(y, [x, v])] == [None, 9]


def test_leaving_a_tape_that_is_not_on_does_nothing(x):
    tape = tf.GradientTape()
    tape.__exit__(None, None, None)
    tape, y = squared(x)
    tape.__exit__(None, None, None)
    assert tape.gradient(y, x).numpy() == 6


def test_an_exception_leaves_the_tape_and_what_was_recorded(x):
    tape = tf.GradientTape()
    with pytest.raises(KeyError), tape:
        tape.watch(x)
        y = x * x
        raise KeyError
    after = y * x
    assert tape.gradient([y, after], x).numpy() == 6


def test_tapes_may_be_left_in_any_order(x):
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    first.watch(x)
    second.__enter__()
    second.watch(x)
    y = x * x
    first.__exit__(None, None, None)
    z = y * x
    second.__exit__(None, None, None)
    assert first.gradient(z, x) is None
    assert second.gradient(z, x).numpy() == 27


def test_assignment_in_python_makes_no_op(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
    assert tape.gradient(y, x).numpy() == 1


def test_deleting_intermediates_and_variables_changes_nothing(x):
    v = tf.Variable(5.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * v
    del y, v
    assert tape.gradient(z, x).numpy() == 30


# -- using -----------------------------------------------------------------------------------------


def test_a_tape_that_never_was_entered_gives_no_gradient(x):
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match=r"^The tape was never entered"):
        tape.gradient(x, x)


def test_a_tape_gives_one_set_of_gradients(x):
    tape, y = squared(x)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match=ONE_SET):
        tape.gradient(y, x)


def test_a_persistent_tape_gives_as_many_as_one_likes(x):
    tape, y = squared(x, persistent=True)
    assert [tape.gradient(y, s).numpy() for s in (x, y, x)] == [6, 1, 6]


def test_wrong_arguments_do_not_use_up_the_tape(x):
    tape, y = squared(x)
    with pytest.raises(TypeError):
        tape.gradient(None, x)
    with pytest.raises(TypeError):
        tape.gradient(y, None)
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients"):
        tape.gradient(y, x, unconnected_gradients="foo")
    assert tape.gradient(y, x).numpy() == 6


def test_an_error_in_the_middle_breaks_the_tape(x):
    @tf.custom_gradient
    def refuses(x):
        def grad(upstream):
            raise KeyError("the error of the gradient function")

        return x * 1.0, grad

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = refuses(x * x) * 2.0
    with pytest.raises(KeyError, match="the error of the gradient function"):
        tape.gradient(y, x)
    with pytest.raises(tf.errors.InternalError, match="Internal state of the gradient tape"):
        tape.gradient(y, x)


def test_an_error_in_the_middle_does_not_break_a_persistent_tape(x):
    calls = []

    @tf.custom_gradient
    def refuses_once(x):
        def grad(upstream):
            calls.append(upstream)
            if len(calls) == 1:
                raise KeyError
            return upstream

        return x * 1.0, grad

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = refuses_once(x * x)
    with pytest.raises(KeyError):
        tape.gradient(y, x)
    assert tape.gradient(y, x).numpy() == 6


def test_gradient_inside_stops_the_recording(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x).numpy() == 6
        with pytest.raises(RuntimeError, match=ONE_SET):
            tape.gradient(y, x)
        with pytest.raises(AttributeError):
            tape.watch(x)
        with pytest.raises(RuntimeError, match="Trying to stop recording"), tape.stop_recording():
            pass
        with pytest.raises(ValueError, match="Tape is not recording"):
            tape.reset()


def test_a_refused_gradient_inside_stops_the_recording_too(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(TypeError):
            tape.gradient(None, x)
        z = y * x
    assert tape.gradient(z, x) is None


@pytest.mark.filterwarnings("ignore:A gradient was asked for inside the context of a persistent")
def test_gradient_inside_a_persistent_tape_is_recorded(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
        second = tape.gradient(first, x)
    assert (first.numpy(), second.numpy()) == (27, 18)
    assert tape.gradient(second, x).numpy() == 6


def test_warnings_point_to_the_line_that_called(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        for ask in (tape.gradient, tape.jacobian):
            with pytest.warns(UserWarning, match="inside the context of a persistent") as caught:
                ask(y, x)
            assert caught[0].filename == __file__
        with pytest.warns(UserWarning, match="watched tensor must be floating") as caught:
            tape.watch(tf.constant(3))
        assert caught[0].filename == __file__


def test_gradient_outside_a_persistent_tape_is_not_recorded(x):
    tape, y = squared(x, persistent=True)
    assert tape.gradient(tape.gradient(y, x), x) is None


@pytest.mark.parametrize("consumed", [False, True])
def test_watch_needs_a_recording(x, consumed):
    tape = tf.GradientTape()
    if consumed:
        tape, y = squared(x)
        tape.gradient(y, x)
    with pytest.raises(AttributeError):
        tape.watch(x)


# -- pausing and forgetting ------------------------------------------------------------------------


def test_what_is_computed_in_stop_recording_is_constant(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording() as nothing:
            assert nothing is None
            constant = x * x
        z = y * x + constant * x
    assert tape.gradient(z, x).numpy() == 36


def test_stop_recording_stops_this_tape_only(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            with inner.stop_recording():
                y = x * x
    assert inner.gradient(y, x) is None
    assert outer.gradient(y, x).numpy() == 6


def test_a_gradient_may_be_taken_in_stop_recording(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            assert tape.gradient(y, x).numpy() == 6
        assert tape.watched_variables() == ()
        y = x * x
    assert tape.gradient(y, x) is None


def test_a_persistent_tape_can_be_asked_in_stop_recording_and_go_on(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            first = tape.gradient(y, x)
        z = y * x + first
    assert tape.gradient(first, x) is None
    assert tape.gradient(z, x).numpy() == 27


def test_an_exception_in_stop_recording_resumes(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(KeyError), tape.stop_recording():
            raise KeyError
        y = x * x
    assert tape.gradient(y, x).numpy() == 6


def test_stopping_the_outer_tape_makes_the_inner_gradient_constant(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        with outer.stop_recording():
            constant = inner.gradient(y, x)
        z = constant * x
    assert outer.gradient(z, x).numpy() == 6


@pytest.mark.parametrize("consumed", [False, True])
def test_stop_recording_needs_a_tape_with_a_recording(x, consumed):
    tape = tf.GradientTape()
    if consumed:
        tape, y = squared(x)
        tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="Trying to stop recording a tape which is not"):
        tape.stop_recording().__enter__()


def test_stop_recording_needs_a_tape_that_records(x):
    tape, _ = squared(x)
    with pytest.raises(ValueError, match="Tape is not recording"):
        tape.stop_recording().__enter__()
    with tape, tape.stop_recording(), pytest.raises(ValueError, match="Tape is not recording"):
        tape.stop_recording().__enter__()


def test_reset_forgets_everything(x):
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * v
        tape.reset()
        assert tape.watched_variables() == ()
        z = y * v
    assert [g if g is None else g.numpy() for g in tape.gradient(z, [x, y, v])] == [None, None, 18]


@pytest.mark.parametrize("entered", [False, True])
def test_reset_needs_a_tape_that_records(x, entered):
    tape = squared(x)[0] if entered else tf.GradientTape()
    with pytest.raises(ValueError, match="Tape is not recording"):
        tape.reset()


def test_a_tape_can_be_reset_again_and_again():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        for _ in range(3):
            tape.reset()
            y = v * v
    assert tape.gradient(y, v).numpy() == 6


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickle.dumps])
def test_a_tape_cannot_be_copied_deeply(x, duplicate):
    tape, _ = squared(x)
    with pytest.raises(TypeError, match="pickle"):
        duplicate(tape)
