"""The names of files, tags, and inputs and outputs of signatures in TensorFlow's saved models."""

from __future__ import annotations

from typing import Final

from ..public import public

# -- files and folders -----------------------------------------------------------------------------

SAVED_MODEL_FILENAME_PB: Final = public("saved_model.SAVED_MODEL_FILENAME_PB")("saved_model.pb")
SAVED_MODEL_FILENAME_PBTXT: Final = public("saved_model.SAVED_MODEL_FILENAME_PBTXT")(
    "saved_model.pbtxt"
)
SAVED_MODEL_SCHEMA_VERSION: Final = public("saved_model.SAVED_MODEL_SCHEMA_VERSION")(1)
VARIABLES_DIRECTORY: Final = public("saved_model.VARIABLES_DIRECTORY")("variables")
VARIABLES_FILENAME: Final = public("saved_model.VARIABLES_FILENAME")("variables")
ASSETS_DIRECTORY: Final = public("saved_model.ASSETS_DIRECTORY")("assets")
ASSETS_KEY: Final = public("saved_model.ASSETS_KEY")("saved_model_assets")
DEBUG_DIRECTORY: Final = public("saved_model.DEBUG_DIRECTORY")("debug")
DEBUG_INFO_FILENAME_PB: Final = public("saved_model.DEBUG_INFO_FILENAME_PB")(
    "saved_model_debug_info.pb"
)

# -- tags ------------------------------------------------------------------------------------------

SERVING: Final = public("saved_model.SERVING")("serve")
TRAINING: Final = public("saved_model.TRAINING")("train")
GPU: Final = public("saved_model.GPU")("gpu")
TPU: Final = public("saved_model.TPU")("tpu")

# -- signatures ------------------------------------------------------------------------------------

DEFAULT_SERVING_SIGNATURE_DEF_KEY: Final = public("saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY")(
    "serving_default"
)
PREDICT_METHOD_NAME: Final = public("saved_model.PREDICT_METHOD_NAME")("tensorflow/serving/predict")
PREDICT_INPUTS: Final = public("saved_model.PREDICT_INPUTS")("inputs")
PREDICT_OUTPUTS: Final = public("saved_model.PREDICT_OUTPUTS")("outputs")
CLASSIFY_METHOD_NAME: Final = public("saved_model.CLASSIFY_METHOD_NAME")(
    "tensorflow/serving/classify"
)
CLASSIFY_INPUTS: Final = public("saved_model.CLASSIFY_INPUTS")("inputs")
CLASSIFY_OUTPUT_CLASSES: Final = public("saved_model.CLASSIFY_OUTPUT_CLASSES")("classes")
CLASSIFY_OUTPUT_SCORES: Final = public("saved_model.CLASSIFY_OUTPUT_SCORES")("scores")
REGRESS_METHOD_NAME: Final = public("saved_model.REGRESS_METHOD_NAME")("tensorflow/serving/regress")
REGRESS_INPUTS: Final = public("saved_model.REGRESS_INPUTS")("inputs")
REGRESS_OUTPUTS: Final = public("saved_model.REGRESS_OUTPUTS")("outputs")
