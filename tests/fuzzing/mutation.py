"""Changes of bytes, of JSON and of protocol buffers, as somebody would make them to do harm."""

from __future__ import annotations

import copy

NUMBERS = (0, 1, -1, 2, 3, 7, 64, 127, 128, 255, 256, 1000, 65535, 65536, 2**20, 2**31 - 1, 2**31)
NUMBERS += (2**32 - 1, 2**32, 2**40, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30)
LEAVES = (*NUMBERS, *[-n for n in NUMBERS], None, True, False, 0.5, -1.5, 1e308, "", "x", "\0")
LEAVES += ("../../../etc/passwd", "/etc/passwd", "__class__", "float32", "string", "9" * 5000)
LEAVES += ([], {}, [[]], [0], [-1, 2], [2**40], {"constant": 1}, {"array": "x"})


def changed_bytes(rng, data, others=()):
    """Bytes with a few changes in them, small ones and large ones."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        place = rng.randrange(len(data) + 1)
        length = rng.choice((1, 1, 2, 4, 8, 64))
        piece = data[place : place + length]
        way = rng.randrange(8)
        if way == 0:
            del data[place:]
        elif way == 1:
            del data[place : place + length]
        elif way == 2:
            data[place:place] = rng.randbytes(length)
        elif way == 3:
            data[place : place + length] = rng.randbytes(len(piece))
        elif way == 4:
            size = rng.choice((1, 2, 4, 8))
            number = rng.choice(NUMBERS) % 256**size
            data[place : place + size] = number.to_bytes(size, rng.choice(("little", "big")))
        elif way == 5 and piece:
            data[place] ^= 1 << rng.randrange(8)
        elif way == 6:
            data[place:place] = piece * rng.choice((1, 2, 100))
        elif way == 7 and others:
            other = rng.choice(others)
            cut = rng.randrange(len(other) + 1)
            data[place:] = other[cut:]
    return bytes(data)


def changed_json(rng, document):
    """JSON with a few changes in it: of values, keys, lengths, of how deep it is."""
    whole = [copy.deepcopy(document)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        place, key = _anywhere(rng, whole)
        way = rng.randrange(8)
        if way <= 2:
            place[key] = copy.deepcopy(rng.choice(LEAVES))
        elif way == 3 and type(place[key]) is int:
            place[key] += rng.choice((-1, 1, 2, 2**31, -(2**31)))
        elif way == 4:
            other, there = _anywhere(rng, whole)
            place[key] = copy.deepcopy(other[there])
        elif way == 5 and place is not whole:
            del place[key]
        elif way == 6 and isinstance(place, list):
            place.insert(key, copy.deepcopy(place[key]))
        elif way == 7 and rng.randrange(10) == 0:
            place[key] = _deep(rng.choice((50, 150)), place[key])
    return whole[0] if whole else None


def _anywhere(rng, document):
    """A place in a document, each level as likely to be where the way ends."""
    places, place = [], document
    while isinstance(place, (list, dict)) and place:
        key = rng.choice([*place]) if isinstance(place, dict) else rng.randrange(len(place))
        places.append((place, key))
        place = place[key]
    return rng.choice(places[1:] or places)


def _deep(levels, value):
    for _ in range(levels):
        value = [value]
    return value


# -- protocol buffers ------------------------------------------------------------------------------


def varint(number):
    """A whole number as protocol buffers write it."""
    number %= 1 << 70
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def fields(message):
    """The fields of a message as [number, kind, value]; None if it is none."""
    found, at = [], 0
    try:
        while at < len(message):
            key, at = _read(message, at)
            kind = key & 7
            if kind == 0:
                value, at = _read(message, at)
            else:
                size = {1: 8, 5: 4}.get(kind)
                if size is None and kind == 2:
                    size, at = _read(message, at)
                value = message[at : at + size]
                at += size
            if at > len(message) or not key >> 3:
                return None
            found.append([key >> 3, kind, value])
    except (IndexError, TypeError):
        return None
    return found


def _read(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        value, shift, at = value | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return value, at


def message(parts):
    """The message of these fields."""
    out = b""
    for number, kind, value in parts:
        out += varint(number << 3 | kind)
        out += varint(value) if kind == 0 else varint(len(value)) * (kind == 2) + value
    return out


def changed_message(rng, data, depth=0):
    """A message with one change in it, or in a message inside it."""
    parts = fields(data)
    if not parts or rng.randrange(12) == 0:
        return changed_bytes(rng, data)
    place = rng.randrange(len(parts))
    number, kind, value = parts[place]
    way = rng.randrange(8)
    if way == 0:
        del parts[place]
    elif way == 1:
        parts.insert(place, [number, kind, value])
    elif way == 2:
        parts[place][0] = rng.choice((1, 2, 3, 4, 5, 7, 8, 10, 17, 2**28))
    elif way == 3:
        parts[place][1:] = rng.choice(([0, rng.choice(NUMBERS)], [2, b"ab"], [5, b"\0\0\x80?"]))
    elif kind == 0:
        parts[place][2] = rng.choice((*NUMBERS, value + 1, value - 1)) % 2**64
    elif kind == 2 and depth < 4 and fields(value):
        parts[place][2] = changed_message(rng, value, depth + 1)
    elif kind == 2:
        parts[place][2] = changed_bytes(rng, value)
    return message(parts)
