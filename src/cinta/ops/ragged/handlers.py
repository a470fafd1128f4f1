"""Which functions of tensors take ragged ones, and what they make of them.

The table below declares it by public names: the functions of elements, which compute on the flat
values, by how many operands they have; all others by the function that serves ragged tensors,
which takes the same arguments. Functions made by `engine.fast_calls` are of elements by that alone.
"""

from __future__ import annotations

import functools
import sys
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from ...engine.dispatch import ask
from ...engine.fast_calls import OPERANDS
from ...public import ARRIVALS, PACKAGE
from ...public_names import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from inspect import BoundArguments, Signature
    from types import ModuleType

    from .annotations import Function, RaggedOrDense


_OF_ELEMENTS: dict[int, str] = {
    1: """
        zeros_like ones_like identity stop_gradient
        cast saturate_cast clip_by_value as_string bitcast
        math.abs math.angle math.conj math.imag math.real math.sign math.round math.rint
        math.log1p math.log_sigmoid math.softplus math.reciprocal_no_nan math.erfcinv
        math.sigmoid math.is_finite
        debugging.check_numerics
        nn.elu nn.gelu nn.leaky_relu nn.log_softmax nn.relu nn.relu6 nn.selu nn.silu nn.softsign
        nn.softplus nn.crelu
        image.convert_image_dtype image.adjust_brightness image.adjust_gamma
        image.random_brightness image.stateless_random_brightness
        io.decode_base64 io.encode_base64 io.decode_compressed
        strings.strip strings.lower strings.upper strings.length strings.substr
        strings.to_hash_bucket strings.to_hash_bucket_fast strings.to_hash_bucket_strong
        strings.to_number strings.regex_full_match strings.regex_replace
        strings.unicode_transcode strings.unicode_script strings.split strings.bytes_split
        strings.unicode_split strings.unicode_split_with_offsets strings.unicode_decode
        strings.unicode_decode_with_offsets
    """,
    2: """
        math.nextafter math.multiply_no_nan
        math.atan2 math.divide_no_nan math.floordiv math.igamma math.igammac math.polygamma
        math.pow math.squared_difference math.xdivy math.xlog1py math.xlogy math.zeta
        complex truncatediv truncatemod
        debugging.assert_equal debugging.assert_none_equal debugging.assert_near
        debugging.assert_greater debugging.assert_greater_equal debugging.assert_less
        debugging.assert_less_equal
    """,
}

_BY_FUNCTION: dict[str, str] = {
    "elementwise": "math.add_n=add_n strings.join=join nn.dropout=dropout "
    "nn.experimental.stateless_dropout=stateless_dropout",
    "reducing": "reduce_sum reduce_prod reduce_mean reduce_max reduce_min reduce_any reduce_all "
    "math.reduce_variance=reduce_variance math.reduce_std=reduce_std "
    "math.reduce_logsumexp=reduce_logsumexp strings.reduce_join=reduce_join "
    "nn.softmax=softmax math.cumsum=cumsum",
    "segments": "math.segment_sum=segment_sum math.segment_prod=segment_prod "
    "math.segment_mean=segment_mean "
    "math.segment_max=segment_max math.segment_min=segment_min "
    "math.unsorted_segment_sum=unsorted_segment_sum "
    "math.unsorted_segment_prod=unsorted_segment_prod "
    "math.unsorted_segment_mean=unsorted_segment_mean "
    "math.unsorted_segment_sqrt_n=unsorted_segment_sqrt_n "
    "math.unsorted_segment_max=unsorted_segment_max "
    "math.unsorted_segment_min=unsorted_segment_min",
    "joining": "concat stack tile split",
    "gathering": "gather gather_nd compat.v1.batch_gather=batch_gather "
    "nn.embedding_lookup=embedding_lookup",
    "masking": "boolean_mask where dynamic_partition",
    "measuring": "rank size",
    "shape_functions": "shape reshape zeros ones fill broadcast_to",
    "reshaping": "expand_dims squeeze reverse one_hot ensure_shape",
    "matmul": "matmul",
    "embedding": "nn.embedding_lookup_sparse=embedding_lookup_sparse "
    "nn.safe_embedding_lookup_sparse=safe_embedding_lookup_sparse",
    "counting": "math.bincount=bincount sparse.bincount=sparse_bincount",
    "images": "image.resize=resize",
    "strings": "strings.unicode_encode=unicode_encode",
}


