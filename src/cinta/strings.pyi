# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.ragged.strings import ngrams as ngrams
from .ops.strings.converting import as_string as as_string
from .ops.strings.converting import format as format
from .ops.strings.converting import join as join
from .ops.strings.converting import length as length
from .ops.strings.converting import lower as lower
from .ops.strings.converting import strip as strip
from .ops.strings.converting import to_number as to_number
from .ops.strings.converting import upper as upper
from .ops.strings.cutting import reduce_join as reduce_join
from .ops.strings.cutting import regex_full_match as regex_full_match
from .ops.strings.cutting import regex_replace as regex_replace
from .ops.strings.cutting import substr as substr
from .ops.strings.cutting import unsorted_segment_join as unsorted_segment_join
from .ops.strings.encoding import unicode_encode as unicode_encode
from .ops.strings.encoding import unicode_transcode as unicode_transcode
from .ops.strings.hashing import to_hash_bucket as to_hash_bucket
from .ops.strings.hashing import to_hash_bucket_fast as to_hash_bucket_fast
from .ops.strings.hashing import to_hash_bucket_strong as to_hash_bucket_strong
from .ops.strings.scripts import unicode_script as unicode_script
from .ops.strings.splitting import bytes_split as bytes_split
from .ops.strings.splitting import split as split
from .ops.strings.unicode import unicode_decode as unicode_decode
from .ops.strings.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from .ops.strings.unicode import unicode_split as unicode_split
from .ops.strings.unicode import unicode_split_with_offsets as unicode_split_with_offsets
