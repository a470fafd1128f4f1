import cinta as tf


@tf.function(jit_compile=True)
def step(w, x):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_mean((x @ w) ** 2)
    return tape.gradient(loss, w)


w = tf.ones([2, 2])
for _ in range(3):
    w = w - 0.1 * step(w, tf.ones([3, 2]))
