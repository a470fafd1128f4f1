"""The names of tf.linalg."""

from .ops.creation import eye as eye
from .ops.shaping import matrix_transpose as matrix_transpose
from .ops.matmul import adjoint as adjoint
from .ops.matmul import matmul as matmul
from .ops.matmul import matvec as matvec
from .ops.matmul import tensordot as tensordot
