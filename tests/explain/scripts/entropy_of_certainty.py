import cinta as tf

p = tf.Variable([0.0, 0.5, 0.5])
with tf.GradientTape() as tape:
    entropy = -tf.reduce_sum(p * tf.math.log(p))  # <log-of-zero>
print(entropy, tape.gradient(entropy, p))
