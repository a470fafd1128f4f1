# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..data.base import AUTOTUNE as AUTOTUNE
from ..data.dataset import Dataset as Dataset
from ..data.dataset_options import Options as Options
from ..data.dataset_options import ThreadingOptions as ThreadingOptions
from ..data.elements import DatasetSpec as DatasetSpec
from ..data.file_datasets import FixedLengthRecordDataset as FixedLengthRecordDataset
from ..data.file_datasets import TFRecordDataset as TFRecordDataset
from ..data.file_datasets import TextLineDataset as TextLineDataset
from ..data.iterator import Iterator as Iterator
from ..data.iterator import NumpyIterator as NumpyIterator
from ..data.iterator_specs import IteratorSpec as IteratorSpec
from ..data.stage import INFINITE as _INFINITE_CARDINALITY
INFINITE_CARDINALITY = _INFINITE_CARDINALITY
from ..data.stage import UNKNOWN as _UNKNOWN_CARDINALITY
UNKNOWN_CARDINALITY = _UNKNOWN_CARDINALITY
