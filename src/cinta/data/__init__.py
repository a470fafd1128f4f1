"""The names of tf.data."""

from ..listing import only_public as _only_public
from . import experimental as experimental
from .dataset import Dataset as Dataset
from .elements import DatasetSpec as DatasetSpec
from .face import AUTOTUNE as AUTOTUNE
from .iterator import Iterator as Iterator
from .iterator import NumpyIterator as NumpyIterator
from .options import Options as Options
from .options import ThreadingOptions as ThreadingOptions
from .reading import TextLineDataset as TextLineDataset
from .stage import INFINITE_CARDINALITY as INFINITE_CARDINALITY
from .stage import UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY

__dir__ = _only_public(globals())
