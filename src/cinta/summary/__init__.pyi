# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..summary.graphs import graph as graph
from ..summary.graphs import trace_export as trace_export
from ..summary.graphs import trace_off as trace_off
from ..summary.graphs import trace_on as trace_on
from ..summary.kinds import audio as audio
from ..summary.kinds import histogram as histogram
from ..summary.kinds import image as image
from ..summary.kinds import scalar as scalar
from ..summary.kinds import text as text
from ..summary.writers import SummaryWriter as SummaryWriter
from ..summary.writers import create_file_writer as create_file_writer
from ..summary.writers import create_noop_writer as create_noop_writer
from ..summary.writers import flush as flush
from ..summary.writing import record_if as record_if
from ..summary.writing import should_record_summaries as should_record_summaries
from ..summary.writing import write as write
