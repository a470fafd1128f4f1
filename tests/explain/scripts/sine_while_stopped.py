import cinta as tf

w = tf.Variable(1.5)
with tf.GradientTape() as tape:
    a = w * 2.0
    with tape.stop_recording():
        b = tf.sin(a)  # <stopped-recording>
    loss = b * 3.0
print(tape.gradient(loss, w))
