"""Names of TensorFlow 1 that stand for the same things under other names in TensorFlow 2."""

from __future__ import annotations

import cinta as tf

from ..public import public

NoGradient = public("compat.v1.NoGradient")(tf.no_gradient)
NotDifferentiable = public("compat.v1.NotDifferentiable")(tf.no_gradient)
lin_space = public("compat.v1.lin_space")(tf.linspace)
reverse_v2 = public("compat.v1.reverse_v2")(tf.reverse)
tensor_scatter_add = public("compat.v1.tensor_scatter_add")(tf.tensor_scatter_nd_add)
tensor_scatter_sub = public("compat.v1.tensor_scatter_sub")(tf.tensor_scatter_nd_sub)
tensor_scatter_update = public("compat.v1.tensor_scatter_update")(tf.tensor_scatter_nd_update)
where_v2 = public("compat.v1.where_v2")(tf.where)

assert_proper_iterable = public("compat.v1.assert_proper_iterable")(
    tf.debugging.assert_proper_iterable
)
assert_same_float_dtype = public("compat.v1.assert_same_float_dtype")(
    tf.debugging.assert_same_float_dtype
)
check_numerics = public("compat.v1.check_numerics")(tf.debugging.check_numerics)
is_numeric_tensor = public("compat.v1.is_numeric_tensor")(tf.debugging.is_numeric_tensor)

OpError = public("compat.v1.OpError")(tf.errors.OpError)

random_crop = public("compat.v1.random_crop")(tf.image.random_crop)

FixedLenFeature = public("compat.v1.FixedLenFeature")(tf.io.FixedLenFeature)
FixedLenSequenceFeature = public("compat.v1.FixedLenSequenceFeature")(tf.io.FixedLenSequenceFeature)
SparseFeature = public("compat.v1.SparseFeature")(tf.io.SparseFeature)
VarLenFeature = public("compat.v1.VarLenFeature")(tf.io.VarLenFeature)
decode_base64 = public("compat.v1.decode_base64")(tf.io.decode_base64)
decode_compressed = public("compat.v1.decode_compressed")(tf.io.decode_compressed)
decode_json_example = public("compat.v1.decode_json_example")(tf.io.decode_json_example)
deserialize_many_sparse = public("compat.v1.deserialize_many_sparse")(tf.io.deserialize_many_sparse)
encode_base64 = public("compat.v1.encode_base64")(tf.io.encode_base64)
matching_files = public("compat.v1.matching_files")(tf.io.matching_files)
parse_single_sequence_example = public("compat.v1.parse_single_sequence_example")(
    tf.io.parse_single_sequence_example
)
parse_tensor = public("compat.v1.parse_tensor")(tf.io.parse_tensor)
read_file = public("compat.v1.read_file")(tf.io.read_file)
serialize_tensor = public("compat.v1.serialize_tensor")(tf.io.serialize_tensor)
write_file = public("compat.v1.write_file")(tf.io.write_file)

cholesky = public("compat.v1.cholesky")(tf.linalg.cholesky)
cholesky_solve = public("compat.v1.cholesky_solve")(tf.linalg.cholesky_solve)
cross = public("compat.v1.cross")(tf.linalg.cross)
diag = public("compat.v1.diag")(tf.linalg.tensor_diag)
diag_part = public("compat.v1.diag_part")(tf.linalg.tensor_diag_part)
global_norm = public("compat.v1.global_norm")(tf.linalg.global_norm)
matrix_band_part = public("compat.v1.matrix_band_part")(tf.linalg.band_part)
matrix_determinant = public("compat.v1.matrix_determinant")(tf.linalg.det)
matrix_diag = public("compat.v1.matrix_diag")(tf.linalg.diag)
matrix_diag_part = public("compat.v1.matrix_diag_part")(tf.linalg.diag_part)
matrix_inverse = public("compat.v1.matrix_inverse")(tf.linalg.inv)
matrix_set_diag = public("compat.v1.matrix_set_diag")(tf.linalg.set_diag)
matrix_solve = public("compat.v1.matrix_solve")(tf.linalg.solve)
matrix_solve_ls = public("compat.v1.matrix_solve_ls")(tf.linalg.lstsq)
matrix_transpose = public("compat.v1.matrix_transpose")(tf.linalg.matrix_transpose)
matrix_triangular_solve = public("compat.v1.matrix_triangular_solve")(tf.linalg.triangular_solve)
qr = public("compat.v1.qr")(tf.linalg.qr)
self_adjoint_eig = public("compat.v1.self_adjoint_eig")(tf.linalg.eigh)
self_adjoint_eigvals = public("compat.v1.self_adjoint_eigvals")(tf.linalg.eigvalsh)
svd = public("compat.v1.svd")(tf.linalg.svd)
trace = public("compat.v1.trace")(tf.linalg.trace)

