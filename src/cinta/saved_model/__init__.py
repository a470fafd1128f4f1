"""The names of tf.saved_model."""

from ..listing import only_public as _only_public
from .loading import contains_saved_model as contains_saved_model
from .loading import load as load
from .options import LoadOptions as LoadOptions
from .options import SaveOptions as SaveOptions
from .saving import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from .saving import SERVING as SERVING
from .saving import save as save

__dir__ = _only_public(globals())
