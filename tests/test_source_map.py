"""`cinta where`: where a function, its gradient, its tests and its documentation stand."""

import pathlib

import pytest

from cinta.__main__ import main
from cinta.source_map import public_things, where

ROOT = pathlib.Path(__file__).parent.parent


def places(name):
    """The pairs of what is said and the place of it."""
    lines = [line.partition(" and ")[0] for line in where(name).splitlines() if ":" in line]
    return [line.rsplit(maxsplit=1) for line in lines]


def test_a_function_leads_to_its_op_gradient_row_and_tests():
    found = {what.strip() for what, _ in places("tf.reduce_sum")}
    assert found >= {"made", "op Sum", "gradient", "table row", "test", "documented"}


def test_a_function_of_a_package_leads_to_the_op_the_kernel_and_the_rules_beside_it():
    found = {what.strip(): place for what, place in places("tf.nn.conv2d")}
    folder = "src/cinta/ops/nn/conv/"
    assert found["op Conv2D"].startswith(folder + "rules.py")
    assert found["gradient"].startswith(folder + "rules.py")
    assert found["kernel"].startswith(folder + "numpy.py")
    assert found["kernel on XLA"].startswith(folder + "xla.py")
    assert found["deviation"].startswith("docs/en/deviations/nn.md")
    assert found["table row"].startswith("tests/op_table/convolutions.py")


def test_every_place_has_what_it_is_said_to_have():
    for what, place in places("tf.nn.relu"):
        file, _, number = place.partition(":")
        line = (ROOT / file).read_text().splitlines()[int(number) - 1]
        if what.strip() == "made":
            assert "relu" in line
        if what.strip() in ("table row", "test", "documented"):
            assert "nn.relu" in line


def test_a_name_without_its_namespace_finds_all_that_are_called_so():
    assert {line for line in where("reduce_sum").splitlines() if line.startswith("tf.")} == {
        "tf.reduce_sum, tf.math.reduce_sum",
        "tf.sparse.reduce_sum",
    }


def test_a_method_leads_to_its_code_and_tests():
    lines = where("data.Dataset.map").splitlines()
    assert lines[0].startswith("tf.data.Dataset.map")
    assert any(line.split()[0] == "made" and "src/cinta/data/" in line for line in lines)
    assert any(line.split()[0] == "test" for line in lines)
    with pytest.raises(ValueError, match="No public name"):
        where("data.Dataset.no_such_method")


def test_an_op_whose_kernel_stands_with_it_leads_to_that():
    kinds = [line.split()[0] for line in where("Sum").splitlines()]
    assert kinds == ["op", "kernel", "gradient"]


def test_the_file_with_the_most_tests_stands_first():
    tests = [place for what, place in places("tf.nn.conv2d") if what.strip() == "test"]
    assert tests[0].startswith("tests/ops/nn/test_convolution.py")


def test_functions_of_random_numbers_lead_to_their_ops():
    assert any(
        "op StatelessRandomUniformV2" in line for line in where("random.uniform").split("\n")
    )


def test_an_op_that_numpy_computes_says_so_and_one_without_gradient_too():
    text = where("Floor")
    assert "the function of NumPy" in text
    assert "none" in text


def test_an_op_is_found_by_its_name():
    assert "op Relu" in where("Relu")


def test_a_name_that_nothing_has_is_refused(capsys):
    with pytest.raises(ValueError, match="No public name, method or op is 'qwerty'"):
        where("qwerty")
    assert main(["where", "qwerty"]) == 1
    assert "qwerty" in capsys.readouterr().err


def test_all_public_things_are_found():
    things = public_things()
    assert len(things) > 900
    for thing in things[::50]:
        assert "made" in where(thing.names[0])


@pytest.mark.parametrize(
    ("name", "meant"),
    [("conv2", "tf.nn.conv2d"), ("tf.nn.rellu", "tf.nn.relu"), ("avg", "tf.reduce_mean")],
)
def test_a_misspelled_name_is_told_the_right_one(name, meant):
    with pytest.raises(ValueError, match=rf"{name}'\. (Did you mean|Use) .*{meant}"):
        where(name)
