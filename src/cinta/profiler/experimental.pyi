# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..profiler.profiling import Profile as Profile
from ..profiler.profiling import ProfilerOptions as ProfilerOptions
from ..profiler.profiling import Trace as Trace
from ..profiler.profiling import start as start
from ..profiler.profiling import stop as stop
