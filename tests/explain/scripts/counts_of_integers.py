import cinta as tf

count = tf.Variable([1, 2, 3])  # <integer-dtype>
with tf.GradientTape() as tape:
    total = tf.reduce_sum(count * count)
print(tape.gradient(total, count))
