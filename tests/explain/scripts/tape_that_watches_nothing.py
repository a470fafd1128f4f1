import cinta as tf

w = tf.Variable(3.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    y = w * 2.0  # <not-watched>
    z = y + 1.0
print(tape.gradient(z, w))
