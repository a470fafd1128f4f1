"""Calls that end in one way here and in another in TensorFlow, and classes of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from tests.junk.table import RETURNS, UNKNOWN


class Case(NamedTuple):
    """A call, and how it ended: what it raised here, and the letter of what TensorFlow did."""

    subject: str
    argument: str
    junk: str
    error: BaseException | None
    theirs: str

    @property
    def differs(self) -> bool:
        """Whether it returns in one of the two packages only."""
        return self.theirs != UNKNOWN and (self.theirs == RETURNS) != (self.error is None)


class Example(NamedTuple):
    """A call that an entry is needed for: of what, and what stands for which argument."""

    subject: str
    argument: str
    junk: str


@dataclass(frozen=True)
class Reason:
    """A class of calls, and why cinta ends them in another way: patterns, of which all must fit.

    ``raises`` is a pattern of what cinta says; an entry without one is about calls that return.
    """

    words: str
    example: Example
    subject: str = ""
    argument: str = ""
    junk: str = ""
    raises: str | None = None
    theirs: str = ""

    def fits(self, case: Case) -> bool:
        """Whether a call is of this class."""
        if (self.raises is None) != (case.error is None):
            return False
        return (
            re.search(self.subject, case.subject) is not None
            and re.fullmatch(self.argument or ".*", case.argument) is not None
            and re.search(self.junk, case.junk) is not None
            and (not self.theirs or case.theirs in self.theirs)
            and re.search(self.raises or "", str(case.error)) is not None
        )


def any_of(*patterns: str) -> str:
    """The pattern of what fits one of these."""
    return "|".join(patterns)


def exactly(*junk: str) -> str:
    """The pattern of what is one of these."""
    return f"^({any_of(*map(re.escape, junk))})$"
