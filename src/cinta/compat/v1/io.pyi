# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...io.records import tf_record_iterator as tf_record_iterator
