import cinta as tf

u = tf.Variable([1.0, 1.0])
with tf.GradientTape() as tape:
    cosine = tf.reduce_sum(u * u) / 1.999
    angle = tf.acos(cosine)  # <out-of-domain>
tape.gradient(angle, u)
