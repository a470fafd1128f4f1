import cinta as tf

w = tf.Variable([10.0, -20.0])
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**4)
    g = tape.gradient(loss, w)
    (g,), norm = tf.clip_by_global_norm([g], 1.0)
    g = tf.clip_by_value(g, -0.5, 0.5)
    w.assign_sub(g)
