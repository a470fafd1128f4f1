import cinta as tf

a = tf.constant([float("inf"), 1.0])
b = tf.constant([float("inf"), 2.0])
gap = a - b  # <inf-minus-inf>
print(gap.numpy())
