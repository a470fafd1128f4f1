import cinta as tf

w = tf.Variable(2.0)
total = tf.Variable(0.0)
with tf.GradientTape() as tape:
    for k in range(3):
        total.assign_add(w * float(k + 1))  # <assigned-state>
    loss = total.read_value()
print(tape.gradient(loss, w))
