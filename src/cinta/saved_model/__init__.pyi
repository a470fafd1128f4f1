# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..graphs.model_format import contains_saved_model as contains_saved_model
from ..graphs.model_format import load as load
from ..graphs.model_format import save as save
from ..saved_model.asset import Asset as Asset
from ..saved_model.save_options import LoadOptions as LoadOptions
from ..saved_model.save_options import SaveOptions as SaveOptions
from ..saved_model.saving import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from ..saved_model.saving import SERVING as SERVING
