# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..audio.wav import decode_wav as decode_wav
from ..audio.wav import encode_wav as encode_wav
