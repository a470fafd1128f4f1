import cinta as tf

counts = tf.constant([3.0, 0.0, 5.0])
sums = tf.constant([6.0, 0.0, 10.0])
means = sums / counts  # <division-by-zero>
overall = tf.reduce_mean(means)
print(float(overall))
