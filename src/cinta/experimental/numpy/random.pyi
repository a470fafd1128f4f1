# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...experimental.numpy.random_numbers import poisson as poisson
from ...experimental.numpy.random_numbers import rand as rand
from ...experimental.numpy.random_numbers import randint as randint
from ...experimental.numpy.random_numbers import randn as randn
from ...experimental.numpy.random_numbers import random as random
from ...experimental.numpy.random_numbers import seed as seed
from ...experimental.numpy.random_numbers import standard_normal as standard_normal
from ...experimental.numpy.random_numbers import uniform as uniform
