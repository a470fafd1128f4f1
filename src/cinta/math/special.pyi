# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..ops.elementwise.bessel import bessel_i0 as bessel_i0
from ..ops.elementwise.bessel import bessel_i0e as bessel_i0e
from ..ops.elementwise.bessel import bessel_i1 as bessel_i1
from ..ops.elementwise.bessel import bessel_i1e as bessel_i1e
from ..ops.elementwise.bessel import bessel_j0 as bessel_j0
from ..ops.elementwise.bessel import bessel_j1 as bessel_j1
from ..ops.elementwise.bessel import bessel_k0 as bessel_k0
from ..ops.elementwise.bessel import bessel_k0e as bessel_k0e
from ..ops.elementwise.bessel import bessel_k1 as bessel_k1
from ..ops.elementwise.bessel import bessel_k1e as bessel_k1e
from ..ops.elementwise.bessel import bessel_y0 as bessel_y0
from ..ops.elementwise.bessel import bessel_y1 as bessel_y1
from ..ops.elementwise.bessel import dawsn as dawsn
from ..ops.elementwise.bessel import expint as expint
from ..ops.elementwise.bessel import fresnel_cos as fresnel_cos
from ..ops.elementwise.bessel import fresnel_sin as fresnel_sin
from ..ops.elementwise.bessel import spence as spence
