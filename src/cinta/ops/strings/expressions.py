r"""Regular expressions in the syntax of RE2, written in that of Python's ``re``.

Both agree in most of their syntax. Where RE2 writes what Python lacks, such as ``[[:alpha:]]``,
``\pL``, ``\z``, ``\Q...\E`` and ``\x{65e5}``, it is translated; and so is what both write and mean
differently: ``$`` and ``.``, and ``\w``, ``\d``, ``\s`` and ``\b``, which are about ASCII in RE2.

Texts may contain signs for bytes that are not UTF-8. No expression matches such a sign.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_TOKENS = re.compile(
    r"\\Q(?P<quoted>.*?)(?:\\E|\Z)"
    r"|\\(?P<sign>[pP])(?:\{(?P<without>\^?)(?P<category>[A-Z][a-z]?)\}|(?P<letter>[A-Z]))"
    r"|\\x\{(?P<code>[0-9A-Fa-f]{1,6})\}"
    r"|\\(?P<escape>.)"
    r"|\[:(?P<not>\^?)(?P<posix>[a-z]+):\]"
    r"|(?P<count>\{\d+(?:,\d*)?\})"
    r"|(?P<other>.)",
    re.DOTALL,
)
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)")

_NAMED = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": "\x00-\x7f",
    "blank": "\t ",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@[-`{-~",
    "space": "\t-\r ",
    "upper": "A-Z",
    "white": "\t\n\f\r ",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
"""The members of the classes that have names."""
_SHORT = {"d": "digit", "s": "white", "w": "word"}
_Range: TypeAlias = "tuple[int, int]"
_NO_TEXT: _Range = (0xDC80, 0xDCFF)
"""The signs for bytes that are not UTF-8."""


@cache
def expression(pattern: str) -> re.Pattern[str]:
    """The expression that matches what RE2 matches.

    Raises:
        re.error: If there is none.
    """
    if pattern.encode(errors="replace").decode() != pattern:
        raise re.error("invalid UTF-8")
    return re.compile("".join(_translated(pattern)))


def _translated(pattern: str) -> Iterator[str]:
    flags = "".join(_FLAGS.findall(pattern))
    opened = -1  # where the text within the brackets begins, or -1 outside of them
    for token in _TOKENS.finditer(pattern):
        if token["other"] is None:
            yield _special(token, opened >= 0)
        elif opened < 0:
            opened = token.end() if token[0] == "[" else -1
            if opened >= 0 and pattern.startswith("^", opened):
                opened += 1
            yield _outside(token[0], flags)
        elif token[0] == "]" and token.start() > opened:
            opened = -1
            yield "]"
        else:
            caret = token[0] == "^" and token.start() < opened
            yield f"^{_written([_NO_TEXT])}" if caret else _within(token[0])


def _outside(sign: str, flags: str) -> str:
    if sign == "$" and "m" not in flags:
        return r"\Z"
    if sign == ".":
        no_text = _written([_NO_TEXT])
        return f"(?:(?![{no_text}]).)" if "s" in flags else rf"[^\n{no_text}]"
    return rf"\{sign}" if sign in "{}" else sign


def _within(sign: str) -> str:
    return rf"\{sign}" if sign in "[]&|~" else sign


def _special(token: re.Match[str], within: bool) -> str:
    """The translation of a part of several signs."""
    if token["quoted"] is not None:
        return re.escape(token["quoted"])
    if token["code"]:
        return re.escape(chr(min(int(token["code"], 16), sys.maxunicode)))
    if token["posix"]:
        if not within or token["posix"] not in _NAMED:
            raise re.error(f"unknown class {token[0]}")
        return _class(_members(token["posix"]), bool(token["not"]), within)
    if token["count"]:
        return re.escape(token["count"]) if within else token["count"]
    if token["sign"]:
        category = _category(token["category"] or token["letter"])
        others = (token["sign"] == "P") is not bool(token["without"])
        return _class(category, others, within)
    return _escape(token["escape"], within)


def _escape(letter: str, within: bool) -> str:
    if letter.lower() in _SHORT:
        return _class(_members(_SHORT[letter.lower()]), letter.isupper(), within)
    if within:
        return rf"\{letter}"
    return {"z": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B|\A\Z)"}.get(letter, rf"\{letter}")


def _class(ranges: Iterable[_Range], others: bool, within: bool) -> str:
    members = _written(_others(ranges) if others else ranges)
    return members if within else f"[{members}]"


def _written(ranges: Iterable[_Range]) -> str:
    return "".join([f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges])


def _others(ranges: Iterable[_Range]) -> Iterator[_Range]:
    """All other characters, but for the signs for bytes that are not UTF-8."""
    start = 0
    for first, last in [*sorted([*ranges, _NO_TEXT]), (sys.maxunicode + 1, 0)]:
        if start < first:
            yield start, first - 1
        start = last + 1


def _members(name: str) -> list[_Range]:
    """The characters of a class that has a name."""
    signs = re.findall(r"(.)-(.)|(.)", _NAMED[name], re.DOTALL)
    return [(ord(a or one), ord(b or one)) for a, b, one in signs]


@cache
def _category(name: str) -> list[_Range]:
    """The characters of a general category of Unicode, or of all whose names begin so."""
    found: list[_Range] = []
    kinds = map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))
    code = 0
    for kind, run in groupby(kinds):
        after = code + len(list(run))
        if kind.startswith(name):
            found.append((code, after - 1))
        code = after
    if not found:
        raise re.error(f"unknown category {name}")
    return found


def rewriting(rewrite: str, groups: int) -> Callable[[re.Match[str]], str]:
    r"""A function that gives the text in place of a match: ``\1`` is its first group.

    Raises:
        re.error: If there is no such group, or another sign than a digit follows a backslash.
    """
    parts = re.split(r"\\(.|\Z)", rewrite, flags=re.DOTALL)
    for sign in parts[1::2]:
        if sign != "\\" and not (sign.isascii() and sign.isdigit() and int(sign) <= groups):
            raise re.error(f"invalid group reference {sign}, of {groups} groups")

    def written(match: re.Match[str]) -> str:
        found = [sign if sign == "\\" else match[int(sign)] or "" for sign in parts[1::2]]
        return "".join([text + group for text, group in zip(parts[::2], [*found, ""], strict=True)])

    return written


def replaced(
    found: re.Pattern[str], text: str, written: Callable[[re.Match[str]], str], everywhere: bool
) -> str:
    """The text with its matches replaced.

    An empty match where another one ends is none; and behind an empty match one character stays.
    """
    parts, at, last = [], 0, -1
    while match := found.search(text, at):
        if match.end() == match.start() == last:
            parts.append(text[at : at + 1])
            at += 1
            if at > len(text):
                break
            continue
        parts += [text[at : match.start()], written(match)]
        at = last = match.end()
        if not everywhere:
            break
    return "".join([*parts, text[at:]])
