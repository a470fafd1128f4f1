"""Which part of a larger variable a variable is."""

import pytest

import cinta as tf

Info = tf.Variable.SaveSliceInfo


def test_a_part_as_text():
    part = Info("all", [4, 3, 5], [0, 1, 3], [4, 1, 2])
    assert part.spec == "4 3 5 0,4:1,1:3,2"  # TensorFlow's
    again = Info.from_spec(part.spec)
    assert (again.full_name, again.full_shape) == (None, [4, 3, 5])
    assert (again.var_offset, again.var_shape) == ([0, 1, 3], [4, 1, 2])
    assert Info.from_spec("").full_shape is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("0,4:1,1", "space-separated full_shape"),
        ("4 x 0,4:1,1", "Found 'x'"),
        ("4 3 0,4:1", "comma-separated pairs"),
        ("4 3 a,4:1,1", "var_offset must be an integer. Found 'a'"),
        ("4 3 0,4:1,b", "var_shape must be an integer. Found 'b'"),
    ],
)
def test_other_texts_are_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        Info.from_spec(spec)


def test_messages_are_refused():
    with pytest.raises(ValueError, match="belong to TensorFlow's graphs"):
        Info(save_slice_info_def=object())
