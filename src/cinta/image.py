"""The names of tf.image."""

from .io.images import decode_bmp as decode_bmp
from .io.images import decode_gif as decode_gif
from .io.images import decode_image as decode_image
from .io.images import decode_jpeg as decode_jpeg
from .io.images import decode_png as decode_png
from .io.images import encode_jpeg as encode_jpeg
from .io.images import encode_png as encode_png
from .io.images import extract_jpeg_shape as extract_jpeg_shape
from .io.images import is_jpeg as is_jpeg
from .io.jpeg_quality import adjust_jpeg_quality as adjust_jpeg_quality
from .io.jpeg_quality import random_jpeg_quality as random_jpeg_quality
from .io.jpeg_quality import stateless_random_jpeg_quality as stateless_random_jpeg_quality
from .ops.image.adjusting import adjust_brightness as adjust_brightness
from .ops.image.adjusting import adjust_contrast as adjust_contrast
from .ops.image.adjusting import adjust_gamma as adjust_gamma
from .ops.image.adjusting import adjust_hue as adjust_hue
from .ops.image.adjusting import adjust_saturation as adjust_saturation
from .ops.image.adjusting import per_image_standardization as per_image_standardization
from .ops.image.boxes import crop_and_resize as crop_and_resize
from .ops.image.colors import grayscale_to_rgb as grayscale_to_rgb
from .ops.image.colors import hsv_to_rgb as hsv_to_rgb
from .ops.image.colors import rgb_to_grayscale as rgb_to_grayscale
from .ops.image.colors import rgb_to_hsv as rgb_to_hsv
from .ops.image.colors import rgb_to_yiq as rgb_to_yiq
from .ops.image.colors import rgb_to_yuv as rgb_to_yuv
from .ops.image.colors import yiq_to_rgb as yiq_to_rgb
from .ops.image.colors import yuv_to_rgb as yuv_to_rgb
from .ops.image.cropping_at_random import (
    sample_distorted_bounding_box as sample_distorted_bounding_box,
)
from .ops.image.cropping_at_random import (
    stateless_sample_distorted_bounding_box as stateless_sample_distorted_bounding_box,
)
from .ops.image.drawing import draw_bounding_boxes as draw_bounding_boxes
from .ops.image.dtypes import convert_image_dtype as convert_image_dtype
from .ops.image.geometry import central_crop as central_crop
from .ops.image.geometry import crop_to_bounding_box as crop_to_bounding_box
from .ops.image.geometry import flip_left_right as flip_left_right
from .ops.image.geometry import flip_up_down as flip_up_down
from .ops.image.geometry import pad_to_bounding_box as pad_to_bounding_box
from .ops.image.geometry import resize_with_crop_or_pad as resize_with_crop_or_pad
from .ops.image.geometry import rot90 as rot90
from .ops.image.geometry import transpose as transpose
from .ops.image.glimpses import extract_glimpse as extract_glimpse
from .ops.image.patches import extract_patches as extract_patches
from .ops.image.patches import image_gradients as image_gradients
from .ops.image.patches import sobel_edges as sobel_edges
from .ops.image.quality import psnr as psnr
from .ops.image.quality import ssim as ssim
from .ops.image.quality import ssim_multiscale as ssim_multiscale
from .ops.image.quality import total_variation as total_variation
from .ops.image.random import random_brightness as random_brightness
from .ops.image.random import random_contrast as random_contrast
from .ops.image.random import random_crop as random_crop
from .ops.image.random import random_flip_left_right as random_flip_left_right
from .ops.image.random import random_flip_up_down as random_flip_up_down
from .ops.image.random import random_hue as random_hue
from .ops.image.random import random_saturation as random_saturation
from .ops.image.random import stateless_random_brightness as stateless_random_brightness
from .ops.image.random import stateless_random_contrast as stateless_random_contrast
from .ops.image.random import stateless_random_crop as stateless_random_crop
from .ops.image.random import stateless_random_flip_left_right as stateless_random_flip_left_right
from .ops.image.random import stateless_random_flip_up_down as stateless_random_flip_up_down
from .ops.image.random import stateless_random_hue as stateless_random_hue
from .ops.image.random import stateless_random_saturation as stateless_random_saturation
from .ops.image.resizing import ResizeMethod as ResizeMethod
from .ops.image.resizing import resize as resize
from .ops.image.resizing import resize_with_pad as resize_with_pad
from .ops.image.suppression import non_max_suppression as non_max_suppression
from .ops.image.suppression import non_max_suppression_overlaps as non_max_suppression_overlaps
from .ops.image.suppression import (
    non_max_suppression_with_scores as non_max_suppression_with_scores,
)
from .ops.image.suppression_of_many import (
    combined_non_max_suppression as combined_non_max_suppression,
)
from .ops.image.suppression_of_many import non_max_suppression_padded as non_max_suppression_padded
