"""The text that tf.print and tf.strings.format write."""

import collections
import dataclasses
import sys

import numpy as np
import pytest

import cinta as tf

C = tf.constant
SPARSE = tf.SparseTensor([[0, 1], [2, 0], [2, 3]], [1.5, -2.0, 3.0], [3, 4])
SHOWN = "'SparseTensor(indices=[[0 1]\n [2 0]\n [2 3]], values=[1.5 -2 3], shape=[3 4])'"
LONG = tf.sparse.from_dense(tf.range(1, 21))
Pair = collections.namedtuple("Pair", "x y")  # the shortest there is


@dataclasses.dataclass
class Data:
    a: int


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([C("scalar")], "scalar"),
        ([C("a\nb")], "a\nb"),
        ([tf.Variable("s")], "s"),
        ([C("s"), C("t\n")], '"s" "t\\n"'),
        (["x", C("s")], 'x "s"'),
        ([C(["a", "b"])], '["a" "b"]'),
        ([C(['a"b', "it's", "é\\\x01"])], '["a\\"b" "it\\\'s" "é\\\\\\001"]'),
        ([C([b"\xff\t"])], '["\\377\\t"]'),
        ([[C("s"), "t"]], "[\"s\", 't']"),
        (["x:", 1, 2.5, True, None, b"x"], "x: 1 2.5 True None b'x'"),
        ([{"b": C(1), "a": [C([1.0, 2.0]), "x"]}], "{'a': [[1 2], 'x'], 'b': 1}"),
        ([Pair(C(1), "z")], "Pair(x=1, y='z')"),
        ([Data(1)], "Data(a=1)"),
        ([collections.deque([1, C(2)])], "deque([1, 2])"),
        ([tf.float32, tf.TensorShape([1, None])], "tf.float32 TensorShape([1, None])"),
        ([np.array([1, 2]), [np.float64(2.5)]], "array([1, 2]) [np.float64(2.5)]"),
        (["{} %s", C(1)], "{} %s 1"),
        ([list(range(30))], "[" + ",\n ".join(map(str, range(30))) + "]"),
        ([tf.Variable([1.0, 2.0])], "[1 2]"),
        ([SPARSE], SHOWN),
        ([[SPARSE, 1]], f"[{SHOWN}, 1]"),
        ([SPARSE, C(1), "x"], f"{SHOWN} 1 x"),
        (
            [LONG],
            "'SparseTensor(indices=[[0]\n [1]\n [2]\n ...\n [17]\n [18]\n [19]], "
            "values=[1 2 3 ... 18 19 20], shape=[20])'",
        ),
        ([C([1 / 3, 1.0, 65504.0], tf.float16)], "[0.333251953 1 65504]"),
        ([tf.cast([1 / 3], tf.bfloat16)], "[0.333984375]"),
        (
            [C([1 / 3, 1e10, 1e-10, np.nan, -np.inf]), C([1 / 3], tf.float64)],
            "[0.333333343 1e+10 1e-10 nan -inf] [0.33333333333333331]",
        ),
        ([C([True, False]), C(True)], "[1 0] 1"),
        ([tf.range(10)], "[0 1 2 ... 7 8 9]"),
        ([tf.reshape(tf.range(8), [2, 2, 2])], "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        ([], ""),
    ],
)
def test_print(given, expected, capsys):
    tf.print(*given, output_stream=sys.stdout)
    assert capsys.readouterr().out == expected + "\n"


def test_how_much_is_shown(capsys):
    def shown(*values, **options):
        tf.print(*values, output_stream=sys.stdout, end="", **options)
        return capsys.readouterr().out

    assert shown(tf.range(10), summarize=1) == "[0 ... 9]"
    assert shown(tf.range(7), summarize=-1) == "[0 1 2 3 4 5 6]"
    assert shown(tf.sparse.from_dense([1, 2, 3]), summarize=1) == (
        "'SparseTensor(indices=[[0]\n ...\n [2]], values=[1 ... 3], shape=[3])'"
    )
    assert shown("a", C(1), sep=",") == "a,1"


def test_print_in_functions(capsys):
    f = tf.function(lambda x: tf.print("x", x, [x], output_stream=sys.stdout))
    for value in (SPARSE, SPARSE.with_values([1.0, 2.0, 3.0])):
        f(value)
        text = SHOWN if value is SPARSE else SHOWN.replace("1.5 -2 3", "1 2 3")
        assert capsys.readouterr().out == f"x {text} [{text}]\n"
    g = tf.function(lambda x: tf.print(x, output_stream=sys.stdout))
    for word in ("a", "b\n"):
        g(C(word))
        assert capsys.readouterr().out == word + "\n"


def test_format_quotes_strings():
    assert tf.strings.format("x {} y", C("s\n")).numpy() == b'x "s\\n" y'
    assert tf.strings.format("{}", C(["é", "b"])).numpy().decode() == '["é" "b"]'
