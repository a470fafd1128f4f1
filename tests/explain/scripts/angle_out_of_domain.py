import cinta as tf

angles = tf.Variable([0.5, 1.2])
with tf.GradientTape() as tape:
    a = tf.acos(angles)  # <out-of-domain>
    loss = tf.reduce_sum(a**2)
g = tape.gradient(loss, angles)
