# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..graphs.model_fingerprints import Fingerprint as Fingerprint
from ..graphs.model_fingerprints import read_fingerprint as read_fingerprint
from ..saved_model.save_options import VariablePolicy as VariablePolicy
