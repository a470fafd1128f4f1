import cinta as tf


@tf.function(jit_compile=True)
def activate(v):
    return tf.nn.relu6(v)  # <saturated>


v = tf.Variable([7.0, 9.0])
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(activate(v) * 2.0)
    tape.gradient(loss, v)
