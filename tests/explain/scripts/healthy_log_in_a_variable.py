import cinta as tf

v = tf.Variable(tf.zeros([3]))
w = tf.Variable(1.0)
for k in range(3):
    with tf.GradientTape() as tape:
        loss = (w - float(k)) ** 2 + 1.0
    g = tape.gradient(loss, w)
    v[k].assign(loss)
    w.assign_sub(0.1 * g)
print(v.numpy())
