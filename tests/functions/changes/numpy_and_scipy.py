"""Generators of random numbers, iterators of NumPy, and what SciPy makes."""

import random

import numpy as np
import scipy.interpolate
import scipy.sparse
import scipy.spatial

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_generator():
    generator = np.random.default_rng(1)
    yield lambda x: x * generator.normal()
    generator.normal()
    yield


@change
def a_bound_draw():
    draw = np.random.default_rng(1).normal
    yield lambda x: x * draw()
    draw()
    yield


@change
def a_generator_made_inside_from_a_seed():
    seed = 1
    yield lambda x: x * np.random.default_rng(seed).normal()
    seed = 2
    yield


@change
def the_state_of_a_generator():
    generator = np.random.default_rng(1)
    yield lambda x: x * (generator.bit_generator.state["state"]["state"] % 1000)
    generator.normal()
    yield


@change
def children_of_a_seed():
    seeds = np.random.SeedSequence(1)
    yield lambda x: x * (seeds.spawn(1)[0].entropy + seeds.n_children_spawned)
    seeds.spawn(1)
    yield


@change
def an_old_generator():
    generator = np.random.RandomState(1)
    yield lambda x: x * generator.rand()
    generator.rand()
    yield


@change
def the_global_generator():
    np.random.seed(1)  # noqa: NPY002
    yield lambda x: x * np.random.rand()  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    yield


@change
def a_generator_of_python():
    generator = random.Random(1)
    yield lambda x: x * generator.random()
    generator.random()
    yield


@change
def a_bound_draw_of_python():
    draw = random.Random(1).random
    yield lambda x: x * draw()
    draw()
    yield


@change
def the_global_generator_of_python():
    random.seed(1)
    yield lambda x: x * random.random()
    random.seed(2)
    yield


@change
def a_generator_of_its_own():
    class Fixed(random.Random):
        k = 2.0

        def random(self):
            return self.k

    generator = Fixed(1)
    yield lambda x: x * generator.random()
    generator.k = 3.0
    yield


@change
def a_shuffle_in_place():
    order = [1.0, 2.0, 3.0, 4.0]

    def f(x):
        random.Random(1).shuffle(order)
        return x * order[0]

    yield f
    order[:] = [5.0] * 4
    yield


@change
def an_iterator_over_an_array():
    values = np.arange(1.0, 20.0).flat
    yield lambda x: x * next(values)
    next(values)
    yield


@change
def a_flat_view_of_an_array():
    ks = np.ones(2)
    flat = ks.flat
    yield lambda x: x * flat[0]
    ks[0] = 5.0
    yield


@change
def an_iterator_over_places():
    places = np.ndenumerate(np.arange(1.0, 20.0))
    yield lambda x: x * next(places)[1]
    next(places)
    yield


@change
def an_iterator_over_many():
    pairs = np.nditer(np.arange(1.0, 20.0))
    yield lambda x: x * float(next(pairs))
    next(pairs)
    yield


@change
def a_broadcast():
    ks = np.arange(1.0, 20.0)
    pairs = np.broadcast(ks, ks)
    yield lambda x: x * next(pairs)[0]
    next(pairs)
    yield


@change
def a_function_that_is_vectorized():
    k = 2.0
    scaled = np.vectorize(lambda x: x * k)
    yield lambda x: x * float(scaled(1.0))
    k = 3.0
    yield


@change
def a_ufunc_of_python():
    k = 2.0
    scaled = np.frompyfunc(lambda x: x * k, 1, 1)
    yield lambda x: x * scaled(1.0)
    k = 3.0
    yield


@change
def a_bound_sum():
    ks = np.ones(2)
    total = ks.sum
    yield lambda x: x * total()
    ks[0] = 5.0
    yield


@change
def a_bound_item():
    ks = np.ones(2)
    item = ks.item
    yield lambda x: x * item(0)
    ks[0] = 5.0
    yield


@change
def an_array_of_ones_own_protocol():
    class Mine:
        k = 2.0

        def __array_function__(self, function, types, args, kwargs):
            return self.k

    mine = Mine()
    yield lambda x: x * np.sum(mine)
    mine.k = 3.0
    yield


@change
def ufuncs_of_ones_own():
    class Mine:
        k = 2.0

        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return self.k

    mine = Mine()
    yield lambda x: x * np.sqrt(mine)
    mine.k = 3.0
    yield


@change
def a_sparse_matrix():
    matrix = scipy.sparse.csr_matrix([[2.0]])
    yield lambda x: x * float(matrix.sum())
    matrix.data[0] = 3.0
    yield


@change
def an_item_of_a_sparse_matrix():
    matrix = scipy.sparse.lil_matrix((2, 2))
    matrix[0, 0] = 2.0
    yield lambda x: x * matrix[0, 0]
    matrix[0, 0] = 3.0
    yield


@change
def a_sparse_array_in_an_op():
    matrix = scipy.sparse.csr_array(np.eye(2, dtype=np.float32))
    yield lambda x: x * tf.constant(matrix.toarray())
    matrix.data[0] = 3.0
    yield


@change
def a_sparse_array_of_keys():
    matrix = scipy.sparse.dok_array((2, 2))
    matrix[0, 0] = 2.0
    yield lambda x: x * matrix[0, 0]
    matrix[0, 0] = 3.0
    yield


@change
def a_product_with_a_sparse_matrix():
    matrix = scipy.sparse.csr_matrix([[2.0]])
    ones = np.ones(1)
    yield lambda x: x * float((matrix @ ones)[0])
    matrix.data[0] = 3.0
    yield


@change
def a_spline():
    spline = scipy.interpolate.CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    yield lambda x: x * float(spline(1.5))
    spline.c[:] = 1.0
    yield


@change
def another_spline():
    spline = scipy.interpolate.BSpline(np.arange(6.0), np.ones(3), 2)
    yield lambda x: x * float(spline(2.5))
    spline.c[:] = 3.0
    yield


@change
def what_interpolates():
    found = scipy.interpolate.interp1d([0.0, 1.0], [2.0, 2.0])
    yield lambda x: x * float(found(0.5))
    found.y = np.array([3.0, 3.0])
    found._y[:] = 3.0
    yield


@change
def a_rotation():
    rotations = [scipy.spatial.transform.Rotation.from_euler("z", 0.5)]
    yield lambda x: x * float(rotations[0].as_matrix()[0, 0])
    rotations[0] = scipy.spatial.transform.Rotation.from_euler("z", 1.0)
    yield


@change
def a_tree_of_points():
    points = np.array([[0.0], [2.0]])
    trees = Box(tree=scipy.spatial.cKDTree(points))
    yield lambda x: x * float(trees.tree.query([5.0])[0])
    trees.tree = scipy.spatial.cKDTree(points - 1.0)
    yield


@change
def a_linear_operator():
    k = 2.0
    made = scipy.sparse.linalg.LinearOperator((1, 1), matvec=lambda v: k * v)
    yield lambda x: x * float((made @ np.ones(1))[0])
    k = 3.0
    yield
