# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import v1 as v1
from ..compat.conversions import as_bytes as as_bytes
from ..compat.conversions import as_text as _as_str
as_str = _as_str
from ..compat.conversions import as_str_any as as_str_any
from ..compat.conversions import as_text as as_text
from ..compat.conversions import bytes_or_text_types as bytes_or_text_types
from ..compat.conversions import complex_types as complex_types
from ..compat.conversions import dimension_at_index as dimension_at_index
from ..compat.conversions import dimension_value as dimension_value
from ..compat.conversions import integral_types as integral_types
from ..compat.conversions import path_to_str as path_to_str
from ..compat.conversions import real_types as real_types
