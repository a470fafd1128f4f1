"""The names of tf.strings."""

from .ops.checks.strings import as_string as as_string
from .ops.checks.strings import format as format
from .ops.checks.strings import join as join
from .ops.checks.strings import length as length
from .ops.checks.strings import lower as lower
from .ops.checks.strings import strip as strip
from .ops.checks.strings import to_number as to_number
from .ops.checks.strings import upper as upper
