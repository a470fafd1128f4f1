# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .data.queueing import QueueBase as QueueBase
from .data.queues import FIFOQueue as FIFOQueue
from .data.queues import PaddingFIFOQueue as PaddingFIFOQueue
from .data.queues import PriorityQueue as PriorityQueue
from .data.queues import RandomShuffleQueue as RandomShuffleQueue
