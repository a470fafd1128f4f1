"""Docstrings of public names tell arguments, errors and an example, but for those on a list."""

from tools import docstrings


def test_docstrings_are_complete_but_for_those_on_the_list():
    lacking = docstrings.lacking()
    new = {name: lacks for name, lacks in lacking.items() if name not in docstrings.known()}
    assert new == {}, "complete these docstrings; the list of exceptions takes no more names"


def scale(x, factor):
    """The product.

    >>> 2 * 3
    6
    """
    if factor == 0:
        raise ValueError(factor)
    return x * factor


def test_a_docstring_that_tells_too_little_is_found():
    lacks = docstrings._lacks(scale, scale.__doc__, scale.__doc__)
    assert [*lacks] == ["arguments x, factor", "errors"]
    told = "x times factor.\n\nRaises:\n    ValueError: If factor is 0."
    assert [*docstrings._lacks(scale, told, told)] == ["an example"]


def test_an_example_of_a_class_shows_its_members():
    assert "tf.Variable.read_value" not in docstrings.lacking()
