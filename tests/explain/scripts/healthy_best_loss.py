import cinta as tf

best = float("inf")
w = tf.Variable(5.0)
for k in range(10):
    with tf.GradientTape() as tape:
        loss = w * w
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    best = min(best, float(loss))
print(best)
