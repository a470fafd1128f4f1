"""tf.autograph: the names of a conversion that is not needed."""

import pytest

import cinta as tf


def signed(x):
    return x if x > 0 else -x


def test_functions_are_what_they_were():
    assert tf.autograph.to_graph(signed) is signed
    assert tf.autograph.to_code(signed) == ("def signed(x):\n    return x if x > 0 else -x\n")
    assert tf.autograph.to_code(tf.function(signed).python_function).startswith("def signed")
    assert tf.autograph.experimental.do_not_convert(signed) is signed


@pytest.mark.parametrize("convert", [tf.autograph.to_code, tf.autograph.to_graph])
@pytest.mark.parametrize("thing", [3, None, tf.function(signed)])
def test_what_has_no_code_is_refused(convert, thing):
    with pytest.raises(ValueError, match=r"doesn't expose .*f\.python_function"):
        convert(thing)


def test_options_of_loops_change_nothing():
    @tf.function
    def count(n):
        total = tf.constant(0)
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                parallel_iterations=1,
                swap_memory=True,
                maximum_iterations=2,
                shape_invariants=[(total, tf.TensorShape([]))],
            )
            total += i
        return total

    assert int(count(tf.constant(5))) == 10


def test_arguments_are_printed(capsys):
    assert tf.autograph.trace("a", 2) is None
    assert capsys.readouterr().out == "a 2\n"
    assert tf.autograph.set_verbosity(3, alsologtostdout=True) is None


def test_optional_features():
    features = tf.autograph.experimental.Feature
    assert [each.name for each in features] == [each.value for each in features]
    assert features.LISTS.name == "LISTS"
