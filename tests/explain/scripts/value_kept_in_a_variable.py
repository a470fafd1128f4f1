import cinta as tf

w = tf.Variable(3.0)
memory = tf.Variable(0.0)
with tf.GradientTape() as tape:
    memory.assign(w * 2.0)  # <assigned-state>
    loss = memory * memory
print(tape.gradient(loss, w))
