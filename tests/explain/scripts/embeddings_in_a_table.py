import cinta as tf

embeddings = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, [0.0, 0.0])
with tf.GradientTape() as tape:
    table.insert(tf.constant([7, 8], tf.int64), embeddings * 2.0)  # <state-boundary>
    found = table.lookup(tf.constant([8], tf.int64))
    loss = tf.reduce_sum(found)
tape.gradient(loss, embeddings)
