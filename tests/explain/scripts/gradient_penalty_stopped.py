import cinta as tf

w = tf.Variable([1.0, 2.0])
x = tf.Variable([0.5, 0.5])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        score = tf.reduce_sum(tf.sin(w * x))
    slope = tf.stop_gradient(inner.gradient(score, x))  # <stop-gradient>
    penalty = (tf.norm(slope) - 1.0) ** 2
outer.gradient(penalty, w)
