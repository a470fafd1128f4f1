import cinta as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w**2)
    copy = tf.identity(w)  # <after-use>
g = tape.gradient(loss, copy)
