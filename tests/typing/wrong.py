"""Lines of which each is an error to type checkers; nothing here is run."""

import cinta as tf

x = tf.constant([1.0, 2.0])
v = tf.Variable([1.0, 2.0])
tape = tf.GradientTape()
y = x * v


@tf.function
def step(a: tf.Tensor, rate: float = 0.1) -> tf.Tensor:
    return a * rate


tf.constant({1: 2})  # error
tf.constant(None)  # error
tf.constant(tf.sin)  # error
tf.constant(1.0, dtype=3.5)  # error
tf.constant(1.0, shape="ab")  # error
tf.constant(1.0, shape=[None])  # error
tf.constant(1.0, name=3)  # error
tf.convert_to_tensor({1, 2})  # error
tf.convert_to_tensor(1.0, dtype=[])  # error
tf.convert_to_tensor(1.0, dtype=7.0)  # error
tf.Variable({1})  # error
tf.Variable(1.0, dtype=1.5)  # error
tf.Variable(1.0, shape="ab")  # error
tf.Variable(1.0, name=1)  # error
tf.Variable(lambda: {1})  # error
tf.exp("text")  # error
tf.exp(None)  # error
tf.exp({1.0})  # error
tf.exp(1.0, name=2)  # error
tf.exp(1.0, 2.0)  # error
tf.sin(x, x)  # error
tf.sqrt("4")  # error
tf.abs(None)  # error
tf.add(1.0)  # error
tf.add(1.0, None)  # error
tf.add({1}, 1.0)  # error
tf.multiply(x, {2: 3})  # error
tf.maximum(None, x)  # error
tf.math.xlogy("x", x)  # error
tf.math.log1p("x")  # error
tf.math.polygamma("a", x)  # error
tf.cast(x)  # error
tf.cast(x, 2.5)  # error
tf.cast(x, None)  # error
tf.cast(None, tf.int32)  # error
tf.clip_by_value(x, "low", 1.0)  # error
tf.clip_by_norm(x, "big")  # error
tf.complex("a", "b")  # error
tf.bitcast(x, 3.5)  # error
tf.identity(None)  # error
tf.stop_gradient({1})  # error
tf.zeros("ab")  # error
tf.zeros([None])  # error
tf.zeros(1.5)  # error
tf.zeros([1], dtype=2.5)  # error
tf.ones(["a"])  # error
tf.fill("ab", 1.0)  # error
tf.eye("two")  # error
tf.eye(2, dtype=0.5)  # error
tf.one_hot([0], depth="three")  # error
tf.one_hot([0], depth=3, axis="last")  # error
tf.range({1})  # error
tf.linspace(0.0, 1.0, 2.5)  # error
tf.reshape(x, "ab")  # error
tf.reshape(x, [None])  # error
tf.reshape({1}, [1])  # error
tf.broadcast_to(x, 1.5)  # error
tf.transpose(x, perm="ab".join)  # error
tf.expand_dims(x, axis="first")  # error
tf.expand_dims(x, axis=1.5)  # error
tf.squeeze(x, axis="ab")  # error
tf.concat([x], axis="rows")  # error
tf.concat([x], axis=1.5)  # error
tf.stack([x], axis="rows")  # error
tf.unstack(x, axis="rows")  # error
tf.gather(x, [0], axis="rows")  # error
tf.gather({1}, [0])  # error
tf.tile(x, None)  # error
tf.repeat(x, 2, axis="rows")  # error
tf.reverse(x, "rows")  # error
tf.roll(x, 1, axis="rows")  # error
tf.boolean_mask(None, [True])  # error
tf.scatter_nd([[0]], [1.0], "shape")  # error
tf.shape(x, out_type=1.5)  # error
tf.reduce_sum("text")  # error
tf.reduce_sum(x, axis="rows")  # error
tf.reduce_sum(x, axis=1.5)  # error
tf.reduce_mean(None)  # error
tf.reduce_max(x, axis=["rows"])  # error
tf.argmax(x, axis="rows")  # error
tf.argmax(x, output_type=1.5)  # error
tf.cumsum(x, axis="rows")  # error
tf.sort(x, axis="rows")  # error
tf.math.segment_sum(x, None)  # error
tf.math.unsorted_segment_sum(x, [0], "many")  # error
tf.matmul("a", x)  # error
tf.matmul(x)  # error
tf.matmul(x, None)  # error
tf.tensordot(x, x, axes="ij")  # error
tf.linalg.inv("matrix")  # error
tf.linalg.solve(x, None)  # error
tf.linalg.diag(x, num_rows="two")  # error
tf.linalg.LinearOperatorDiag("ab")  # error
tf.linalg.LinearOperatorIdentity("two")  # error
tf.linalg.LinearOperatorIdentity(2, dtype=1.5)  # error
tf.nn.conv2d(1, 2, 3, "NOPE")  # error
tape.gradient(y, 1.0)  # error
tape.gradient(1.0, x)  # error
tape.gradient(y, "x")  # error
tape.gradient(y, x, unconnected_gradients=0)  # error
tape.gradient(y, x).numpy()  # error
tape.gradient(y, [x]) + 1.0  # error
tape.jacobian(1.0, x)  # error
tape.batch_jacobian(y, "x")  # error
tape.watch(1.0)  # error
tape.watch("x")  # error
step("x")  # error
step(x, rate="fast")  # error
step(x, pace=1.0)  # error
step()  # error
step(x).nothing()  # error
tf.function(3)  # error
tf.function(step, jit_compile="yes")  # error
x.set_shape("ab")  # error
v.gather_nd(None)  # error
