from scipy import special

import cinta as tf

z = tf.Variable([0.0, 1.0])
with tf.GradientTape() as tape:
    p = special.expit(z)  # <left-to-numpy>
    loss = tf.reduce_mean(tf.square(p - 1.0))
tape.gradient(loss, z)
