"""The names of tf.strings."""

from .ops.strings import as_string as as_string
from .ops.strings import format as format
from .ops.strings import join as join
from .ops.strings import length as length
from .ops.strings import lower as lower
from .ops.strings import strip as strip
from .ops.strings import to_number as to_number
from .ops.strings import upper as upper
