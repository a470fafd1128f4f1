# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..checkpoints.python_state import PythonState as PythonState
