"""Programs that type checkers must accept; nothing here is run."""

from typing import assert_type

import numpy as np

import cinta as tf

x = tf.constant([1.0, 2.0])
v = tf.Variable([1.0, 2.0], trainable=True, dtype=tf.float32)
table = np.ones((3, 2), np.float32)

# -- values that become tensors
assert_type(tf.convert_to_tensor(table), tf.Tensor)
assert_type(tf.constant("text"), tf.Tensor)
assert_type(tf.constant([[1, 2], [3, 4]], tf.int64, shape=[4]), tf.Tensor)
assert_type(tf.constant(range(3), dtype="float32"), tf.Tensor)
tf.Variable(lambda: 1.0)
tf.Variable(table, shape=[None, 2])
tf.Variable(x, shape=tf.TensorShape(None), dtype=np.float32)

# -- elementwise
assert_type(tf.exp(1.0), tf.Tensor)
assert_type(tf.exp(v), tf.Tensor)
assert_type(tf.sin([1.0, 2.0]), tf.Tensor)
assert_type(tf.sqrt(table), tf.Tensor)
assert_type(tf.abs(-3), tf.Tensor)
assert_type(tf.add("a", "b"), tf.Tensor)
assert_type(tf.multiply(x, 2.0), tf.Tensor)
assert_type(tf.maximum(v, np.float32(0)), tf.Tensor)
assert_type(tf.cast(x, tf.int32), tf.Tensor)
assert_type(tf.cast(3, float), tf.Tensor)
assert_type(tf.cast(v, "float64"), tf.Tensor)
assert_type(tf.stop_gradient(v), tf.Tensor)
assert_type(tf.identity((1.0, x)), tf.Tensor)
assert_type(tf.math.xlogy(x, [0.0, 1.0]), tf.Tensor)
assert_type(tf.complex(1.0, x), tf.Tensor)

# -- shapes and dtypes
assert_type(tf.zeros(3), tf.Tensor)
assert_type(tf.zeros([2, 3], tf.int32), tf.Tensor)
assert_type(tf.ones(x.shape), tf.Tensor)
assert_type(tf.zeros((x.shape[0], 2), dtype=x.dtype), tf.Tensor)
assert_type(tf.fill([2], "text"), tf.Tensor)
assert_type(tf.eye(2, batch_shape=[3]), tf.Tensor)
assert_type(tf.range(3), tf.Tensor)
assert_type(tf.range(0.0, 1.0, 0.1), tf.Tensor)
assert_type(tf.linspace(0.0, 1.0, 5), tf.Tensor)
assert_type(tf.one_hot([0, 1], depth=3, axis=-1), tf.Tensor)
assert_type(tf.reshape(x, [-1, 1]), tf.Tensor)
assert_type(tf.reshape(table, tf.shape(x)), tf.Tensor)
assert_type(tf.broadcast_to(x, (3, 2)), tf.Tensor)
assert_type(tf.transpose(table, perm=[1, 0]), tf.Tensor)
assert_type(tf.expand_dims(x, 0), tf.Tensor)
assert_type(tf.squeeze(x, axis=[0]), tf.Tensor)

# -- arrays
assert_type(tf.concat([x, v], axis=0), tf.Tensor)
assert_type(tf.stack((x, [1.0, 2.0]), 0), tf.Tensor)
assert_type(tf.gather(table, [0, 1], axis=0), tf.Tensor)
assert_type(tf.gather_nd(table, [[0, 1]]), tf.Tensor)
assert_type(tf.pad(x, [[1, 1]], constant_values=1.0), tf.Tensor)
assert_type(tf.tile(x, [2]), tf.Tensor)
assert_type(tf.repeat(x, 2, axis=0), tf.Tensor)
assert_type(tf.reverse(x, [0]), tf.Tensor)
assert_type(tf.roll(x, 1, 0), tf.Tensor)
assert_type(tf.boolean_mask(x, [True, False]), tf.Tensor)
assert_type(tf.scatter_nd([[0]], [1.0], [3]), tf.Tensor)

# -- reductions
assert_type(tf.reduce_sum(x), tf.Tensor)
assert_type(tf.reduce_mean(table, axis=(0, 1), keepdims=True), tf.Tensor)
assert_type(tf.reduce_max([1, 2], 0), tf.Tensor)
assert_type(tf.reduce_any([True]), tf.Tensor)
assert_type(tf.argmax(x, axis=-1, output_type=tf.int32), tf.Tensor)
assert_type(tf.cumsum(x, axis=0, exclusive=True), tf.Tensor)
assert_type(tf.norm(x, ord=2), tf.Tensor)
assert_type(tf.sort(x, direction="DESCENDING"), tf.Tensor)
assert_type(tf.math.segment_sum(x, [0, 0]), tf.Tensor)

# -- linear algebra
assert_type(tf.matmul(table, table, transpose_b=True), tf.Tensor)
assert_type(tf.tensordot(table, table, axes=[[0], [0]]), tf.Tensor)
assert_type(tf.tensordot(table, table, axes=1), tf.Tensor)
assert_type(tf.linalg.inv(tf.eye(2)), tf.Tensor)
assert_type(tf.linalg.solve(tf.eye(2), [[1.0], [2.0]]), tf.Tensor)
assert_type(tf.linalg.diag([1.0, 2.0]), tf.Tensor)
tf.linalg.LinearOperatorDiag(v).matmul(tf.eye(2))

# -- gradients
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.reduce_sum(x * v)
assert_type(tape.gradient(y, x), tf.Tensor | tf.IndexedSlices | None)
assert_type(tape.gradient([y, y], [x, v]), list[tf.Tensor | tf.IndexedSlices | None])
assert_type(tape.gradient(y, (x, v)), tuple[tf.Tensor | tf.IndexedSlices | None, ...])
assert_type(tape.gradient(y, {"x": x}), dict[str, tf.Tensor | tf.IndexedSlices | None])
assert_type(tape.gradient(y, [v], [1.0], "zero"), list[tf.Tensor | tf.IndexedSlices | None])
assert_type(tape.batch_jacobian(y, x), tf.Tensor)
tape.gradient(y, [[x], {"v": v}])
found = tape.gradient(y, v)
if found is not None:
    v.assign_sub(0.1 * found)


# -- functions keep their signatures
@tf.function
def step(a: tf.Tensor, rate: float = 0.1) -> tf.Tensor:
    return a * rate


@tf.function(jit_compile=False)
def joined(a: tf.Tensor, *, name: str) -> tuple[tf.Tensor, str]:
    return a, name


class Layer(tf.Module):
    @tf.function
    def __call__(self, a: tf.Tensor) -> tf.Tensor:
        return a * v

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def twice(self, a: tf.Tensor) -> tf.Tensor:
        return self(self(a))


@tf.recompute_grad
def remembered(a: tf.Tensor) -> tf.Tensor:
    return tf.exp(a)


assert_type(step(x, rate=0.5), tf.Tensor)
assert_type(joined(x, name="x"), tuple[tf.Tensor, str])
assert_type(Layer()(x), tf.Tensor)
assert_type(Layer().twice(x), tf.Tensor)
assert_type(remembered(x), tf.Tensor)
tf.grad(lambda a: a**3)(2.0)


# -- numbers along axes
image = tf.ones([1, 8, 8, 1])
tf.nn.conv2d(image, tf.ones([2, 2, 1, 1]), tf.constant([2, 2]), "SAME", dilations=[1, 1])
tf.nn.max_pool2d(image, np.int64(2), (2, 2), "VALID")
