# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import gfile as gfile
from ..io.decode_text import decode_base64 as decode_base64
from ..io.decode_text import decode_raw as decode_raw
from ..io.decode_text import encode_base64 as encode_base64
from ..io.decoding_csv import decode_csv as decode_csv
from ..io.files import matching_files as matching_files
from ..io.files import read_file as read_file
from ..io.files import write_file as write_file
from ..io.images import decode_bmp as decode_bmp
from ..io.images import decode_gif as decode_gif
from ..io.images import decode_image as decode_image
from ..io.images import decode_jpeg as decode_jpeg
from ..io.images import decode_png as decode_png
from ..io.images import encode_jpeg as encode_jpeg
from ..io.images import encode_png as encode_png
from ..io.images import extract_jpeg_shape as extract_jpeg_shape
from ..io.images import is_jpeg as is_jpeg
from ..io.tensor_protos import parse_tensor as parse_tensor
from ..io.tensor_protos import serialize_tensor as serialize_tensor
