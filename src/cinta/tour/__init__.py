"""The guided tour: code that is shown, run, and explained, stop by stop.

>>> from cinta import tour
>>> [stop.name for stop in tour.stops()][:3]
['imports', 'square', 'matrix']
"""

from .chart import line_chart
from .runner import Stop, run, stops

__all__ = ["Stop", "line_chart", "run", "stops"]
