import cinta as tf

point = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    angle = tf.atan2(point[1], point[0])  # <division-by-zero>
    loss = angle * 2.0
tape.gradient(loss, point)