accumulate_n = public("compat.v1.accumulate_n")(tf.math.accumulate_n)
angle = public("compat.v1.angle")(tf.math.angle)
betainc = public("compat.v1.betainc")(tf.math.betainc)
ceil = public("compat.v1.ceil")(tf.math.ceil)
conj = public("compat.v1.conj")(tf.math.conj)
cumprod = public("compat.v1.cumprod")(tf.math.cumprod)
digamma = public("compat.v1.digamma")(tf.math.digamma)
div_no_nan = public("compat.v1.div_no_nan")(tf.math.divide_no_nan)
erf = public("compat.v1.erf")(tf.math.erf)
erfc = public("compat.v1.erfc")(tf.math.erfc)
expm1 = public("compat.v1.expm1")(tf.math.expm1)
floordiv = public("compat.v1.floordiv")(tf.math.floordiv)
floormod = public("compat.v1.floormod")(tf.math.floormod)
igamma = public("compat.v1.igamma")(tf.math.igamma)
igammac = public("compat.v1.igammac")(tf.math.igammac)
imag = public("compat.v1.imag")(tf.math.imag)
invert_permutation = public("compat.v1.invert_permutation")(tf.math.invert_permutation)
is_finite = public("compat.v1.is_finite")(tf.math.is_finite)
is_inf = public("compat.v1.is_inf")(tf.math.is_inf)
is_nan = public("compat.v1.is_nan")(tf.math.is_nan)
is_non_decreasing = public("compat.v1.is_non_decreasing")(tf.math.is_non_decreasing)
is_strictly_increasing = public("compat.v1.is_strictly_increasing")(tf.math.is_strictly_increasing)
lbeta = public("compat.v1.lbeta")(tf.math.lbeta)
lgamma = public("compat.v1.lgamma")(tf.math.lgamma)
log = public("compat.v1.log")(tf.math.log)
log1p = public("compat.v1.log1p")(tf.math.log1p)
log_sigmoid = public("compat.v1.log_sigmoid")(tf.math.log_sigmoid)
logical_xor = public("compat.v1.logical_xor")(tf.math.logical_xor)
mod = public("compat.v1.mod")(tf.math.floormod)
polygamma = public("compat.v1.polygamma")(tf.math.polygamma)
real = public("compat.v1.real")(tf.math.real)
reciprocal = public("compat.v1.reciprocal")(tf.math.reciprocal)
rint = public("compat.v1.rint")(tf.math.rint)
rsqrt = public("compat.v1.rsqrt")(tf.math.rsqrt)
segment_max = public("compat.v1.segment_max")(tf.math.segment_max)
segment_mean = public("compat.v1.segment_mean")(tf.math.segment_mean)
segment_min = public("compat.v1.segment_min")(tf.math.segment_min)
segment_prod = public("compat.v1.segment_prod")(tf.math.segment_prod)
segment_sum = public("compat.v1.segment_sum")(tf.math.segment_sum)
squared_difference = public("compat.v1.squared_difference")(tf.math.squared_difference)
unsorted_segment_max = public("compat.v1.unsorted_segment_max")(tf.math.unsorted_segment_max)
unsorted_segment_mean = public("compat.v1.unsorted_segment_mean")(tf.math.unsorted_segment_mean)
unsorted_segment_min = public("compat.v1.unsorted_segment_min")(tf.math.unsorted_segment_min)
unsorted_segment_prod = public("compat.v1.unsorted_segment_prod")(tf.math.unsorted_segment_prod)
unsorted_segment_sqrt_n = public("compat.v1.unsorted_segment_sqrt_n")(
    tf.math.unsorted_segment_sqrt_n
)
unsorted_segment_sum = public("compat.v1.unsorted_segment_sum")(tf.math.unsorted_segment_sum)
zeta = public("compat.v1.zeta")(tf.math.zeta)

