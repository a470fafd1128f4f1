"""The names of tf.lookup."""

from ..listing import only_public as _only_public
from . import experimental as experimental
from .initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from .initializers import TextFileIndex as TextFileIndex
from .initializers import TextFileInitializer as TextFileInitializer
from .tables import StaticHashTable as StaticHashTable

__dir__ = _only_public(globals())
