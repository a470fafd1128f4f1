"""The messages of a checkpoint: of a tensor, of its slices, and of the graph of objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ...protobuf import wire
from ...protobuf.wire import message, signed, text, whole
from ..object_graph import Node, ObjectGraph

Slice: TypeAlias = tuple[tuple[int, int], ...]
"""For each axis where it begins and how long it is; -1 for all of it."""


@dataclass
class BundleEntry:
    """The index's entry for a tensor; a tensor that is cut into slices has no data of its own."""

    dtype: int = 0
    shape: tuple[int, ...] = ()
    shard: int = 0
    offset: int = 0
    size: int = 0
    checksum: int = 0
    slices: list[Slice] = field(default_factory=list)


@dataclass
class Header:
    """The index's entry for the whole bundle."""

    shards: int = 0
    big_endian: bool = False


def header(data: bytes) -> Header:
    """A BundleHeaderProto."""
    found = Header()
    for number, value in wire.fields(data):
        if number == 1:
            found.shards = whole(value)
        elif number == 2:
            found.big_endian = whole(value) == 1
    return found


def entry(data: bytes) -> BundleEntry:
    """A BundleEntryProto."""
    found = BundleEntry()
    for number, value in wire.fields(data):
        if number == 1:
            found.dtype = whole(value)
        elif number == 2:
            found.shape = _shape(message(value))
        elif number == 3:
            found.shard = whole(value)
        elif number == 4:
            found.offset = whole(value)
        elif number == 5:
            found.size = whole(value)
        elif number == 6:
            found.checksum = whole(value)
        elif number == 7:
            found.slices.append(_slice(message(value)))
    return found


def _shape(data: bytes) -> tuple[int, ...]:
    """A TensorShapeProto, whose dimensions are messages with a size."""
    lengths = []
    for number, value in wire.fields(data):
        if number == 2:
            sizes = [signed(v) for n, v in wire.fields(message(value)) if n == 1]
            lengths.append(sizes[-1] if sizes else 0)
        elif number == 3 and value:
            raise ValueError("a tensor has no shape")
    if min(lengths, default=0) < 0 or len(lengths) > 64:
        raise ValueError(f"{lengths[:64]} is not the shape of a tensor")
    return tuple(lengths)


def _slice(data: bytes) -> Slice:
    """A TensorSliceProto: of each axis its begin, and its length unless it is whole."""
    extents = []
    for number, value in wire.fields(data):
        if number == 1:
            extent = {n: signed(v) for n, v in wire.fields(message(value))}
            extents.append((extent.get(1, 0), extent.get(2, -1)))
    return tuple(extents)


def object_graph(data: bytes) -> ObjectGraph:
    """A TrackableObjectGraph."""
    nodes = [_node(message(value)) for number, value in wire.fields(data) if number == 1]
    if not nodes:
        raise ValueError("the graph of objects has no root")
    for i, node in enumerate(nodes):
        for name, child in node.children.items():
            if child >= len(nodes):
                raise ValueError(f"the child {name!r} of node {i} is not in the graph")
    return ObjectGraph(nodes)


def _node(data: bytes) -> Node:
    """A TrackableObject: its children are (1, id) and (2, name); its values (1, name), (3, key)."""
    node = Node()
    for number, value in wire.fields(data):
        if number == 1:
            child = dict(wire.fields(message(value)))
            node.children[text(child.get(2, b""))] = whole(child.get(1, 0))
        elif number == 2:
            kept = dict(wire.fields(message(value)))
            node.values[text(kept.get(1, b""))] = text(kept.get(3, b""))
    return node
