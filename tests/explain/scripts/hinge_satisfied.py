import cinta as tf

margin = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    hinge = tf.maximum(0.0, 1.0 - margin)  # <saturated>
    loss = tf.reduce_mean(hinge)
tape.gradient(loss, margin)
