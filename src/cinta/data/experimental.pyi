# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..data.base import AUTOTUNE as AUTOTUNE
from ..data.csv_files import CsvDataset as CsvDataset
from ..data.csv_files import make_csv_dataset as make_csv_dataset
from ..data.dataset_options import AutoShardPolicy as AutoShardPolicy
from ..data.dataset_options import AutotuneAlgorithm as AutotuneAlgorithm
from ..data.dataset_options import AutotuneOptions as AutotuneOptions
from ..data.dataset_options import DistributeOptions as DistributeOptions
from ..data.dataset_options import ExternalStatePolicy as ExternalStatePolicy
from ..data.dataset_options import OptimizationOptions as OptimizationOptions
from ..data.dataset_options import ThreadingOptions as ThreadingOptions
from ..data.experimental_functions import Counter as Counter
from ..data.experimental_functions import assert_cardinality as assert_cardinality
from ..data.experimental_functions import bucket_by_sequence_length as bucket_by_sequence_length
from ..data.experimental_functions import cardinality as cardinality
from ..data.experimental_functions import choose_from_datasets as choose_from_datasets
from ..data.experimental_functions import copy_to_device as copy_to_device
from ..data.experimental_functions import dense_to_ragged_batch as dense_to_ragged_batch
from ..data.experimental_functions import dense_to_sparse_batch as dense_to_sparse_batch
from ..data.experimental_functions import enumerate_dataset as enumerate_dataset
from ..data.experimental_functions import from_list as from_list
from ..data.experimental_functions import get_next_as_optional as get_next_as_optional
from ..data.experimental_functions import get_single_element as get_single_element
from ..data.experimental_functions import get_structure as get_structure
from ..data.experimental_functions import group_by_window as group_by_window
from ..data.experimental_functions import ignore_errors as ignore_errors
from ..data.experimental_functions import map_and_batch as map_and_batch
from ..data.experimental_functions import prefetch_to_device as prefetch_to_device
from ..data.experimental_functions import rejection_resample as rejection_resample
from ..data.experimental_functions import sample_from_datasets as sample_from_datasets
from ..data.experimental_functions import scan as scan
from ..data.experimental_functions import shuffle_and_repeat as shuffle_and_repeat
from ..data.experimental_functions import take_while as take_while
from ..data.experimental_functions import unbatch as unbatch
from ..data.experimental_functions import unique as unique
from ..data.iterator import Optional as Optional
from ..data.random_access import at as at
from ..data.stage import INFINITE as _INFINITE_CARDINALITY
INFINITE_CARDINALITY = _INFINITE_CARDINALITY
from ..data.stage import UNKNOWN as _UNKNOWN_CARDINALITY
UNKNOWN_CARDINALITY = _UNKNOWN_CARDINALITY
from ..io.records import TFRecordWriter as TFRecordWriter
