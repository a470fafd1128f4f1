"""Docstrings of public names tell arguments, errors and an example."""

from tools import docstrings


def test_docstrings_are_complete():
    assert docstrings.lacking() == {}


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


class Digits:
    """Numbers of one digit.

    >>> Digits().contains(3)
    True
    """

    @property
    def middle(self):
        """The number in the middle of them."""

    def contains(self, number):
        """Whether ``number`` is one of them."""
        return 0 <= number < 10


def test_an_example_of_a_class_shows_its_members_and_a_property_needs_none():
    for member in (Digits.middle, Digits.contains):
        assert [*docstrings._lacks(member, member.__doc__, Digits.__doc__)] == []
    told = Digits.contains.__doc__
    assert [*docstrings._lacks(Digits.contains, told, told)] == ["an example"]
