import cinta as tf

cache = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, default_value=0.0)
w = tf.Variable(1.5)
with tf.GradientTape() as tape:
    cache.insert(tf.constant(7, tf.int64), w * 2.0)  # <state-boundary>
    again = cache.lookup(tf.constant(7, tf.int64))
    loss = again**2
tape.gradient(loss, w)
