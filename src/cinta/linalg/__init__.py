"""The names of tf.linalg."""

from ..ops.arrays.creation import eye as eye
from ..ops.arrays.shaping import matrix_transpose as matrix_transpose
from ..ops.linalg.banded import banded_triangular_solve as banded_triangular_solve
from ..ops.linalg.banded import eigh_tridiagonal as eigh_tridiagonal
from ..ops.linalg.banded import lu as lu
from ..ops.linalg.banded import lu_matrix_inverse as lu_matrix_inverse
from ..ops.linalg.banded import lu_reconstruct as lu_reconstruct
from ..ops.linalg.banded import lu_solve as lu_solve
from ..ops.linalg.banded import tridiagonal_matmul as tridiagonal_matmul
from ..ops.linalg.banded import tridiagonal_solve as tridiagonal_solve
from ..ops.linalg.decompositions import eig as eig
from ..ops.linalg.decompositions import eigh as eigh
from ..ops.linalg.decompositions import eigvals as eigvals
from ..ops.linalg.decompositions import eigvalsh as eigvalsh
from ..ops.linalg.decompositions import qr as qr
from ..ops.linalg.decompositions import svd as svd
from ..ops.linalg.diagonals import band_part as band_part
from ..ops.linalg.diagonals import diag as diag
from ..ops.linalg.diagonals import diag_part as diag_part
from ..ops.linalg.diagonals import set_diag as set_diag
from ..ops.linalg.diagonals import tensor_diag as tensor_diag
from ..ops.linalg.diagonals import tensor_diag_part as tensor_diag_part
from ..ops.linalg.diagonals import trace as trace
from ..ops.linalg.einsum import einsum as einsum
from ..ops.linalg.matmul import adjoint as adjoint
from ..ops.linalg.matmul import cross as cross
from ..ops.linalg.matmul import matmul as matmul
from ..ops.linalg.matmul import matvec as matvec
from ..ops.linalg.matmul import tensordot as tensordot
from ..ops.linalg.matrix_functions import expm as expm
from ..ops.linalg.matrix_functions import logm as logm
from ..ops.linalg.matrix_functions import lstsq as lstsq
from ..ops.linalg.matrix_functions import matrix_rank as matrix_rank
from ..ops.linalg.matrix_functions import pinv as pinv
from ..ops.linalg.matrix_functions import sqrtm as sqrtm
from ..ops.linalg.operators.base import LinearOperator as LinearOperator
from ..ops.linalg.operators.block_triangular import (
    LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular,
)
from ..ops.linalg.operators.blocks import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from ..ops.linalg.operators.blocks import LinearOperatorKronecker as LinearOperatorKronecker
from ..ops.linalg.operators.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from ..ops.linalg.operators.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from ..ops.linalg.operators.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from ..ops.linalg.operators.combined import LinearOperatorAdjoint as LinearOperatorAdjoint
from ..ops.linalg.operators.combined import LinearOperatorComposition as LinearOperatorComposition
from ..ops.linalg.operators.combined import LinearOperatorInversion as LinearOperatorInversion
from ..ops.linalg.operators.diagonal import LinearOperatorDiag as LinearOperatorDiag
from ..ops.linalg.operators.diagonal import LinearOperatorIdentity as LinearOperatorIdentity
from ..ops.linalg.operators.diagonal import (
    LinearOperatorScaledIdentity as LinearOperatorScaledIdentity,
)
from ..ops.linalg.operators.diagonal import LinearOperatorZeros as LinearOperatorZeros
from ..ops.linalg.operators.low_rank import (
    LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate,
)
from ..ops.linalg.operators.matrices import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from ..ops.linalg.operators.matrices import LinearOperatorHouseholder as LinearOperatorHouseholder
from ..ops.linalg.operators.matrices import (
    LinearOperatorLowerTriangular as LinearOperatorLowerTriangular,
)
from ..ops.linalg.operators.matrices import LinearOperatorPermutation as LinearOperatorPermutation
from ..ops.linalg.operators.matrices import LinearOperatorToeplitz as LinearOperatorToeplitz
from ..ops.linalg.operators.matrices import LinearOperatorTridiag as LinearOperatorTridiag
from ..ops.linalg.solving import cholesky as cholesky
from ..ops.linalg.solving import cholesky_solve as cholesky_solve
from ..ops.linalg.solving import det as det
from ..ops.linalg.solving import inv as inv
from ..ops.linalg.solving import logdet as logdet
from ..ops.linalg.solving import slogdet as slogdet
from ..ops.linalg.solving import solve as solve
from ..ops.linalg.solving import triangular_solve as triangular_solve
from ..ops.reductions.norms import global_norm as global_norm
from ..ops.reductions.norms import l2_normalize as l2_normalize
from ..ops.reductions.norms import norm as norm
from ..ops.reductions.norms import normalize as normalize
from . import experimental as experimental
