# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..test.benchmarks import Benchmark as Benchmark
from ..test.built_with import disable_with_predicate as disable_with_predicate
from ..test.built_with import gpu_device_name as gpu_device_name
from ..test.built_with import is_built_with_cuda as is_built_with_cuda
from ..test.built_with import is_built_with_cuda as _is_built_with_gpu_support
is_built_with_gpu_support = _is_built_with_gpu_support
from ..test.built_with import is_built_with_cuda as _is_built_with_rocm
is_built_with_rocm = _is_built_with_rocm
from ..test.built_with import is_built_with_xla as is_built_with_xla
from ..test.built_with import is_cpu_target_available as is_cpu_target_available
from ..test.built_with import is_gpu_available as is_gpu_available
from ..test.built_with import with_eager_op_as_function as with_eager_op_as_function
from ..test.cases import TestCase as TestCase
from ..test.cases import main as main
from ..test.gradient_checks import compute_gradient as compute_gradient
