import cinta as tf

x = tf.linspace(-2.0, 2.0, 5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log1p(tf.exp(-tf.abs(x))) + tf.maximum(x, 0.0)
print(tape.gradient(y, x))
print(tf.reduce_max(tf.exp(x)), tf.math.log(tf.exp(x)))
