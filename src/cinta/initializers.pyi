# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.random.keras_initializers import Constant as Constant
from .ops.random.keras_initializers import GlorotNormal as GlorotNormal
from .ops.random.keras_initializers import GlorotUniform as GlorotUniform
from .ops.random.keras_initializers import HeNormal as HeNormal
from .ops.random.keras_initializers import HeUniform as HeUniform
from .ops.random.keras_initializers import IdentityInitializer as _Identity
Identity = _Identity
from .ops.random.keras_initializers import IdentityInitializer as IdentityInitializer
from .ops.random.keras_initializers import LecunNormal as LecunNormal
from .ops.random.keras_initializers import LecunUniform as LecunUniform
from .ops.random.keras_initializers import Orthogonal as Orthogonal
from .ops.random.keras_initializers import Orthogonal as _OrthogonalInitializer
OrthogonalInitializer = _OrthogonalInitializer
from .ops.random.keras_initializers import TruncatedNormal as TruncatedNormal
from .ops.random.keras_initializers import VarianceScaling as VarianceScaling
from .ops.random.keras_initializers import Constant as _constant
constant = _constant
from .ops.random.keras_initializers import GlorotNormal as _glorot_normal
glorot_normal = _glorot_normal
from .ops.random.keras_initializers import GlorotUniform as _glorot_uniform
glorot_uniform = _glorot_uniform
from .ops.random.keras_initializers import HeNormal as _he_normal
he_normal = _he_normal
from .ops.random.keras_initializers import HeUniform as _he_uniform
he_uniform = _he_uniform
from .ops.random.keras_initializers import IdentityInitializer as _identity
identity = _identity
from .ops.random.keras_initializers import LecunNormal as _lecun_normal
lecun_normal = _lecun_normal
from .ops.random.keras_initializers import LecunUniform as _lecun_uniform
lecun_uniform = _lecun_uniform
from .ops.random.keras_initializers import Orthogonal as _orthogonal
orthogonal = _orthogonal
from .ops.random.keras_initializers import TruncatedNormal as _truncated_normal
truncated_normal = _truncated_normal
from .ops.random.keras_initializers import VarianceScaling as _variance_scaling
variance_scaling = _variance_scaling
from .ops.random.v2_initializers import Initializer as Initializer
from .ops.random.v2_initializers import ones_initializer as _Ones
Ones = _Ones
from .ops.random.v2_initializers import random_normal_initializer as _RandomNormal
RandomNormal = _RandomNormal
from .ops.random.v2_initializers import random_uniform_initializer as _RandomUniform
RandomUniform = _RandomUniform
from .ops.random.v2_initializers import zeros_initializer as _Zeros
Zeros = _Zeros
from .ops.random.v2_initializers import ones_initializer as _ones
ones = _ones
from .ops.random.v2_initializers import random_normal_initializer as _random_normal
random_normal = _random_normal
from .ops.random.v2_initializers import random_uniform_initializer as _random_uniform
random_uniform = _random_uniform
from .ops.random.v2_initializers import zeros_initializer as _zeros
zeros = _zeros
