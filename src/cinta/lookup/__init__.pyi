# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..lookup.table_initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from ..lookup.table_initializers import TextFileIndex as TextFileIndex
from ..lookup.table_initializers import TextFileInitializer as TextFileInitializer
from ..lookup.tables import StaticHashTable as StaticHashTable
from ..lookup.vocabulary_tables import StaticVocabularyTable as StaticVocabularyTable
