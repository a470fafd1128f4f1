import cinta as tf

w = tf.Variable([50.0, 60.0])
with tf.GradientTape() as tape:
    y = tf.sigmoid(w * 10.0)  # <saturated>
    loss = tf.reduce_mean((y - 0.5) ** 2)
print(tape.gradient(loss, w))
