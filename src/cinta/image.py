"""The names of tf.image."""

from .ops.image_adjusting import adjust_contrast as adjust_contrast
from .ops.image_dtypes import convert_image_dtype as convert_image_dtype
