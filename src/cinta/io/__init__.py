"""The names of tf.io."""

from ..listing import only_public as _only_public
from . import gfile as gfile
from .decoding import decode_base64 as decode_base64
from .decoding import decode_raw as decode_raw
from .decoding import encode_base64 as encode_base64
from .decoding_csv import decode_csv as decode_csv
from .files import matching_files as matching_files
from .files import read_file as read_file
from .files import write_file as write_file
from .images import decode_bmp as decode_bmp
from .images import decode_gif as decode_gif
from .images import decode_image as decode_image
from .images import decode_jpeg as decode_jpeg
from .images import decode_png as decode_png
from .images import encode_jpeg as encode_jpeg
from .images import encode_png as encode_png
from .images import extract_jpeg_shape as extract_jpeg_shape
from .images import is_jpeg as is_jpeg
from .tensor_protos import parse_tensor as parse_tensor
from .tensor_protos import serialize_tensor as serialize_tensor

__dir__ = _only_public(globals())
