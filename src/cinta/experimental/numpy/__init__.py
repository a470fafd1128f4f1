"""The names of tf.experimental.numpy."""

from ...public import namespace as _namespace
from .types import complex64 as complex64
from .types import complex128 as complex128
from .types import complex_ as complex_
from .types import e as e
from .types import finfo as finfo
from .types import float16 as float16
from .types import float32 as float32
from .types import float64 as float64
from .types import float_ as float_
from .types import iinfo as iinfo
from .types import inexact as inexact
from .types import inf as inf
from .types import int8 as int8
from .types import int16 as int16
from .types import int32 as int32
from .types import int64 as int64
from .types import int_ as int_
from .types import issubdtype as issubdtype
from .types import newaxis as newaxis
from .types import object_ as object_
from .types import pi as pi
from .types import string_ as string_
from .types import uint8 as uint8
from .types import uint16 as uint16
from .types import uint32 as uint32
from .types import uint64 as uint64
from .types import unicode_ as unicode_

__getattr__, __dir__ = _namespace(__name__)