dequantize = public("compat.v1.dequantize")(tf.quantization.dequantize)
fake_quant_with_min_max_args = public("compat.v1.fake_quant_with_min_max_args")(
    tf.quantization.fake_quant_with_min_max_args
)
fake_quant_with_min_max_args_gradient = public("compat.v1.fake_quant_with_min_max_args_gradient")(
    tf.quantization.fake_quant_with_min_max_args_gradient
)
fake_quant_with_min_max_vars = public("compat.v1.fake_quant_with_min_max_vars")(
    tf.quantization.fake_quant_with_min_max_vars
)
fake_quant_with_min_max_vars_gradient = public("compat.v1.fake_quant_with_min_max_vars_gradient")(
    tf.quantization.fake_quant_with_min_max_vars_gradient
)
fake_quant_with_min_max_vars_per_channel = public(
    "compat.v1.fake_quant_with_min_max_vars_per_channel"
)(tf.quantization.fake_quant_with_min_max_vars_per_channel)
fake_quant_with_min_max_vars_per_channel_gradient = public(
    "compat.v1.fake_quant_with_min_max_vars_per_channel_gradient"
)(tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient)
quantize = public("compat.v1.quantize")(tf.quantization.quantize)

FIFOQueue = public("compat.v1.FIFOQueue")(tf.queue.FIFOQueue)
PaddingFIFOQueue = public("compat.v1.PaddingFIFOQueue")(tf.queue.PaddingFIFOQueue)
PriorityQueue = public("compat.v1.PriorityQueue")(tf.queue.PriorityQueue)
QueueBase = public("compat.v1.QueueBase")(tf.queue.QueueBase)
RandomShuffleQueue = public("compat.v1.RandomShuffleQueue")(tf.queue.RandomShuffleQueue)

random_gamma = public("compat.v1.random_gamma")(tf.random.gamma)
random_normal = public("compat.v1.random_normal")(tf.random.normal)
random_shuffle = public("compat.v1.random_shuffle")(tf.random.shuffle)
random_uniform = public("compat.v1.random_uniform")(tf.random.uniform)
truncated_normal = public("compat.v1.truncated_normal")(tf.random.truncated_normal)

fft = public("compat.v1.fft")(tf.signal.fft)
fft2d = public("compat.v1.fft2d")(tf.signal.fft2d)
fft3d = public("compat.v1.fft3d")(tf.signal.fft3d)
ifft = public("compat.v1.ifft")(tf.signal.ifft)
ifft2d = public("compat.v1.ifft2d")(tf.signal.ifft2d)
ifft3d = public("compat.v1.ifft3d")(tf.signal.ifft3d)

sparse_fill_empty_rows = public("compat.v1.sparse_fill_empty_rows")(tf.sparse.fill_empty_rows)
sparse_mask = public("compat.v1.sparse_mask")(tf.sparse.mask)
sparse_maximum = public("compat.v1.sparse_maximum")(tf.sparse.maximum)
sparse_minimum = public("compat.v1.sparse_minimum")(tf.sparse.minimum)
sparse_reorder = public("compat.v1.sparse_reorder")(tf.sparse.reorder)
sparse_reset_shape = public("compat.v1.sparse_reset_shape")(tf.sparse.reset_shape)
sparse_reshape = public("compat.v1.sparse_reshape")(tf.sparse.reshape)
sparse_retain = public("compat.v1.sparse_retain")(tf.sparse.retain)
sparse_slice = public("compat.v1.sparse_slice")(tf.sparse.slice)
sparse_softmax = public("compat.v1.sparse_softmax")(tf.sparse.softmax)
sparse_tensor_dense_matmul = public("compat.v1.sparse_tensor_dense_matmul")(
    tf.sparse.sparse_dense_matmul
)
sparse_tensor_to_dense = public("compat.v1.sparse_tensor_to_dense")(tf.sparse.to_dense)
sparse_to_indicator = public("compat.v1.sparse_to_indicator")(tf.sparse.to_indicator)
sparse_transpose = public("compat.v1.sparse_transpose")(tf.sparse.transpose)

regex_replace = public("compat.v1.regex_replace")(tf.strings.regex_replace)
string_join = public("compat.v1.string_join")(tf.strings.join)
string_strip = public("compat.v1.string_strip")(tf.strings.strip)
string_to_hash_bucket_fast = public("compat.v1.string_to_hash_bucket_fast")(
    tf.strings.to_hash_bucket_fast
)
string_to_hash_bucket_strong = public("compat.v1.string_to_hash_bucket_strong")(
    tf.strings.to_hash_bucket_strong
)
