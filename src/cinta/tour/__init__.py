"""The guided tour: code that is shown, run, and explained, stop by stop.

>>> from cinta import tour
>>> [stop.name for stop in tour.stops()][:3]
['imports', 'square', 'matrix']
"""

from .chart import line_chart
from .runner import LANGUAGES, Stop, language, run, stops

__all__ = ["LANGUAGES", "Stop", "language", "line_chart", "run", "stops"]