def _declared() -> dict[str, int | tuple[str, str]]:
    """How each public name is served: the number of operands, or a module and a function."""
    found: dict[str, int | tuple[str, str]] = {}
    for count, names in _OF_ELEMENTS.items():
        found.update(dict.fromkeys(names.split(), count))
    for home, names in _BY_FUNCTION.items():
        for text in names.split():
            name, _, function = text.partition("=")
            found[name] = home, function or name
    return found


_SERVED: dict[Any, int | tuple[str, str]] = {}
"""How each function that has been asked to is served."""


def _by_home() -> dict[str, dict[str, int | tuple[str, str]]]:
    """The same by the modules where the functions stand, and their names there."""
    declared = _declared()
    found: dict[str, dict[str, int | tuple[str, str]]] = {}
    for space, homes in NAMES.items():
        for home, texts in homes.items():
            for text in texts.split():
                name, _, attribute = text.partition("=")
                how = declared.get(f"{space}.{name}" if space else name)
                if how is not None:
                    found.setdefault(home, {})[attribute or name] = how
    return found


_HOMES = _by_home()


def arrived(home: str, module: ModuleType) -> None:
    """Let the functions of a module that serve ragged tensors ask for an answer."""
    for attribute, how in _HOMES.get(home, {}).items():
        function = getattr(module, attribute)
        _SERVED[function] = how
        ask(function)


@functools.cache
def install() -> None:
    """The same for all modules, those that are there and those that will be; once.

    A module that is just being imported arrives when its names are taken over.
    """
    ARRIVALS.append(arrived)
    for home in _HOMES:
        module = sys.modules.get(f"{PACKAGE}.{home}")
        if module is not None and not getattr(module.__spec__, "_initializing", False):
            arrived(home, module)


def operands_of(function: Function) -> int:
    """How many operands a function of elements has; 0 if it is of something else."""
    how = _SERVED.get(function)
    return how if isinstance(how, int) else OPERANDS.get(function, 0)


def call(function: Function, args: RaggedOrDense, kwargs: Mapping[str, Any]) -> RaggedOrDense:
    """The result of a function that has ragged tensors among its arguments."""
    from .elementwise import by_elements

    how = _SERVED.get(function)
    if how is None:
        return by_elements(function, args) if function in OPERANDS else NotImplemented
    if isinstance(how, int):
        return _of_elements(function, how, args, kwargs)
    module = import_module(f"{__package__}.{how[0]}")
    return getattr(module, how[1])(*args, **kwargs)


def _of_elements(
    function: Function, count: int, args: RaggedOrDense, kwargs: Mapping[str, Any]
) -> RaggedOrDense:
    """The function of its first operands, with all other arguments as they are."""
    from .elementwise import by_elements

    bound = bound_arguments(signature(function), args, kwargs)
    if bound is None:
        return NotImplemented
    given = bound.arguments
    names = list(given)[:count]

    def of_values(*values: RaggedOrDense) -> RaggedOrDense:
        return function(**{**given, **dict(zip(names, values, strict=True))})

    return by_elements(of_values, [given[name] for name in names])


def bound_arguments(
    wanted: Signature, args: Sequence[object], kwargs: Mapping[str, object]
) -> BoundArguments | None:
    """The arguments of a call by their names; None if they do not fit, for which it has failed."""
    try:
        return wanted.bind(*args, **kwargs)
    except TypeError:
        return None
