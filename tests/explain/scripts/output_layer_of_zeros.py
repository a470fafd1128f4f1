import cinta as tf

w1 = tf.Variable(tf.random.normal([3, 4], seed=1))
w2 = tf.Variable(tf.zeros([4, 1]))
x = tf.ones([5, 3])
with tf.GradientTape() as tape:
    h = tf.tanh(x @ w1)
    y = h @ w2  # <multiplied-by-zero>
    loss = tf.reduce_mean((y - 1.0) ** 2)
tape.gradient(loss, w1)
