# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.ragged.creation import constant as constant
from .ops.ragged.creation import ragged_range as _range
range = _range
from .ops.ragged.creation import row_splits_to_segment_ids as row_splits_to_segment_ids
from .ops.ragged.creation import segment_ids_to_row_splits as segment_ids_to_row_splits
from .ops.ragged.joining import stack as stack
from .ops.ragged.joining import stack_dynamic_partitions as stack_dynamic_partitions
from .ops.ragged.mapping import map_flat_values as map_flat_values
from .ops.ragged.masking import masked as _boolean_mask
boolean_mask = _boolean_mask
from .ops.ragged.strings import cross as cross
from .ops.ragged.strings import cross_hashed as cross_hashed
