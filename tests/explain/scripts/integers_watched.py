import cinta as tf

x = tf.constant([1, 2, 3])  # <integer-dtype>
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(tf.cast(x, tf.float32) ** 2)
print(tape.gradient(y, x))
