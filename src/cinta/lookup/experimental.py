"""The names of tf.lookup.experimental."""

from .tables import DenseHashTable as DenseHashTable
from .tables import MutableHashTable as MutableHashTable
