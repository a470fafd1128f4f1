import cinta as tf

w = tf.Variable(tf.constant([300.0, 250.0], tf.float16))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w)  # <overflow>
tape.gradient(loss, w)
