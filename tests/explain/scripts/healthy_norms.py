import cinta as tf

w = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    n = tf.norm(w)
    u = tf.math.l2_normalize(w)
    loss = n + tf.reduce_sum(u * [1.0, 2.0])
g = tape.gradient(loss, w)
clipped, gn = tf.clip_by_global_norm([g], 1.0)
print(float(gn))
