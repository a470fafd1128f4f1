# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..summary.writing import get_step as get_step
from ..summary.writing import set_step as set_step
from ..summary.writing import summary_scope as summary_scope
from ..summary.writing import write_raw_pb as write_raw_pb
