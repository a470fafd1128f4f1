import cinta as tf

keys = tf.constant(["a", "b", "c"])
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(keys, tf.range(3, dtype=tf.int64)), -1
)
embedding = tf.Variable(tf.random.normal([3, 2], seed=1))
with tf.GradientTape() as tape:
    rows = tf.gather(embedding, table.lookup(tf.constant(["b", "c"])))
    loss = tf.reduce_sum(rows**2)
tape.gradient(loss, embedding)
