"""Hash functions of bytes: FarmHash's Fingerprint64, SipHash-2-4, and two fingerprints as one.

The first is that of Google's FarmHash (``farmhashna::Hash64``), the second is Aumasson and
Bernstein's SipHash (2012). Both are fixed for ever: files and models depend on their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

_MASK = 2**64 - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
_CAT = 0xC6A4A7935BD1E995

Pair: TypeAlias = tuple[int, int]


def _word(data: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _rotated(x: int, right: int) -> int:
    x &= _MASK
    return (x >> right | x << (64 - right)) & _MASK


def _mixed(x: int) -> int:
    x &= _MASK
    return x ^ x >> 47


def _joined(u: int, v: int, factor: int) -> int:
    a = _mixed((u ^ v) * factor)
    return _mixed((v ^ a) * factor) * factor & _MASK


def fingerprint(data: bytes) -> int:
    """FarmHash's Fingerprint64."""
    size = len(data)
    if size <= 16:
        return _short(data, size)
    factor = _K2 + 2 * size
    if size <= 32:
        a, b, c, d = _ends(data, _K1, factor)
        return _joined(*_halves(a, b, c, d), factor)
    return _middle(data, factor) if size <= 64 else _long(data, size)


def _short(data: bytes, size: int) -> int:
    factor = _K2 + 2 * size
    if size >= 8:
        a, b = _word(data, 0) + _K2 & _MASK, _word(data, size - 8)
        c = _rotated(b, 37) * factor + a & _MASK
        return _joined(c, (_rotated(a, 25) + b) * factor & _MASK, factor)
    if size >= 4:
        return _joined(size + (_word(data, 0, 4) << 3), _word(data, size - 4, 4), factor)
    if size:
        y, z = data[0] + (data[size >> 1] << 8), size + (data[-1] << 2)
        return _mixed(y * _K2 ^ z * _K0) * _K2 & _MASK
    return _K2


def _ends(data: bytes, first: int, factor: int) -> tuple[int, int, int, int]:
    size = len(data)
    a, b = _word(data, 0) * first & _MASK, _word(data, 8)
    return a, b, _word(data, size - 8) * factor & _MASK, _word(data, size - 16) * _K2 & _MASK


def _halves(a: int, b: int, c: int, d: int, shift: int = _K2) -> Pair:
    u = _rotated(a + b, 43) + _rotated(c, 30) + d & _MASK
    return u, a + _rotated(b + shift, 18) + c & _MASK


def _middle(data: bytes, factor: int) -> int:
    size = len(data)
    a, b, c, d = _ends(data, _K2, factor)
    y, other = _halves(a, b, c, d)
    z = _joined(y, other, factor)
    e, f = _word(data, 16) * factor & _MASK, _word(data, 24)
    g, h = (y + _word(data, size - 32)) * factor, (z + _word(data, size - 24)) * factor
    return _joined(*_halves(e, f, g & _MASK, h & _MASK, a), factor)


def _long(data: bytes, size: int) -> int:
    x, y, v, w = 81, 81 * _K1 + 113, (0, 0), (0, 0)
    z = _mixed(y * _K2 + 113) * _K2
    x = x * _K2 + _word(data, 0)
    for at in range(0, (size - 1) // 64 * 64, 64):
        x, y, z, v, w = _block(data, at, (x, y, z), v, w, (_K1, 1))
    factor, rest = _K1 + ((z & 0xFF) << 1), size - 1 & 63
    v0 = v[0] + w[0] + rest
    v, w = (v0, v[1]), (w[0] + rest + v0, w[1])
    x, y, z, v, w = _block(data, size - 64, (x, y, z), v, w, (factor, 9))
    u = _joined(v[0], w[0], factor) + _mixed(y) * _K0 + z
    return _joined(u & _MASK, _joined(v[1], w[1], factor) + x & _MASK, factor)


def _block(
    data: bytes, at: int, state: tuple[int, int, int], v: Pair, w: Pair, factors: Pair
) -> tuple[int, int, int, Pair, Pair]:
    (x, y, z), (factor, times) = state, factors
    x = _rotated(x + y + v[0] + _word(data, at + 8), 37) * factor
    y = _rotated(y + v[1] + _word(data, at + 48), 42) * factor
    x = (x ^ w[1] * times) & _MASK
    y += v[0] * times + _word(data, at + 40)
    z = _rotated(z + w[0], 33) * factor
    v = _weak(data, at, v[1] * factor, x + w[0])
    w = _weak(data, at + 32, z + w[1], y + _word(data, at + 16))
    return z & _MASK, y & _MASK, x, v, w


def _weak(data: bytes, at: int, a: int, b: int) -> Pair:
    first, second, third, fourth = [_word(data, at + 8 * i) for i in range(4)]
    a += first
    b, c = _rotated(b + a + fourth, 21), a
    a += second + third
    return a + fourth & _MASK, b + _rotated(a, 44) + c & _MASK


def joined_fingerprints(first: int, second: int) -> int:
    """One fingerprint of two, whose order matters."""
    found = (first ^ _CAT ^ _mixed(second * _CAT) * _CAT) * _CAT
    return _mixed(_mixed(found) * _CAT)


def siphash(data: bytes, key: Sequence[int]) -> int:
    """SipHash-2-4 with a key of two numbers."""
    k0, k1 = [part & _MASK for part in key]
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D]
    v += [k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 0xFF])
    for at in range(0, len(padded), 8):
        word = _word(padded, at)
        v[3] ^= word
        v = _rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    a, b, c, d = _rounds(v, 4)
    return a ^ b ^ c ^ d


def _rounds(v: list[int], count: int) -> list[int]:
    a, b, c, d = v
    for _ in range(count):
        a, c = a + b & _MASK, c + d & _MASK
        b, d = _rotated(b, 51) ^ a, _rotated(d, 48) ^ c
        a, c = _rotated(a, 32) + d & _MASK, c + b & _MASK
        b, d = _rotated(b, 47) ^ c, _rotated(d, 43) ^ a
        c = _rotated(c, 32)
    return [a, b, c, d]


def murmur(data: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """Appleby's MurmurHash64A, with the seed that TensorFlow takes."""
    whole = len(data) // 8 * 8
    found = seed ^ len(data) * _CAT & _MASK
    for at in range(0, whole, 8):
        found = (found ^ _mixed(_word(data, at) * _CAT) * _CAT) * _CAT & _MASK
    if whole < len(data):
        found = (found ^ _word(data, whole)) * _CAT
    return _mixed(_mixed(found) * _CAT)
