import cinta as tf

w = tf.Variable(3.0)
table = tf.Variable(tf.zeros([4]))
with tf.GradientTape() as tape:
    for k in range(4):
        table[k].assign(w * float(k))  # <assigned-state>
    loss = tf.reduce_sum(table**2)
print(tape.gradient(loss, w))
