"""The names of tf.compat."""

from ..listing import only_public as _only_public
from . import v1 as v1
from .conversions import as_bytes as as_bytes
from .conversions import as_str as as_str
from .conversions import as_str_any as as_str_any
from .conversions import as_text as as_text
from .conversions import bytes_or_text_types as bytes_or_text_types
from .conversions import complex_types as complex_types
from .conversions import dimension_at_index as dimension_at_index
from .conversions import dimension_value as dimension_value
from .conversions import integral_types as integral_types
from .conversions import path_to_str as path_to_str
from .conversions import real_types as real_types

__dir__ = _only_public(globals())
